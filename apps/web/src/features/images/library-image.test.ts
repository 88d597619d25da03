import { filterRequest } from '@cellfolio/contract';
import { expect, test } from 'vitest';
import { normalFilter } from '@/features/subsets/index.ts';
import { generatedImage, libraryImage } from './library-image.fixture.ts';
import {
  bringToFront,
  cardsThatFit,
  newestFirst,
  newestInViewer,
  onKeptCells,
  pageCount,
  reorder,
  sameImage,
  select,
  withinPages,
} from './library-image.ts';

const standing = libraryImage('default', { type: 'default' });
const images = (...ids: string[]) => ids.map((id) => libraryImage(id));

test('the newest images go to the viewer, as many as it has room for, the default image being the oldest', () => {
  expect(newestInViewer([], standing, 4)).toEqual(['default']);
  expect(newestInViewer(images('b', 'a'), standing, 4)).toEqual(['b', 'a', 'default']);
  expect(newestInViewer(images('e', 'd', 'c', 'b', 'a'), standing, 4)).toEqual(['e', 'd', 'c', 'b']);
  expect(newestInViewer(images('e', 'd', 'c', 'b', 'a'), standing, 6)).toEqual([
    'e',
    'd',
    'c',
    'b',
    'a',
    'default',
  ]);
});

test('images of other datasets do not come into the viewer by themselves', () => {
  const foreign = libraryImage('x', { datasetName: 'other' });
  const sameFile = libraryImage('y', { diseaseName: 'other' });
  expect(newestInViewer([foreign, sameFile, ...images('b', 'a')], standing, 4)).toEqual([
    'b',
    'a',
    'default',
  ]);
});

test('an image is not selected twice, nor in a full viewer', () => {
  expect(select(['a', 'b', 'c'], 'd', 4)).toEqual(['a', 'b', 'c', 'd']);
  expect(select(['a', 'b', 'c', 'd'], 'e', 4)).toEqual(['a', 'b', 'c', 'd']);
  expect(select(['a', 'b', 'c', 'd'], 'e', 6)).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(select(['a', 'b'], 'a', 4)).toEqual(['a', 'b']);
});

test('pages hold four, and there is always one', () => {
  expect([0, 1, 4, 5, 31].map((images) => pageCount(images))).toEqual([1, 1, 1, 2, 8]);
  expect([withinPages(9, 5), withinPages(-1, 5), withinPages(1, 4)]).toEqual([1, 0, 0]);
});

test('a card is moved to another place, and nowhere outside', () => {
  expect(reorder(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a']);
  expect(reorder(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
  for (const [from, to] of [
    [-1, 0],
    [0, 3],
    [5, 0],
  ] as const) {
    expect(reorder(['a', 'b', 'c'], from, to)).toEqual(['a', 'b', 'c']);
  }
});

test('existing images are brought to the front of the viewer, each once', () => {
  expect(bringToFront(['a', 'b', 'c', 'd'], ['c', 'e'], 4)).toEqual(['c', 'e', 'a', 'b']);
});

test('the order is that of the times; of one moment, the same on every device', () => {
  const one = libraryImage('one', { createdAt: 5 });
  const two = libraryImage('two', { createdAt: 5 });
  const old = libraryImage('old', { createdAt: 1 });
  expect(newestFirst([old, one, two])).toEqual(newestFirst([two, old, one]));
  expect(newestFirst([old, one, two]).at(-1)).toBe(old);
});

test('images of one name on other cells are not the same: a subset keeps its name when it is changed', () => {
  const content = { kind: 'gene-umap', gene: 'CD3D' } as const;
  const of = (cellTypes: string[]) =>
    generatedImage('CD3D', {
      subsetGroupName: 'T cells',
      source: {
        dataset_filename: 'd',
        content,
        subset: filterRequest.parse({
          subset_group_name: 'T cells',
          cell_type_filter: true,
          cell_type: cellTypes,
        }),
      },
    });
  expect(sameImage(of(['t-cell']), of(['t-cell']))).toBe(true);
  expect(sameImage(of(['t-cell']), of(['b-cell']))).toBe(false);
  expect(sameImage(of(['t-cell']), generatedImage('CD3D', { subsetGroupName: 'T cells' }))).toBe(true);
  const reordered = of(['t-cell']);
  const subset = Object.fromEntries(Object.entries(reordered.source?.subset ?? {}).toReversed());
  expect(sameImage(of(['t-cell']), { ...reordered, source: { ...reordered.source!, subset } as never })).toBe(
    true,
  );
});

test('a cell state that was drawn before its fewest genes could be chosen is the same picture', () => {
  const of = (cell_state: string, minimum_genes: number, kind: 'umap' | 'violin' = 'umap') => ({
    ...generatedImage('HYPOXIA'),
    source: {
      dataset_filename: 'd',
      content: { kind: `score-${kind}`, of: 'cell-state', cell_state, minimum_genes } as const,
    },
  });
  expect(sameImage(of('HYPOXIA', 1), of('HYPOXIA', 3))).toBe(true);
  expect(sameImage(of('HYPOXIA', 1), of('APOPTOSIS', 1))).toBe(false);
  expect(sameImage(of('HYPOXIA', 1), of('HYPOXIA', 1, 'violin'))).toBe(false);
});

test('a strip shows four images, and on a wide screen as many whole ones as fit', () => {
  // In windows of 1024, 1440, 1680, 1920 and 2560 pixels, and where the width is unknown.
  expect([642, 1010, 1250, 1490, 2130, 0].map(cardsThatFit)).toEqual([4, 4, 6, 8, 11, 4]);
  // Steps of four, up to the one that shows the last image.
  expect([8, 9, 12, 13, 31].map((images) => pageCount(images, 8))).toEqual([1, 2, 2, 3, 7]);
  expect([6, 7, 10, 11].map((images) => pageCount(images, 6))).toEqual([1, 2, 2, 3]);
});

test('kept cells take the place of those of maps of the open version, and of nothing else', () => {
  const opened = { filename: 'd', version: '2' };
  const filter = normalFilter({
    subset_group_name: 'Kept',
    cells_filter: true,
    cells: { version: '2', places: 'AA' },
  });
  const keptCells = { name: 'Kept', filter, cellCount: 12 };
  const source = {
    dataset_filename: 'd',
    version: '2',
    content: { kind: 'gene-umap', gene: 'CD3D' },
  } as const;
  const map = libraryImage('map', { source });
  const shown = onKeptCells(map, keptCells, opened);
  expect(shown).toMatchObject({
    subsetGroupName: 'Kept',
    cellCount: 12,
    onKeptCells: true,
    source: { ...source, subset: filter },
  });
  expect(onKeptCells(map, null, opened)).toBe(map);
  for (const other of [
    { ...source, version: '1' },
    { ...source, dataset_filename: 'other' },
    { ...source, content: { kind: 'gene-violin', gene: 'CD3D' } as const },
    // Drawn on these cells: it is in the library as it is shown.
    { ...source, subset: { ...filter, subset_group_name: 'of another name' } },
  ]) {
    const image = libraryImage('other', { source: other });
    expect(onKeptCells(image, keptCells, opened)).toBe(image);
  }
});
