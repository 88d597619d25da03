import { inlineCompute } from '../../testing/inline-compute.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Compute, ComputeFailure, type TaskCaller } from '../../runtime/compute/compute-pool.ts';
import { LibraryChanged, compile, libraryTasks } from './compile-library.ts';
import { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import type { Task } from '../../runtime/compute/task.ts';
import { GeneSetLibraries } from '../gene-sets/gene-set-store.ts';
import { StoredLibraries } from '../gene-sets/stored-libraries.ts';
import { StoredOrthologues, OrthologueTables } from '../gene-sets/orthologues.ts';
import { temporaryObjects, type TemporaryObjects } from '../gene-sets/testing/temporary-objects.ts';
import { writeTinyDataset } from '../../testing/tiny-dataset.ts';
import { GeneMeans } from '../scores/gene-means.ts';
import type { CellMasks } from '../subsets/cell-masks.ts';
import { GeneBackgrounds } from './gene-backgrounds.ts';
import type { Selection } from '../selection/selection.ts';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import { DatasetLibraries } from './dataset-libraries.ts';

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
  const threads = [libraryTasks(store.objects), libraryTasks(store.objects)];
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
  const datasetLibraries = new DatasetLibraries({
    compute,
    libraries: new GeneSetLibraries(store.objects),
    backgrounds: new GeneBackgrounds({ datasets, means, masks }),
    orthologues: new OrthologueTables(store.objects),
  });
  return { libraries: datasetLibraries, tasks };
}

const call: CallContext = {
  signal: new AbortController().signal,
  users: () => [],
  onProgress: () => undefined,
};
const named = (library_name: string) => ({ library_name, background: { kind: 'dataset' } as const });
const textReads = () => store.reads.filter((key) => key.endsWith('.gmt')).length;

test('a library is read once for a dataset, on whichever thread', async () => {
  await put('Mine', 'B\t\tCD79A\tALB\nA\t\tCST3\tCD79A\tMALAT1\nNone\t\tALB\n');
  const { libraries, tasks } = service();
  const before = textReads();
  const [first, second] = await Promise.all([
    libraries.of(selection, named('Mine'), call),
    libraries.of(selection, named('Mine'), call),
  ]);
  const again = await libraries.of(selection, named('Mine'), call);
  expect(textReads()).toBe(before + 1);
  expect(tasks.filter((kind) => kind === 'compile')).toHaveLength(1);
  expect(again.compiled).toBe(first.compiled);
  expect(second.compiled).toBe(first.compiled);
  expect(first.origin).toMatchObject({ title: 'Mine', source: 'file', set_count: 3 });
  expect(first.cautions.filter(({ code }) => code === 'library')).toEqual([]);
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

test('each use reports the doubts about a library, and an unusable text is refused as damaged', async () => {
  const { record } = await put('Doubtful', 'A\t\tCD79A\nEmpty\t\t\n');
  const { libraries } = service();
  for (let use = 0; use < 2; use++) {
    const { cautions } = await libraries.of(selection, named('Doubtful'), call);
    expect(cautions.filter(({ code }) => code === 'library')).toEqual([
      { code: 'library', message: expect.stringMatching(/line 2.*"Empty".*no genes/) },
    ]);
  }
  await store.objects.put(`gene-sets/Doubtful/${record.text}`, new TextEncoder().encode('A\t\tCST3\n'));
  await expect(service().libraries.of(selection, named('Doubtful'), call)).rejects.toMatchObject({
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
  const { libraries } = service();
  const tableReads = () => store.reads.filter((key) => key.startsWith('orthologues/')).length;
  await libraries.mappingVersion();
  await libraries.of(selection, { ...named('Same'), species: 'human' }, call);
  expect(tableReads()).toBe(0);
  const { orthologues } = await libraries.of(selection, { ...named('Same'), species: 'mouse' }, call);
  expect(orthologues).toMatchObject({ table: 'pairs.tsv', mapped: 1 });
  expect(tableReads()).toBe(1);
});
