import { comparisonParameters } from '@cellfolio/analysis/parameters';
import type { DatasetManifest } from '@cellfolio/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import type { Task } from '../../runtime/compute/task.ts';
import { CellDepths, depthTasks } from '../../runtime/cell-depths.ts';
import { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import { writeAnalysisDataset } from '../../testing/analysis-dataset.ts';
import { categorical, writeTestDataset } from '../../testing/write-test-dataset.ts';
import { inlineCompute } from '../../testing/inline-compute.ts';
import { temporaryObjects, type TemporaryObjects } from '../gene-sets/testing/temporary-objects.ts';
import { CellMasks } from '../subsets/cell-masks.ts';
import { subsetTasks } from '../subsets/build-mask.ts';
import { type Comparison, Comparisons } from './comparisons.ts';
import { sampleDesignTasks } from '../sample-design/tasks.ts';
import { comparisonTasks, type SideBlockTask } from './tasks.ts';

let store: TemporaryObjects;
let manifest: DatasetManifest;

beforeAll(async () => {
  store = await temporaryObjects();
  ({ manifest } = await writeAnalysisDataset(store.folder, 'work.h5ad'));
});
afterAll(() => store.remove());

function service(onTask: (kind: string, task: Task) => void, roundRows?: number) {
  const datasets = new OpenDatasets(store.objects, { datasets: 4, cacheBytes: 0 });
  const compute = inlineCompute(
    [...subsetTasks, ...sampleDesignTasks, ...comparisonTasks, ...depthTasks],
    datasets,
    onTask,
  );
  const masks = new CellMasks({ compute, datasets, scoring: () => expect.unreachable() });
  const ranking = { version: () => expect.unreachable(), sides: () => expect.unreachable() };
  const depths = new CellDepths({ compute, datasets });
  return new Comparisons({ compute, datasets, masks, depths, ranking, ...(roundRows && { roundRows }) });
}

const ofType = (name: string) => ({
  name,
  filter: { subset_group_name: name, cell_type_filter: true, cell_type: [name] },
});
const question = (more: object = {}) =>
  comparisonParameters.parse({ a: ofType('B cell'), b: ofType('T cell'), within: 'leiden', ...more });
const waitingWith = (signal: AbortSignal, stages: string[] = []): CallContext => ({
  signal,
  users: () => [],
  onProgress: ({ stage }) => stages.push(stage),
});
const selection = () => ({ manifest, subset: undefined });

test('the matrix is read once for all categories, and not again for the same question', async () => {
  const tasks: string[] = [];
  const stages: string[] = [];
  const comparisons = service((kind) => tasks.push(kind));
  const call = waitingWith(new AbortController().signal, stages);
  const [first, joined] = await Promise.all([
    comparisons.run(selection(), question(), call),
    comparisons.run(selection(), question(), call),
  ]);
  expect(joined.summaries).toBe(first.summaries);
  expect(first.parts).toHaveLength(4);
  expect(tasks.filter((kind) => kind === 'compare-block')).toHaveLength(1);
  expect(tasks.filter((kind) => kind === 'compare-table')).toHaveLength(4);
  expect(new Set(stages)).toEqual(new Set(['Finding the cells', 'Reading the genes', 'Testing the genes']));
  const before = tasks.length;
  expect((await comparisons.run(selection(), question(), call)).summaries).toBe(first.summaries);
  await comparisons.table(selection(), first, 2, call);
  expect(tasks).toHaveLength(before);
  await comparisons.run(selection(), question({ method: 't-test' }), call);
  expect(tasks.length).toBeGreaterThan(before);
});

test('a t-test of whole categories takes the sums of the dataset, and any other reads the genes', async () => {
  const kind = categorical(['a', 'b', 'c'], 90, (cell) => cell % 3);
  const cells = Int32Array.from({ length: 90 }, (_, cell) => cell);
  const genes = ['X', 'Y'].map((name, gene) => ({
    name,
    cells,
    values: Float32Array.from(cells, (cell) => 1 + ((cell * (7 + gene)) % 11) / 4),
  }));
  const contents = {
    cellCount: 90,
    obs: new Map([
      ['kind', kind],
      ['half', categorical(['first', 'second'], 90, (cell) => (cell < 45 ? 0 : 1))],
    ]),
    genes,
    embeddings: [],
    catalogue: { name: 'Sums' },
    roles: { metadata: { Kind: 'kind', Half: 'half' } },
  };
  const statistics = new Map([['kind', kind]]);
  const withSums = await writeTestDataset(store.folder, 'sums.h5ad', { ...contents, statistics });
  const without = await writeTestDataset(store.folder, 'no-sums.h5ad', contents);
  const ofField = (field: string, ...values: string[]) => ({
    name: values.join(),
    filter: {
      subset_group_name: 'x',
      patient_metadata_filter: true,
      patient_metadata: { [field]: values },
    },
  });
  const run = async (manifest: DatasetManifest, overrides: object) => {
    const tasks: string[] = [];
    const comparisons = service((task) => tasks.push(task));
    const { signal } = new AbortController();
    const parameters = comparisonParameters.parse({ method: 't-test', ...overrides });
    const selected = { manifest, subset: undefined };
    const comparison = await comparisons.run(selected, parameters, waitingWith(signal));
    const { scores, pvals } = await comparisons.table(selected, comparison, 0, waitingWith(signal));
    return { tests: [...scores, ...pvals], tasks };
  };
  const whole = { a: ofField('Kind', 'a', 'c'), b: ofField('Kind', 'b') };
  const stored = await run(withSums, whole);
  expect(stored.tasks).not.toContain('compare-block');
  const read = await run(without, whole);
  expect(read.tasks).toContain('compare-block');
  read.tests.forEach((value, at) => expect(stored.tests[at]! / value).toBeCloseTo(1, 12));
  const cut = await run(withSums, { a: ofField('Half', 'first'), b: ofField('Half', 'second') });
  expect(cut.tasks).toContain('compare-block');
  expect((await run(withSums, { ...whole, method: 'wilcoxon' })).tasks).toContain('compare-block');
});

async function linesOf(comparisons: Comparisons, comparison: Comparison): Promise<string> {
  const caller = { signal: new AbortController().signal, users: () => [] };
  let text = '';
  for (const lines of comparisons.linesOf(selection(), comparison))
    text += new TextDecoder().decode(await lines(caller));
  return text;
}

test('of more groups than one round has room for, tables are made round by round, and are the same', async () => {
  const stages: string[] = [];
  const call = waitingWith(new AbortController().signal, stages);
  const atOnce = service(() => {});
  const whole = await atOnce.run(selection(), question(), call);
  const blocks: SideBlockTask[] = [];
  const inRounds = service((kind, task) => {
    if (kind === 'compare-block') blocks.push(task as SideBlockTask);
  }, 300);
  const comparison = await inRounds.run(selection(), question(), call);
  expect(comparison.rounds).toEqual([
    { from: 0, to: 3, first: 0 },
    { from: 3, to: 4, first: 3 },
  ]);
  // One pass over the matrix for each round, whose groups alone are in memory.
  expect(blocks.map(({ compared }) => compared.parts.length)).toEqual([3, 1]);
  expect(stages).toContain('Reading the genes: groups 4 to 4 of 4');
  expect({ ...comparison, rounds: whole.rounds }).toEqual(whole);
  const lines = await linesOf(atOnce, whole);
  expect(lines.match(/\\n/g)!.length).toBeGreaterThan(399);
  expect(await linesOf(inRounds, comparison)).toBe(lines);
  expect(blocks).toHaveLength(2);
  // What is not kept is made again, once for all groups of a round.
  inRounds.releaseMemory();
  expect(await linesOf(inRounds, comparison)).toBe(lines);
  expect(blocks.map(({ compared }) => compared.parts.length)).toEqual([3, 1, 3, 1]);
});

test('a set under another name is named so in the result', async () => {
  const comparisons = service(() => {});
  const call = waitingWith(new AbortController().signal);
  await comparisons.run(selection(), question(), call);
  const renamed = question({ a: { ...ofType('B cell'), name: 'Bees' } });
  expect((await comparisons.run(selection(), renamed, call)).parameters.a.name).toBe('Bees');
});

test('nothing is read or tested any more when its caller is gone', async () => {
  const controller = new AbortController();
  const tasks: string[] = [];
  const comparisons = service((kind) => {
    tasks.push(kind);
    if (kind === 'compare-sides') controller.abort(new Error('gone'));
  });
  const run = comparisons.run(selection(), question(), waitingWith(controller.signal));
  await expect(run).rejects.toThrow('gone');
  expect(tasks).not.toContain('compare-table');
});
