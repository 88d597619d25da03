import { comparisonParameters } from '@cellfolio/analysis/parameters';
import { geneBlocks } from '@cellfolio/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blockEntries, type CallContext } from '../../../runtime/compute/analysis-work.ts';
import { CellDepths, depthTasks } from '../../../runtime/cell-depths.ts';
import { OpenDatasets } from '../../../runtime/compute/open-datasets.ts';
import { inlineCompute } from '../../../testing/inline-compute.ts';
import { temporaryObjects, type TemporaryObjects } from '../../gene-sets/testing/temporary-objects.ts';
import { subsetTasks } from '../../subsets/build-mask.ts';
import { CellMasks } from '../../subsets/cell-masks.ts';
import { Comparisons } from '../comparisons.ts';
import { sampleDesignTasks } from '../../sample-design/tasks.ts';
import { comparisonTasks } from '../tasks.ts';
import { type DonorsDataset, writeDonorsDataset } from '../testing/donors-dataset.ts';

let store: TemporaryObjects;
let donors: DonorsDataset;

beforeAll(async () => {
  store = await temporaryObjects();
  donors = await writeDonorsDataset(store.folder, 'work.h5ad');
});
afterAll(() => store.remove());

function service(onTask: (kind: string) => void = () => {}, roundRows?: number) {
  const datasets = new OpenDatasets(store.objects, { datasets: 4, cacheBytes: 0 });
  const compute = inlineCompute(
    [...subsetTasks, ...sampleDesignTasks, ...comparisonTasks, ...depthTasks],
    datasets,
    onTask,
  );
  const masks = new CellMasks({ compute, datasets, scoring: () => expect.unreachable() });
  const ranking = { version: () => expect.unreachable(), sides: () => expect.unreachable() };
  const depths = new CellDepths({ compute, datasets });
  return {
    comparisons: new Comparisons({
      compute,
      datasets,
      masks,
      depths,
      ranking,
      ...(roundRows && { roundRows }),
    }),
    datasets,
  };
}

const inCondition = (name: string) => ({
  name,
  filter: {
    subset_group_name: name,
    patient_metadata_filter: true,
    patient_metadata: { Condition: [name] },
  },
});
const question = (more: object = {}) =>
  comparisonParameters.parse({
    a: inCondition('treated'),
    b: inCondition('control'),
    within: 'cell_type',
    method: 'pseudobulk',
    ...more,
  });
const callContext = (signal = new AbortController().signal): CallContext => ({
  signal,
  users: () => [],
  onProgress: () => {},
});
const selection = () => ({ manifest: donors.manifest, subset: undefined });
/** Columns of sets, designs and batches: reading them does not read counts. */
const readBefore = ['cell_type', 'condition', 'age', 'library', 'batch', 'chip', 'run'];

test('counts are read once for all groups, and not again for another design, threshold or name', async () => {
  const tasks: string[] = [];
  const { comparisons, datasets } = service((kind) => tasks.push(kind));
  const dataset = await datasets.get(donors.manifest);
  const { starts } = (await dataset.counts())!;
  await dataset.obs('donor');
  const run = async (more: object = {}) => {
    for (const column of readBefore) await dataset.obs(column);
    const { reads } = dataset.counters;
    const result = await comparisons.run(selection(), question(more), callContext());
    return { found: result, reads: dataset.counters.reads - reads };
  };
  const first = await run();
  // One read of the cells and one of the counts of each block.
  expect(first.reads).toBe(2 * geneBlocks(starts, blockEntries).length);
  expect(first.found.parts).toHaveLength(3);
  const another = [
    { pairing: 'none', covariates: ['age'] },
    { pvals_adj: 0.2 },
    { a: { ...inCondition('treated'), name: 'Drug' } },
    { trend: true },
    { method: 'negative-binomial' },
    { method: 'quasi-likelihood' },
  ];
  for (const more of another) expect((await run(more)).reads).toBe(0);
  expect(tasks.filter((kind) => kind === 'sum-block')).toHaveLength(1);
  // Other samples are other sums.
  expect((await run({ samples: 'library' })).reads).toBe(first.reads);
});

test('of more groups than one round has room for, sums are made round by round, and the tests are the same', async () => {
  const tasks: string[] = [];
  const { comparisons: atOnce } = service();
  const { comparisons: inRounds } = service((kind) => tasks.push(kind), 120);
  const whole = await atOnce.run(selection(), question(), callContext());
  const comparison = await inRounds.run(selection(), question(), callContext());
  expect(comparison.rounds.map(({ first }) => first)).toEqual([0, 1, 2]);
  expect(tasks.filter((kind) => kind === 'sum-block')).toHaveLength(3);
  expect([comparison.summaries, comparison.cautions]).toEqual([whole.summaries, whole.cautions]);
  for (const place of whole.parts.keys()) {
    expect(await inRounds.table(selection(), comparison, place, callContext())).toEqual(
      await atOnce.table(selection(), whole, place, callContext()),
    );
  }
  const gene = { place: 2, rows: [3] };
  expect(await inRounds.genesOfSums(selection(), comparison, gene, callContext())).toEqual(
    await atOnce.genesOfSums(selection(), whole, gene, callContext()),
  );
});

test('an untestable group is reported, whatever its round, and none of it is summed', async () => {
  const tasks: string[] = [];
  const { comparisons } = service((kind) => tasks.push(kind), 120);
  const parameters = question({ min_sample_cells: 13 });
  const comparison = await comparisons.run(selection(), parameters, callContext());
  expect(comparison.parts.map(({ name }) => name)).toEqual(['B cell', 'T cell']);
  expect(comparison.pseudobulk!.refused).toMatchObject([{ code: 'empty_group' }]);
  expect(tasks.filter((kind) => kind === 'sum-block')).toHaveLength(2);
});

test('a design that cannot be tested is refused before counts are read', async () => {
  const tasks: string[] = [];
  const { comparisons } = service((kind) => tasks.push(kind));
  const refused = comparisons.run(selection(), question({ covariates: ['chip'] }), callContext());
  await expect(refused).rejects.toMatchObject({ status: 422, code: 'groups_not_testable' });
  expect(tasks).toContain('sum-plan');
  expect(tasks).not.toContain('sum-block');
});

test('log counts per million of a gene are those that were tested', async () => {
  const { comparisons } = service();
  const comparison = await comparisons.run(selection(), question(), callContext());
  const [logs] = await comparisons.genesOfSums(
    selection(),
    comparison,
    { place: 0, rows: [3] },
    callContext(),
  );
  const { sums, checks } = comparison.pseudobulk!.tested[0]!;
  const own = sums.map(({ sample, side }, at) => {
    let count = 0;
    donors.counts[3]!.forEach((value, cell) => {
      const { donor, condition, type } = donors.cells[cell]!;
      if (type === 0 && `D${donor + 1}` === sample && condition === (side === 'a' ? 1 : 0)) count += value;
    });
    return Math.log2(((count + 0.5) / (checks.librarySizes[at]! * checks.factors[at]! + 1)) * 1e6);
  });
  logs!.forEach((value, at) => expect(value).toBeCloseTo(own[at]!, 10));
  expect(logs).toHaveLength(16);
});

test('dispersions and fits are cut into blocks, and none is begun when the caller is gone', async () => {
  const tasks: string[] = [];
  const stages = new Set<string>();
  const parameters = question({ method: 'negative-binomial' });
  const { comparisons } = service((kind) => tasks.push(kind));
  const following: CallContext = { ...callContext(), onProgress: ({ stage }) => stages.add(stage) };
  const { summaries } = await comparisons.run(selection(), parameters, following);
  expect(summaries).toHaveLength(3);
  expect([...stages]).toEqual(expect.arrayContaining(['Estimating the dispersions', 'Fitting the genes']));
  const count = (kind: string) => tasks.filter((one) => one === kind).length;
  expect([count('sum-sizes'), count('dispersion-prior'), count('sum-fitted-table')]).toEqual([3, 3, 3]);
  expect(count('sum-dispersions')).toBeGreaterThanOrEqual(3);
  expect(count('sum-fits')).toBe(count('sum-dispersions'));
  expect(count('sum-simulated-set')).toBe(10);

  const controller = new AbortController();
  const begun: string[] = [];
  const { comparisons: other } = service((kind) => {
    begun.push(kind);
    if (kind === 'sum-dispersions') controller.abort(new Error('gone'));
  });
  await expect(other.run(selection(), parameters, callContext(controller.signal))).rejects.toThrow('gone');
  expect(begun).not.toContain('sum-fits');
});

test('likelihoods and fits are cut into blocks, and none is begun when the caller is gone', async () => {
  const tasks: string[] = [];
  const parameters = question({ method: 'quasi-likelihood' });
  const { comparisons } = service((kind) => tasks.push(kind));
  const { summaries } = await comparisons.run(selection(), parameters, callContext());
  expect(summaries).toHaveLength(3);
  const count = (kind: string) => tasks.filter((one) => one === kind).length;
  expect([count('sum-normalised'), count('sum-quasi-trend'), count('sum-quasi-table')]).toEqual([3, 3, 3]);
  expect(count('sum-profiles')).toBeGreaterThanOrEqual(3);
  expect(count('sum-quasi-fits')).toBe(count('sum-profiles'));

  const controller = new AbortController();
  const begun: string[] = [];
  const { comparisons: other } = service((kind) => {
    begun.push(kind);
    if (kind === 'sum-profiles') controller.abort(new Error('gone'));
  });
  await expect(other.run(selection(), parameters, callContext(controller.signal))).rejects.toThrow('gone');
  expect(begun).not.toContain('sum-quasi-fits');
});

test('nothing is summed any more when its caller is gone', async () => {
  const controller = new AbortController();
  const tasks: string[] = [];
  const { comparisons } = service((kind) => {
    tasks.push(kind);
    if (kind === 'sum-plan') controller.abort(new Error('gone'));
  });
  await expect(comparisons.run(selection(), question(), callContext(controller.signal))).rejects.toThrow(
    'gone',
  );
  expect(tasks).not.toContain('sum-table');
});
