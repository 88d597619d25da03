import { encodeCells } from '@cellfolio/columns';
import { expect, test } from 'vitest';
import { selectionOf } from './cell-bits.ts';
import { columnsOfMapAddress, keepsCells, mapAddress, openMapAddress } from './map-address.ts';
import { type MapState, MapStore } from './map-store.ts';

const cells = { version: 'v1', cellCount: 5000, saved: [] };
const cards = ['default', 'gene'];

function selected(from: number, to: number) {
  const bits = new Uint8Array(625);
  for (let cell = from; cell < to; cell++) bits[cell >> 3]! |= 1 << (cell & 7);
  return selectionOf(bits);
}

function shown(): MapStore {
  const store = new MapStore();
  store.setEmbedding({ name: 'X_pca', axes: [0, 2] });
  store.set({ camera: { x: 0.25, y: 0.75, zoom: 3.5 }, density: true });
  store.setLook('gene', {
    content: { kind: 'obs-umap', column: 'a,b"&<i>' },
    range: [0.5, 2],
    split: 'sample',
  });
  store.setLook('default', { hidden: ['=T cell', 'missing'] });
  store.select(selected(100, 900));
  return store;
}

test('another page shows the maps as an address says', () => {
  const text = mapAddress(shown().state, cards, cells)!;
  const opened = new MapStore();
  openMapAddress(opened, text, ['default', 'drawn anew'], cells);
  const { camera, density, embedding, looks, selection } = opened.state;
  expect({ camera, density, embedding }).toEqual({
    camera: { x: 0.25, y: 0.75, zoom: 3.5 },
    density: true,
    embedding: { name: 'X_pca', axes: [0, 2] },
  });
  expect(looks.get('default')).toEqual({ hidden: ['=T cell', 'missing'] });
  expect(looks.get('drawn anew')).toEqual(shown().look('gene'));
  expect(selection).toEqual(selected(100, 900));
});

test('that maps show the kept cells alone is in the address, and the active cells are those', () => {
  const store = new MapStore();
  const filter = { subset_group_name: 'Kept', cells_filter: true } as NonNullable<
    MapState['keptCells']
  >['filter'];
  const keptCells = { name: 'Kept', filter, cellCount: 12 };
  store.set({ keptCells });
  const text = mapAddress(store.state, cards, cells)!;
  expect(keepsCells(text)).toBe(true);
  const opened = new MapStore();
  openMapAddress(opened, text, cards, cells, { keptCells });
  expect(opened.state.keptCells).toBe(keptCells);
  openMapAddress(opened, '{}', cards, cells, { keptCells });
  expect(opened.state.keptCells).toBeNull();
});

test('kept cells are in the address also where the rest of the maps is too long for one', () => {
  const store = new MapStore();
  store.setLook('gene', { hidden: Array.from({ length: 300 }, (_, at) => `category ${at}`) });
  expect(mapAddress(store.state, cards, cells)).toBeNull();
  const filter = { subset_group_name: 'Kept', cells_filter: true } as NonNullable<
    MapState['keptCells']
  >['filter'];
  store.set({ keptCells: { name: 'Kept', filter, cellCount: 12 } });
  expect(mapAddress(store.state, cards, cells)).toBe('{"kept":true}');
});

test('names of categories take as little of an address in any script', () => {
  const store = new MapStore();
  store.setLook('gene', { hidden: Array.from({ length: 40 }, (_, at) => `細胞の種類の名前 ${at}`) });
  expect(JSON.stringify(store.look('gene')).length).toBeLessThan(1500);
  expect(mapAddress(store.state, cards, cells)).toBeNull();
});

test('maps that are shown as the figures are not in the address', () => {
  const store = new MapStore();
  store.setLook('gene', { range: [1, 2] });
  store.setLook('gene', { range: undefined });
  expect(mapAddress(store.state, cards, cells)).toBeNull();
});

test('a selection of another version of the dataset is left out, and so is one too long for an address', () => {
  const opened = new MapStore();
  openMapAddress(opened, mapAddress(shown().state, cards, cells)!, cards, { ...cells, version: 'v2' });
  expect(opened.state.selection).toBeNull();
  expect(opened.state.camera.zoom).toBe(3.5);

  const store = shown();
  const scattered = Uint8Array.from({ length: 12_500 }, (_, at) => (at * 37) % 256);
  store.select(selectionOf(scattered));
  const text = mapAddress(store.state, cards, { ...cells, cellCount: 100_000 })!;
  expect(text.length).toBeLessThan(1500);
  expect(JSON.parse(text)).not.toHaveProperty('selection');
});

test('a selection too long for an address is named by the subset that it was saved as', () => {
  const many = { ...cells, cellCount: 100_000 };
  const scattered = selectionOf(Uint8Array.from({ length: 12_500 }, (_, at) => (at * 37) % 256));
  const places = encodeCells(scattered.bits, many.cellCount);
  const saved = [{ id: 'mine', cells: { version: 'v1', places } }];
  const store = shown();
  store.select(scattered);
  const text = mapAddress(store.state, cards, { ...many, saved })!;
  expect(JSON.parse(text).selection).toEqual({ subset: 'mine' });

  const opened = new MapStore();
  expect(openMapAddress(opened, text, cards, { ...many, saved })).toBe(true);
  expect(opened.state.selection).toEqual(scattered);
  for (const other of [{ ...many }, { ...many, version: 'v2', saved }]) {
    expect(openMapAddress(opened, text, cards, other)).toBe(false);
    expect(opened.state.selection).toBeNull();
    expect(opened.state.camera.zoom).toBe(3.5);
  }
});

test.each([
  ['no JSON', '{'],
  ['another shape', '{"camera":[1]}'],
  ['a camera beside the map', '{"camera":[7,0,1]}'],
  ['cells that there are not', '{"selection":{"version":"v1","places":"____"}}'],
  ['more cards than there are', '{"cards":[{},{},{"log":true}]}'],
])('an address with %s shows the figures', (_, text) => {
  const store = new MapStore();
  openMapAddress(store, text, cards, cells);
  expect(store.state.selection).toBeNull();
  expect(store.state.camera).toEqual({ x: 0.5, y: 0.5, zoom: 1 });
  expect([...store.state.looks.values()].filter((look) => Object.keys(look).length > 0)).toEqual([]);
});

test('looks stay with their cards where others are not drawn, without columns that the reader lacks', () => {
  const looks = [{ column: 'mine', hidden: ['a'] }, { column: 'type', split: 'mine' }, { split: 'batch' }];
  const text = JSON.stringify({ cards: looks });
  expect(columnsOfMapAddress(text)).toEqual([['mine'], ['type', 'mine'], ['batch']]);
  const store = new MapStore();
  openMapAddress(store, text, ['first', undefined, 'third'], cells, { lacks: (column) => column === 'mine' });
  expect([...store.state.looks]).toEqual([
    ['first', {}],
    ['third', { split: 'batch' }],
  ]);
  openMapAddress(store, text, ['first', 'second', 'third'], cells, { lacks: (column) => column === 'mine' });
  expect(store.look('second')).toEqual({ content: { kind: 'obs-umap', column: 'type' } });
  openMapAddress(store, text, ['first', 'second', 'third'], cells);
  expect(store.look('first')).toEqual({ content: { kind: 'obs-umap', column: 'mine' }, hidden: ['a'] });
});

test('selections are undone and redone one by one, and a new one ends what could be redone', () => {
  const store = new MapStore();
  const [first, second] = [selected(0, 5), selected(5, 9)];
  store.select(first);
  store.select(second);
  store.undo();
  expect(store.state.selection).toBe(first);
  store.undo();
  expect(store.state.selection).toBeNull();
  store.undo();
  store.redo();
  expect(store.state.selection).toBe(first);
  store.select(null);
  store.redo();
  expect(store.state.selection).toBeNull();
  for (let turn = 0; turn < 80; turn++) store.select(selected(turn, turn + 1));
  expect(store.state.past).toHaveLength(50);
});
