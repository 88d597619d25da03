import { SumsOfGroups } from '../group-sums/index.ts';
import { groupSumTasks } from '../group-sums/tasks.ts';
import { markerTasks } from './tasks.ts';
import { inlineCompute } from '../../testing/inline-compute.ts';
import type { MarkerParameters } from '@cellfolio/contract';
import {
  type CategoricalColumn,
  type CellMask,
  type Column,
  packStrings,
  type Table,
} from '@cellfolio/model';
import { createDatasetWriter, type DatasetManifest, type ObjectStore } from '@cellfolio/store';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CellDepths, depthTasks } from '../../runtime/cell-depths.ts';
import { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import { temporaryObjects, type TemporaryObjects } from '../gene-sets/testing/temporary-objects.ts';
import { GeneMeans } from '../scores/gene-means.ts';
import type { Selection } from '../selection/selection.ts';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import type { CellMasks } from '../subsets/cell-masks.ts';
import { MarkerTests } from './marker-tests.ts';

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

function services(objects: ObjectStore) {
  const datasets = new OpenDatasets(objects, { datasets: 4, cacheBytes: 0 });
  const compute = inlineCompute([...groupSumTasks, ...markerTasks, ...depthTasks], datasets, (kind) =>
    tasks.push(kind),
  );
  const masks = { maskOf: () => Promise.resolve(mask) } as unknown as CellMasks;
  const depths = new CellDepths({ compute, datasets });
  return {
    datasets,
    markers: new MarkerTests({
      compute,
      datasets,
      depths,
      sums: new SumsOfGroups({ compute, masks, depths }),
    }),
    means: new GeneMeans({ compute, datasets, masks }),
  };
}

const call: CallContext = {
  signal: new AbortController().signal,
  users: () => [],
  onProgress: () => undefined,
};
const parameters = (method: 't-test' | 'wilcoxon'): MarkerParameters => ({
  groupby: 'cell_type',
  method,
  tie_correct: true,
  pseudocount: 1,
  depth: 'as-measured',
  min_cells: 3,
  unlabelled: 'reference',
  unassigned: 'groups',
  n_genes: 5,
  pvals_adj: 0.05,
  logfoldchanges: 0.1,
});
const all = (manifest: DatasetManifest): Selection => ({ manifest, subset: undefined });
const expressionReads = () => store.reads.filter((key) => /\/X\/(indices|data)\//.test(key)).length;

beforeEach(() => {
  tasks = [];
  mask = undefined;
});

test('a t-test of the whole dataset reads no expression, and finds what reading it finds', async () => {
  const { markers, datasets } = services(store.objects);
  for (const manifest of Object.values(manifests)) await datasets.get(manifest);
  const opened = expressionReads();
  const storedResult = await markers.run(all(manifests.ofCounts), parameters('t-test'), call);
  expect(expressionReads()).toBe(opened);
  expect(tasks).toEqual(['group', 'rank']);
  const read = await markers.run(all(manifests.bare), parameters('t-test'), call);
  expect(expressionReads()).toBeGreaterThan(opened);
  expect(storedResult.markers.groups.map(({ rows }) => rows.length)).toContain(3);
  const close = (values: Float64Array) => Array.from(values, (value) => Number(value.toPrecision(10)));
  storedResult.markers.groups.forEach((group, place) => {
    const other = read.markers.groups[place]!;
    expect(group.rows).toEqual(other.rows);
    expect(close(group.scores)).toEqual(close(other.scores));
    expect(close(group.pvals_adj)).toEqual(close(other.pvals_adj));
    expect(group.pctOutside).toEqual(other.pctOutside);
  });
  expect(close(storedResult.markers.dots.means)).toEqual(close(read.markers.dots.means));
});

test('whole groups need no expression either, parts of groups and ranks do', async () => {
  const keeps = async (method: 't-test' | 'wilcoxon', isIn: (cell: number) => boolean) => {
    const bits = Uint8Array.from({ length: cellCount }, (_, cell) => (isIn(cell) ? 1 : 0));
    mask = { bits, count: bits.reduce((sum, bit) => sum + bit, 0) };
    tasks = [];
    await services(store.objects).markers.run(all(manifests.ofCounts), parameters(method), call);
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
    const { markers } = services(store.objects);
    const without = await markers.run(
      all(manifests.ofCounts),
      { ...request, unassigned: 'left-out' as const },
      call,
    );
    const withAll = await markers.run(all(manifests.ofCounts), request, call);
    const sayings = [withAll, without].map(({ cautions }) =>
      cautions.find(({ code }) => code.startsWith('unassigned-'))!,
    );
    expect(withAll.markers.groups.map(({ name }) => name)).toEqual(['a', 'Doublet', 'c']);
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
    const subset = await services(store.objects).markers.run(all(manifests.ofCounts), request, call);
    expect(without.markers.groups.map(({ name, others }) => [name, others])).toEqual([
      ['a', 100],
      ['c', 100],
    ]);
    without.markers.groups.forEach(({ rows, scores, pvals_adj: adjusted }, place) => {
      const other = subset.markers.groups[place]!;
      expect(rows).toEqual(other.rows);
      expect(scores).toEqual(other.scores);
      expect(adjusted).toEqual(other.pvals_adj);
    });
  },
);

test('groups are compared within each category of a second column, in one pass over the matrix', async () => {
  const { markers, datasets } = services(store.objects);
  await datasets.get(manifests.ofCounts);
  const opened = expressionReads();
  await markers.run(all(manifests.ofCounts), parameters('wilcoxon'), call);
  const ofOne = expressionReads() - opened;
  tasks = [];
  const splitParameters = { ...parameters('wilcoxon'), split: { column: 'half' } };
  const split = await markers.run(all(manifests.ofCounts), splitParameters, call);
  expect(expressionReads() - opened - ofOne).toBe(ofOne);
  expect(tasks.filter((kind) => kind === 'block')).toHaveLength(1);
  // Every third of 300 cells is of a type, every second in a half, and the last ten in none.
  expect(split.markers.groups.map(({ name, cells, others }) => [name, cells, others])).toEqual([
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
  const { markers } = services(store.objects);
  const splitParameters = { ...parameters('t-test'), split: { column: 'half' } };
  const split = await markers.run(all(manifests.bare), splitParameters, call);
  const bits = Uint8Array.from({ length: cellCount }, (_, cell) => Number(cell < 290 && cell % 2 === 1));
  mask = { bits, count: 145 };
  const odd = await services(store.objects).markers.run(all(manifests.bare), parameters('t-test'), call);
  expect(odd.markers.groups).toHaveLength(3);
  for (const { name, rows, scores, pvals_adj: adjusted } of odd.markers.groups) {
    const part = split.markers.groups.find((one) => one.name === `${name} · odd`)!;
    expect(part.rows).toEqual(rows);
    expect(part.scores).toEqual(scores);
    expect(part.pvals_adj).toEqual(adjusted);
    const [column, own] = [split, odd].map(({ markers: { dots } }) => {
      const at = dots.groups.findIndex((one) => one.name.startsWith(name) && !one.name.endsWith('even'));
      return Array.from(rows, (row) => dots.means[dots.rows.indexOf(row) * dots.groups.length + at]);
    });
    expect(column).toEqual(own);
  }
});

test('parts and groups in them of too few cells are left out, and each is named with its cells', async () => {
  const splitParameters = { ...parameters('wilcoxon'), min_cells: 49, split: { column: 'half' } };
  const { markers } = services(store.objects);
  const { markers: splitMarkers } = await markers.run(all(manifests.bare), splitParameters, call);
  expect(splitMarkers.groups.map(({ name }) => name)).toEqual(['a · even', 'b · odd']);
  expect(splitMarkers.warnings).toMatchObject([
    {
      code: 'groups-left-out',
      numbers: { groupCount: 4, groups: ['b · even', 'c · even', 'a · odd', 'c · odd'] },
    },
  ]);
  await expect(markers.run(all(manifests.bare), { ...splitParameters, min_cells: 60 }, call)).rejects.toThrow(
    'cannot be compared within the categories of "Half"',
  );
});

test('a column of numbers is compared only where the request declares how to bin it', async () => {
  const { markers } = services(store.objects);
  const baseParameters = { ...parameters('wilcoxon'), groupby: 'depth' };
  await expect(markers.run(all(manifests.bare), baseParameters, call)).rejects.toThrow('holds numbers');
  const cut = { ...baseParameters, bins: { by: 'edges' as const, edges: [100, 250] } };
  const { markers: binMarkers } = await markers.run(all(manifests.bare), cut, call);
  expect(binMarkers.groups.map(({ name, cells }) => [name, cells])).toEqual([
    ['below 100', 100],
    ['100 to below 250', 150],
    ['250 or more', 50],
  ]);
});

test('another pseudocount or no correction for ties is another result, of the same sums', async () => {
  const { markers } = services(store.objects);
  const run = async (change: Partial<MarkerParameters>) => {
    const runParameters = { ...parameters('wilcoxon'), logfoldchanges: -100, pvals_adj: 1, ...change };
    const [group] = (await markers.run(all(manifests.ofCounts), runParameters, call)).markers.groups;
    return { scores: group!.scores, changes: group!.logfoldchanges };
  };
  const [usual, small, tied] = [
    await run({}),
    await run({ pseudocount: 1e-9 }),
    await run({ tie_correct: false }),
  ];
  expect(small.scores).toEqual(usual.scores);
  expect(small.changes).not.toEqual(usual.changes);
  expect(tied.changes).toEqual(usual.changes);
  // Ties make the variance smaller.
  expect(Math.abs(tied.scores[0]!)).toBeLessThan(Math.abs(usual.scores[0]!));
  expect(tasks.filter((kind) => kind === 'block')).toHaveLength(1);
});

test('the first signature of a dataset finds the means of all genes, without reading them', async () => {
  const { means, datasets } = services(store.objects);
  await datasets.get(manifests.ofCounts);
  const opened = expressionReads();
  const geneMeans = await means.of(all(manifests.ofCounts), call);
  expect(geneMeans).toHaveLength(geneCount);
  expect(geneMeans.every((mean) => mean > 1)).toBe(true);
  expect(expressionReads()).toBe(opened);
  expect(tasks).toEqual([]);
});
