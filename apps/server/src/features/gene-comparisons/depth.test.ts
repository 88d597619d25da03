import { comparisonParameters } from '@cellfolio/analysis/parameters';
import type { DatasetManifest } from '@cellfolio/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CellDepths, depthTasks } from '../../runtime/cell-depths.ts';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import { inlineCompute } from '../../testing/inline-compute.ts';
import { temporaryObjects, type TemporaryObjects } from '../gene-sets/testing/temporary-objects.ts';
import { groupSumTasks } from '../group-sums/tasks.ts';
import { analysisTasks } from '../analyses/tasks.ts';
import { markersRunner } from '../analyses/testing/inline-analyses.ts';
import { subsetTasks } from '../subsets/build-mask.ts';
import { CellMasks } from '../subsets/cell-masks.ts';
import { type Comparison, Comparisons } from './comparisons.ts';
import { sampleDesignTasks } from '../sample-design/tasks.ts';
import { comparisonTasks } from './tasks.ts';
import { writeDonorsDataset } from './testing/donors-dataset.ts';

let store: TemporaryObjects;
let manifests: Record<'even' | 'shallow' | 'bare', DatasetManifest>;

beforeAll(async () => {
  store = await temporaryObjects();
  // Untreated cells were sequenced a quarter as deeply.
  const depthOf = ({ condition }: { condition: number }) => (condition === 0 ? 0.25 : 1);
  const write = async (id: string, options: object) =>
    (await writeDonorsDataset(store.folder, id, options)).manifest;
  manifests = {
    even: await write('even.h5ad', {}),
    shallow: await write('shallow.h5ad', { depthOf }),
    bare: await write('bare.h5ad', { depthOf, hasCounts: false }),
  };
});
afterAll(() => store.remove());

const waiting: CallContext = { signal: new AbortController().signal, users: () => [], onProgress: () => {} };

function services() {
  const tasks: string[] = [];
  const datasets = new OpenDatasets(store.objects, { datasets: 4, cacheBytes: 0 });
  const kinds = [
    ...subsetTasks,
    ...sampleDesignTasks,
    ...comparisonTasks,
    ...groupSumTasks,
    ...analysisTasks,
    ...depthTasks,
  ];
  const compute = inlineCompute(kinds, datasets, (kind) => tasks.push(kind));
  const masks = new CellMasks({ compute, datasets, scoring: () => expect.unreachable() });
  const ranking = { version: () => expect.unreachable(), sides: () => expect.unreachable() };
  const depths = new CellDepths({ compute, datasets });
  const comparisons = new Comparisons({ compute, datasets, masks, depths, ranking });
  return { tasks, depths, comparisons, runMarkers: markersRunner({ compute, datasets, masks, depths }) };
}

const inCondition = (name: string) => ({
  name,
  filter: {
    subset_group_name: name,
    patient_metadata_filter: true,
    patient_metadata: { Condition: [name] },
  },
});
const sides = { a: inCondition('treated'), b: inCondition('control'), logfoldchanges: 0 };
const compare = (
  manifest: DatasetManifest,
  more: object = {},
  comparisons = services().comparisons,
): Promise<Comparison> =>
  comparisons.run(
    { manifest, subset: undefined },
    comparisonParameters.parse({ ...sides, ...more }),
    waiting,
  );
const called = ({ summaries }: Comparison) =>
  summaries.reduce((sum, { higher, lower }) => sum + higher + lower, 0);
const caution = ({ cautions }: Pick<Comparison, 'cautions'>, code: string) =>
  cautions.find((one) => one.code === code);

test('a caution reports a side with fewer counts, with the ratio and the number of genes in its direction', async () => {
  const comparison = await compare(manifests.shallow);
  const message = caution(comparison, 'counts-per-cell-differ')!;
  expect(message.numbers!['ratio']).toBeGreaterThan(3.5);
  expect(message.numbers!['ratio']).toBeLessThan(5);
  expect(message.message).toMatch(
    /^A cell of A has [34]\.\d times as many counts as one of B: \d+ against \d+\. Of (\d+) genes that differ, \d+ are higher in A\./,
  );
  expect(comparison.cautions.slice(0, 2)).toContain(message);
  expect(caution(await compare(manifests.even), 'counts-per-cell-differ')).toBeUndefined();
});

test('the direction of genes beside depth is of all that pass the adjusted p, whatever their fold change', async () => {
  const genes = async (logfoldchanges: number) => {
    const { message } = caution(
      await compare(manifests.shallow, { logfoldchanges }),
      'counts-per-cell-differ',
    )!;
    return / Of \d+ genes that differ, \d+ are higher in A\./.exec(message)![0];
  };
  expect(await genes(5)).toBe(await genes(0));
});

test('genes that differ by depth alone hold in means of samples, and not in their counts', async () => {
  const [counted, bare] = await Promise.all([compare(manifests.shallow), compare(manifests.bare)]);
  const [ofCounts, ofValues] = [counted, bare].map((one) => caution(one, 'cells-as-replicates')!);
  // The same cells and values.
  expect(ofCounts!.numbers!['checked']).toBe(ofValues!.numbers!['checked']);
  expect(Number(ofCounts!.numbers!['kept'])).toBeLessThan(Number(ofValues!.numbers!['kept']) / 2);
  expect(ofCounts!.message).toContain('by sums of counts');
  expect(ofValues!.message).toContain('a check that differences in depth alone can pass');
  // Without raw counts nothing else says how many counts these cells have.
  expect(caution(bare, 'counts-per-cell-differ')).toBeUndefined();
});

test('at equal depth few genes are left but those that treatment changes, and the file says so', async () => {
  const [asMeasured, equal] = [
    await compare(manifests.shallow),
    await compare(manifests.shallow, { depth: 'downsample' }),
  ];
  expect(called(equal)).toBeLessThan(called(asMeasured) / 2);
  expect(equal.summaries[0]!.leading).toEqual(expect.arrayContaining(['GENE1', 'GENE2', 'GENE4', 'GENE5']));
  expect(caution(equal, 'counts-per-cell-differ')).toBeUndefined();
  expect(equal.depths!.shares![0]![0]).toBeGreaterThan(0.2);
  expect(equal.depths!.shares![0]![0]).toBeLessThan(0.3);
  // The same random numbers each time.
  expect((await compare(manifests.shallow, { depth: 'downsample' })).summaries).toEqual(equal.summaries);
});

test('without raw counts equal depth is refused by its field', async () => {
  await expect(compare(manifests.bare, { depth: 'downsample' })).rejects.toMatchObject({
    status: 422,
    code: 'no_raw_counts',
    details: [{ field: 'depth' }],
  });
});

test('counts of cells are added up once for all analyses of a dataset', async () => {
  const { tasks, comparisons, runMarkers } = services();
  const request = { groupby: 'condition', n_genes: 1000 };
  const manifest = manifests.shallow;
  await compare(manifest, {}, comparisons);
  await compare(manifest, { within: 'cell_type', depth: 'downsample' }, comparisons);
  const result = await runMarkers({ manifest, subset: undefined }, request);
  await runMarkers({ manifest, subset: undefined }, { ...request, depth: 'downsample' });
  expect(tasks.filter((kind) => kind === 'cell-totals')).toHaveLength(1);
  expect(caution(result, 'counts-per-cell-differ')!.message).toContain('2 of 2 groups differ');
});

test('markers at equal depth are of thinned counts, and say how far each group was thinned', async () => {
  const { runMarkers } = services();
  const run = (depth: 'as-measured' | 'downsample') =>
    runMarkers(
      { manifest: manifests.shallow, subset: undefined },
      { groupby: 'condition', n_genes: 1000, logfoldchanges: 0, depth },
    );
  const [asMeasured, equal] = [await run('as-measured'), await run('downsample')];
  const depthLines = ({ head = [] }: typeof equal) => head.filter((line) => line.startsWith('Depth: '));
  expect(equal.result.passing.both).toBeLessThan(asMeasured.result.passing.both / 2);
  expect(depthLines(equal)).toEqual([expect.stringMatching(/kept: treated 2\d % of \d+; values/)]);
  expect(depthLines(asMeasured)).toEqual([]);
  expect(caution(equal, 'counts-per-cell-differ')).toBeUndefined();
});
