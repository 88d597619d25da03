import {
  type CategoricalColumn,
  type CellMask,
  type Column,
  packStrings,
  type Table,
} from '@cellfolio/model';
import { createDatasetWriter, type DatasetManifest } from '@cellfolio/store';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { temporaryObjects, type TemporaryObjects } from '../gene-sets/testing/temporary-objects.ts';
import { GeneMeans } from '../scores/gene-means.ts';
import type { Selection } from '../selection/selection.ts';
import { inlineMarkers, markersByGroup, waiting } from './testing/inline-analyses.ts';

const id = 'whole.h5ad';
const cellCount = 300;
const geneCount = 8;
const categories = ['a', 'b', 'c'];
const cellType: CategoricalColumn = {
  kind: 'categorical',
  codes: Int8Array.from({ length: cellCount }, (_, cell) => cell % 3),
  categories,
  categoryType: 'string',
  ordered: false,
};
const half: CategoricalColumn = {
  ...cellType,
  codes: Int8Array.from({ length: cellCount }, (_, cell) => (cell < 290 ? cell % 2 : -1)),
  categories: ['even', 'odd'],
};
const depth: Column = {
  kind: 'numeric',
  dtype: 'float64',
  values: Float64Array.from({ length: cellCount }, (_, cell) => cell),
};
const obs = new Map<string, Column>([
  ['cell_type', cellType],
  ['half', half],
  ['labels', { ...cellType, categories: ['a', 'Doublet', 'c'] }],
  ['depth', depth],
]);
const table = (rowCount: number, columns: Table['columns']): Table => {
  const names = Array.from({ length: rowCount }, (_, row) => `row-${row}`);
  return { rowCount, indexName: '_index', index: packStrings(names), columns };
};

let store: TemporaryObjects;
let manifests: Record<'ofCounts' | 'bare', DatasetManifest>;
let tasks: string[];
let mask: CellMask | undefined;

async function write(name: string, groups: ReadonlyMap<string, CategoricalColumn>) {
  const writer = await createDatasetWriter(store.folder, name);
  await writer.obs(table(cellCount, obs));
  await writer.var(table(geneCount, new Map()));
  const indptr = Float64Array.from({ length: geneCount + 1 }, (_, gene) => gene * cellCount);
  const matrix = await writer.matrix('X', { cellCount, geneCount, indptr, valueType: 'float32' }, groups);
  for (let gene = 0; gene < geneCount; gene++) {
    const cells = Int32Array.from({ length: cellCount }, (_, cell) => cell);
    const values = Float32Array.from(
      cells,
      (cell) => 0.1 + ((cell * 7 + gene) % 11) + (cell % 3 === gene % 3 ? 5 : 0),
    );
    await matrix.write(cells, values);
  }
  await matrix.close();
  const text = { name, disease: '', subdisease: '', category1: '', category2: '', description: '' };
  return writer.publish({
    catalogue: { ...text, simulated: true },
    roles: { cellType: 'cell_type', metadata: {} },
    expression: { path: 'X', state: 'log-normalised', hasCounts: false },
    warnings: [],
  });
}

beforeAll(async () => {
  store = await temporaryObjects();
  manifests = {
    ofCounts: await write(id, new Map([['cell_type', cellType]])),
    bare: await write('bare.h5ad', new Map()),
  };
});
afterAll(() => store.remove());

function services() {
  return inlineMarkers(store.objects, { onTask: (kind) => tasks.push(kind), maskOf: () => mask });
}

const parameters = (method: 't-test' | 'wilcoxon') => ({
  groupby: 'cell_type',
  method,
  n_genes: 5,
  logfoldchanges: 0.1,
});
const all = (manifest: DatasetManifest): Selection => ({ manifest, subset: undefined });
const expressionReads = () => store.reads.filter((key) => /\/X\/(indices|data)\//.test(key)).length;

beforeEach(() => {
  tasks = [];
  mask = undefined;
});

test('a t-test of the whole dataset reads no expression, and finds what reading it finds', async () => {
  const { run, datasets } = services();
  for (const manifest of Object.values(manifests)) await datasets.get(manifest);
  const opened = expressionReads();
  const storedResult = await run(all(manifests.ofCounts), parameters('t-test'));
  expect(expressionReads()).toBe(opened);
  expect(tasks).toEqual(['group', 'analysis-markers', 'analysis-markers']);
  const read = await run(all(manifests.bare), parameters('t-test'));
  expect(expressionReads()).toBeGreaterThan(opened);
  expect(storedResult.result.groups.map(({ markers }) => markers)).toContain(3);
  const close = (values: ArrayLike<number>) => Array.from(values, (value) => Number(value.toPrecision(10)));
  const others = markersByGroup(read);
  markersByGroup(storedResult).forEach((group, place) => {
    const other = others[place]!;
    expect(group.genes).toEqual(other.genes);
    expect(close(group.scores)).toEqual(close(other.scores));
    expect(close(group.adjusted)).toEqual(close(other.adjusted));
    expect(group.sharesOutside).toEqual(other.sharesOutside);
  });
  expect(close(storedResult.drawing.means)).toEqual(close(read.drawing.means));
});

test('whole groups need no expression either, parts of groups and ranks do', async () => {
  const keeps = async (method: 't-test' | 'wilcoxon', isIn: (cell: number) => boolean) => {
    const bits = Uint8Array.from({ length: cellCount }, (_, cell) => (isIn(cell) ? 1 : 0));
    mask = { bits, count: bits.reduce((sum, bit) => sum + bit, 0) };
    tasks = [];
    await services().run(all(manifests.ofCounts), parameters(method));
    return !tasks.includes('block');
  };
  expect(await keeps('t-test', (cell) => cell % 3 !== 1)).toBe(true);
  expect(await keeps('t-test', (cell) => cell > 30)).toBe(false);
  expect(await keeps('wilcoxon', () => true)).toBe(false);
});

test.each(['t-test', 'wilcoxon'] as const)(
  'a group such as Doublet can be left out with its cells, and is reported where it is not: %s',
  async (method) => {
    const request = { ...parameters(method), groupby: 'labels' };
    const { run } = services();
    const without = await run(all(manifests.ofCounts), { ...request, unassigned: 'left-out' as const });
    const withAll = await run(all(manifests.ofCounts), request);
    const sayings = [withAll, without].map(({ cautions }) =>
      cautions.find(({ code }) => code.startsWith('unassigned-'))!,
    );
    expect(withAll.result.groups.map(({ name }) => name)).toEqual(['a', 'Doublet', 'c']);
    expect(sayings[0]!.message).toBe(
      'Groups of Labels that are not cell types: Doublet (100). They are compared like the others, and their cells are in the references of all other groups: leave them out.',
    );
    expect(sayings[1]!.message).toBe('Left out of Labels, as cells without a group: Doublet (100).');
    expect(sayings[1]!.numbers).toEqual({ groups: ['Doublet'], groupCount: 1, cells: 100 });
    // As if the cells were not there.
    mask = {
      bits: Uint8Array.from({ length: cellCount }, (_, cell) => Number(cell % 3 !== 1)),
      count: 200,
    };
    const subset = await services().run(all(manifests.ofCounts), request);
    expect(markersByGroup(without)).toMatchObject([
      { name: 'a', others: 100 },
      { name: 'c', others: 100 },
    ]);
    expect(markersByGroup(without)).toEqual(markersByGroup(subset));
  },
);

test('groups are compared within each category of a second column, in one pass over the matrix', async () => {
  const { run, datasets } = services();
  await datasets.get(manifests.ofCounts);
  const opened = expressionReads();
  await run(all(manifests.ofCounts), parameters('wilcoxon'));
  const ofOne = expressionReads() - opened;
  tasks = [];
  const splitParameters = { ...parameters('wilcoxon'), split: { column: 'half' } };
  const split = await run(all(manifests.ofCounts), splitParameters);
  expect(expressionReads() - opened - ofOne).toBe(ofOne);
  expect(tasks.filter((kind) => kind === 'block')).toHaveLength(1);
  // Every third of 300 cells is of a type, every second in a half, and the last ten in none.
  expect(markersByGroup(split).map(({ name, cells, others }) => [name, cells, others])).toEqual([
    ['a · even', 49, 96],
    ['a · odd', 48, 97],
    ['b · even', 48, 97],
    ['b · odd', 49, 96],
    ['c · even', 48, 97],
    ['c · odd', 48, 97],
  ]);
  expect(split.cautions.map(({ code }) => code)).toEqual(
    expect.arrayContaining(['within-categories', 'cells-without-category']),
  );
  expect(split.cautions.find(({ code }) => code === 'cells-without-category')!.numbers).toEqual({
    cells: 10,
  });
});

test('of a split, each part has the numbers of its cells as a subset', async () => {
  const { run } = services();
  const splitParameters = { ...parameters('t-test'), split: { column: 'half' } };
  const split = await run(all(manifests.bare), splitParameters);
  const bits = Uint8Array.from({ length: cellCount }, (_, cell) => Number(cell < 290 && cell % 2 === 1));
  mask = { bits, count: 145 };
  const odd = await services().run(all(manifests.bare), parameters('t-test'));
  const parts = new Map(markersByGroup(split).map((part) => [part.name, part]));
  const groups = markersByGroup(odd);
  expect(groups).toHaveLength(3);
  for (const { name, cells: _, ...numbers } of groups) {
    expect(parts.get(`${name} · odd`)).toMatchObject(numbers);
    const [column, own] = [split, odd].map(({ drawing: { groups: columns, symbols, means } }) => {
      const at = columns.findIndex((one) => one.name.startsWith(name) && !one.name.endsWith('even'));
      return numbers.genes.map((gene) => means[symbols.indexOf(gene) * columns.length + at]);
    });
    expect(column).toEqual(own);
  }
});

test('parts and groups in them of too few cells are left out, and each is named with its cells', async () => {
  const splitParameters = { ...parameters('wilcoxon'), min_cells: 49, split: { column: 'half' } };
  const { run } = services();
  const { result, cautions } = await run(all(manifests.bare), splitParameters);
  expect(result.groups.map(({ name }) => name)).toEqual(['a · even', 'b · odd']);
  expect(cautions.filter(({ code }) => code === 'groups-left-out')).toMatchObject([
    {
      code: 'groups-left-out',
      numbers: { groupCount: 4, groups: ['b · even', 'c · even', 'a · odd', 'c · odd'] },
    },
  ]);
  await expect(run(all(manifests.bare), { ...splitParameters, min_cells: 60 })).rejects.toThrow(
    'cannot be compared within the categories of "Half"',
  );
});

test('a column of numbers is compared only where the request declares how to bin it', async () => {
  const { run } = services();
  const baseParameters = { ...parameters('wilcoxon'), groupby: 'depth' };
  await expect(run(all(manifests.bare), baseParameters)).rejects.toThrow('holds numbers');
  const cut = { ...baseParameters, bins: { by: 'edges' as const, edges: [100, 250] } };
  const { result } = await run(all(manifests.bare), cut);
  expect(result.groups.map(({ name, cells }) => [name, cells])).toEqual([
    ['below 100', 100],
    ['100 to below 250', 150],
    ['250 or more', 50],
  ]);
});

test('another pseudocount or no correction for ties is another result, of the same sums', async () => {
  const { run } = services();
  const firstGroup = async (change: object) => {
    const request = { ...parameters('wilcoxon'), logfoldchanges: -100, pvals_adj: 1, ...change };
    return markersByGroup(await run(all(manifests.ofCounts), request))[0]!;
  };
  const [usual, small, tied] = [
    await firstGroup({}),
    await firstGroup({ pseudocount: 1e-9 }),
    await firstGroup({ tie_correct: false }),
  ];
  expect(small.scores).toEqual(usual.scores);
  expect(small.changes).not.toEqual(usual.changes);
  expect(tied.changes).toEqual(usual.changes);
  // Ties make the variance smaller.
  expect(Math.abs(tied.scores[0]!)).toBeLessThan(Math.abs(usual.scores[0]!));
  expect(tasks.filter((kind) => kind === 'block')).toHaveLength(1);
});

test('the first signature of a dataset finds the means of all genes, without reading them', async () => {
  const { datasets, ...deps } = services();
  const means = new GeneMeans({ datasets, ...deps });
  await datasets.get(manifests.ofCounts);
  const opened = expressionReads();
  const geneMeans = await means.of(all(manifests.ofCounts), waiting);
  expect(geneMeans).toHaveLength(geneCount);
  expect(geneMeans.every((mean) => mean > 1)).toBe(true);
  expect(expressionReads()).toBe(opened);
  expect(tasks).toEqual([]);
});
