import { inlineCompute } from '../../testing/inline-compute.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Compute, ComputeFailure, type TaskCaller } from '../../runtime/compute/compute-pool.ts';
import { LibraryChanged, compile, pathwayTasks } from './enrich.ts';
import { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import type { Task } from '../../runtime/compute/task.ts';
import { GeneSetLibraries } from '../gene-sets/gene-set-store.ts';
import { StoredLibraries } from '../gene-sets/stored-libraries.ts';
import { StoredOrthologues, OrthologueTables } from '../gene-sets/orthologues.ts';
import { temporaryObjects, type TemporaryObjects } from '../gene-sets/testing/temporary-objects.ts';
import { writeTinyDataset } from '../../testing/tiny-dataset.ts';
import { GeneMeans } from '../scores/gene-means.ts';
import type { CellMasks } from '../subsets/cell-masks.ts';
import { EnrichmentBackgrounds } from './enrichment-background.ts';
import type { Selection } from '../selection/selection.ts';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import { EnrichmentTests } from './enrichment-tests.ts';

let store: TemporaryObjects;
let selection: Selection;

beforeAll(async () => {
  store = await temporaryObjects();
  selection = { manifest: await writeTinyDataset(store.folder, 'tiny.h5ad'), subset: undefined };
});
afterAll(() => store.remove());

const put = (name: string, text: string) =>
  new StoredLibraries(store.objects).put({
    name,
    bytes: new TextEncoder().encode(text),
    source: 'file',
    origin: `${name}.gmt`,
    replace: true,
  });

function service() {
  const datasets = new OpenDatasets(store.objects, { datasets: 4, cacheBytes: 0 });
  const threads = [pathwayTasks(store.objects), pathwayTasks(store.objects)];
  const tasks: string[] = [];
  const run = async (task: Task, caller: TaskCaller) => {
    tasks.push(task.kind);
    try {
      return await inlineCompute(threads[tasks.length % 2]!, datasets).run(task, caller);
    } catch (error) {
      throw new ComputeFailure((error as Error).name, (error as Error).message);
    }
  };
  const compute = { threads: 2, run } as unknown as Compute;
  // All cells are active, so that nothing of a mask is needed.
  const masks = { maskOf: async () => undefined };
  const means = new GeneMeans({ compute, datasets, masks: masks as unknown as CellMasks });
  const tests = new EnrichmentTests({
    compute,
    libraries: new GeneSetLibraries(store.objects),
    backgrounds: new EnrichmentBackgrounds({ datasets, means, masks }),
    orthologues: new OrthologueTables(store.objects),
  });
  return { tests, tasks };
}

const call: CallContext = {
  signal: new AbortController().signal,
  users: () => [],
  onProgress: () => undefined,
};
const asking = (library_name: string, ...pathway_genes: string[]) => ({
  library_name,
  pathway_genes,
  background: { kind: 'dataset' } as const,
  minimum_overlap: 1,
});
const textReads = () => store.reads.filter((key) => key.endsWith('.gmt')).length;

test('a library is read once for a dataset, whichever lists are tested and on whichever thread', async () => {
  await put('Mine', 'B\t\tCD79A\tALB\nA\t\tCST3\tCD79A\tMALAT1\nNone\t\tALB\n');
  const { tests, tasks } = service();
  const before = textReads();
  const [first, second] = await Promise.all([
    tests.run(selection, asking('Mine', 'CD79A'), call),
    tests.run(selection, asking('Mine', 'cst3', 'XYZ'), call),
  ]);
  const again = await tests.run(selection, asking('Mine', 'CD79A'), call);
  expect(textReads()).toBe(before + 1);
  expect(tasks.filter((kind) => kind === 'compile')).toHaveLength(1);
  expect(tasks.filter((kind) => kind === 'enrich')).toHaveLength(2);
  expect(again.result).toBe(first.result);
  expect(first.result.terms).toEqual(['A', 'B']);
  expect([...first.result.setSizes]).toEqual([3, 1]);
  expect(second.result.terms).toEqual(['A']);
  expect(second.result.queryGenes).toEqual(['CST3']);
  expect(second.result.notInBackground).toEqual(['XYZ']);
  expect(first.library).toMatchObject({ title: 'Mine', source: 'file', setCount: 3, warnings: [] });
});

test('what is kept of a library is memory that all threads see', async () => {
  await put('Shared', 'A\t\tCD79A\tCST3\n');
  const datasets = new OpenDatasets(store.objects, { datasets: 1, cacheBytes: 0 });
  const libraries = new GeneSetLibraries(store.objects);
  const { version } = await libraries.head('Shared');
  const { manifest } = selection;
  const task = {
    kind: 'compile',
    dataset: manifest,
    library: 'Shared',
    libraryVersion: version,
    background: { kind: 'dataset' },
    species: { species: 'human', by: 'symbols', matching: 4, looked: 4 },
    orthologues: [],
    damagedTables: [],
  } as const;
  const { compiled, background } = await compile(task, await datasets.get(manifest), libraries);
  const { names, starts, genes, logFactorials } = compiled;
  const { bytes, offsets } = background.symbols;
  for (const { buffer } of [names.bytes, names.offsets, starts, genes, logFactorials, bytes, offsets]) {
    expect(buffer).toBeInstanceOf(SharedArrayBuffer);
  }
  const other = { ...task, libraryVersion: 'of yesterday' };
  await expect(compile(other, await datasets.get(manifest), libraries)).rejects.toThrow(LibraryChanged);
});

test('each result reports the doubts about a library, and an unusable text is refused as damaged', async () => {
  const { record } = await put('Doubtful', 'A\t\tCD79A\nEmpty\t\t\n');
  const { tests } = service();
  for (const gene of ['CD79A', 'CST3', 'CD79A']) {
    const { library } = await tests.run(selection, asking('Doubtful', gene), call);
    expect(library.warnings).toEqual([expect.stringMatching(/line 2.*"Empty".*no genes/)]);
  }
  await store.objects.put(`gene-sets/Doubtful/${record.text}`, new TextEncoder().encode('A\t\tCST3\n'));
  await expect(service().tests.run(selection, asking('Doubtful', 'CST3'), call)).rejects.toMatchObject({
    status: 409,
    code: 'library_damaged',
  });
});

test('tables of orthologues are not read where both are of one species', async () => {
  await put('Same', 'A\t\tCD79A\tCST3\n');
  await new StoredOrthologues(store.objects).put({
    text: 'Cd79a\tCD79A\n',
    from: 'mouse',
    to: 'human',
    origin: 'pairs.tsv',
    replace: false,
  });
  const { tests } = service();
  const tableReads = () => store.reads.filter((key) => key.startsWith('orthologues/')).length;
  await tests.dependencies('Same');
  await tests.run(selection, { ...asking('Same', 'CD79A'), species: 'human' }, call);
  expect(tableReads()).toBe(0);
  const { library } = await tests.run(selection, { ...asking('Same', 'CD79A'), species: 'mouse' }, call);
  expect(library.orthologues).toMatchObject({ table: 'pairs.tsv', mapped: 1 });
  expect(tableReads()).toBe(1);
});
