import type { CellMask } from '@cellfolio/model';
import type { DatasetManifest } from '@cellfolio/store';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { scoreTasks } from '../scores/tasks.ts';
import { inlineCompute } from '../../testing/inline-compute.ts';
import { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import { temporaryObjects, type TemporaryObjects } from '../gene-sets/testing/temporary-objects.ts';
import { GeneMeans } from '../scores/gene-means.ts';
import type { Selection } from '../selection/selection.ts';
import type { CellMasks } from '../subsets/cell-masks.ts';
import { GeneBackgrounds, requiredCells } from './gene-backgrounds.ts';
import { cellCount, writeBackgroundDataset } from './testing/background-data.ts';

let store: TemporaryObjects;
let manifest: DatasetManifest;
let datasets: OpenDatasets;
let tasks: string[];
let progress: string[];

beforeAll(async () => {
  store = await temporaryObjects();
  manifest = await writeBackgroundDataset(store.folder, 'human.h5ad');
});
afterAll(() => store.remove());
beforeEach(() => {
  datasets = new OpenDatasets(store.objects, { datasets: 1, cacheBytes: 0 });
  tasks = [];
  progress = [];
});

const expressed = { kind: 'expressed', minimum_share: 0.01, minimum_cells: 3 } as const;
const callContext = () => ({
  signal: new AbortController().signal,
  users: () => [],
  onProgress: ({ stage, done, total }: { stage: string; done: number; total: number }) =>
    progress.push(`${stage} ${done}/${total}`),
});

function backgrounds(mask?: CellMask) {
  const compute = inlineCompute(scoreTasks, datasets, (kind) => tasks.push(kind), 2);
  const masks = { maskOf: async () => mask } as unknown as CellMasks;
  return new GeneBackgrounds({ datasets, means: new GeneMeans({ compute, datasets, masks }), masks });
}

test('for all cells nothing is read of the expression', async () => {
  const whole: Selection = { manifest, subset: undefined };
  const opened = await datasets.get(manifest);
  const before = store.reads.length;
  const { choice, requiredCells: required } = await backgrounds().of(
    whole,
    { background: expressed },
    callContext(),
  );
  expect(choice.kind === 'expressed' && choice.rows.length).toBe(9000);
  expect(required).toBe(3);
  expect(tasks).toEqual([]);
  expect(store.reads.length).toBe(before);
  expect(opened.counters.reads).toBeGreaterThan(0);
});

test('of scaled expression values above 0 are counted for all cells too, whatever else is stored', async () => {
  const scaled = await writeBackgroundDataset(store.folder, 'scaled.h5ad', undefined, true);
  const whole: Selection = { manifest: scaled, subset: undefined };
  const service = backgrounds();
  const { choice } = await service.of(whole, { background: expressed }, callContext());
  const blocks = tasks.length;
  expect(blocks).toBeGreaterThan(0);
  const { expressedGenes } = await service.of(whole, { background: { kind: 'dataset' } }, callContext());
  expect(choice.kind === 'expressed' && choice.rows.length).toBe(4500);
  expect(expressedGenes).toBe(4500);
  expect(tasks).toHaveLength(blocks);
});

test('for a subset the expression is read once, with progress, whichever thresholds follow', async () => {
  const bits = Uint8Array.from({ length: cellCount }, (_, cell) => (cell < cellCount / 2 ? 0 : 1));
  const service = backgrounds({ bits, count: cellCount / 2 });
  const selection: Selection = { manifest, subset: { subset_group_name: 'T' } as Selection['subset'] };
  const ask = (minimum_share: number) =>
    service.of(selection, { background: { ...expressed, minimum_share } }, callContext());
  const [first, again] = await Promise.all([ask(0.01), ask(0.01)]);
  const blocks = tasks.length;
  expect(blocks).toBeGreaterThan(0);
  expect(progress.at(-1)).toBe(`Averaging all genes ${blocks}/${blocks}`);
  const half = await ask(0.5);
  expect(tasks).toHaveLength(blocks);
  expect(again.key).toBe(first.key);
  expect(half.key).not.toBe(first.key);
  const rowsOf = ({ choice }: typeof first) => (choice.kind === 'expressed' ? choice.rows : new Int32Array());
  expect(rowsOf(first).length).toBe(8990);
  expect(rowsOf(first)[0]).toBe(10);
  expect(rowsOf(half).length).toBeLessThan(4500);
});

test.each([
  [10_000, 0.01, 3, 100],
  [10_001, 0.01, 3, 101],
  [150, 0.01, 3, 3],
  [2, 0.01, 3, 2],
  [700, 0.07, 1, 49],
  [100, 0, 1, 1],
])(
  'of %i cells a share of %f and at least %i cells are %i',
  (cells, minimum_share, minimum_cells, required) => {
    expect(requiredCells(cells, { minimum_share, minimum_cells })).toBe(required);
  },
);
