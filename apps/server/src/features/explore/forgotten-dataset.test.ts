import { type Declaration, markers, pathway } from '@cellfolio/analyses';
import { analyses } from '@cellfolio/analyses/serve';
import { paths } from '../../boot/paths.ts';
import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileObjectStore, removeDataset } from '@cellfolio/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ComputePool, type TaskCaller } from '../../runtime/compute/compute-pool.ts';
import { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import type { Task } from '../../runtime/compute/task.ts';
import { type AnalysisDataset, writeAnalysisDataset } from '../../testing/analysis-dataset.ts';
import { analysisServices, type AnalysisServices } from '../../boot/analysis-services.ts';
import type { Selection } from '../selection/selection.ts';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import { plotSignature } from './plots.ts';

const id = 'custom:0b5c2f0e-9f5b-4d0e-8b1a-3c2d1e0f9a8b';
const other = 'other.h5ad';
const call: CallContext = {
  signal: new AbortController().signal,
  users: () => [],
  onProgress: () => undefined,
};
let root: string;
let pool: ComputePool;
let objects: FileObjectStore;
let services: AnalysisServices & { datasets: OpenDatasets };
const written = new Map<string, AnalysisDataset>();
const tasks: string[] = [];
let renewed = 0;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellfolio-forgotten-'));
  for (const one of [id, other]) written.set(one, await writeAnalysisDataset(root, one));
  const settings = {
    objects: { kind: 'file', root } as const,
    openDatasets: 4,
    expressionCacheBytes: 1 << 20,
    warmFigures: 0,
  };
  pool = new ComputePool({ ...settings, threadModule: paths.computeThread, threads: 2 });
  const compute = {
    threads: 2,
    run: (task: Task, caller: TaskCaller) => {
      if (task.kind !== 'tidy') tasks.push(task.kind);
      return pool.run(task, caller);
    },
    forget: (datasetId: string) => pool.forget(datasetId),
    renew: async () => {
      tasks.length = 0;
      renewed += 1;
      return pool.renew();
    },
  };
  objects = new FileObjectStore(root);
  const datasets = new OpenDatasets(objects, { datasets: 4, cacheBytes: 0 });
  const deps = {
    compute: compute as never,
    datasets,
    objects,
    figureCacheBytes: 32 * 1024 * 1024,
    cellModelDir: root,
  };
  services = { ...analysisServices(deps), datasets };
});
afterAll(async () => {
  await pool.close();
  await rm(root, { recursive: true, force: true });
});

async function everything(datasetId: string): Promise<string[]> {
  tasks.length = 0;
  const { manifest } = written.get(datasetId)!;
  const all: Selection = { manifest, subset: undefined };
  const some: Selection = {
    manifest,
    subset: {
      subset_group_name: 'B',
      gene_filter: false,
      signature_filter: false,
      cell_type_filter: true,
      patient_metadata_filter: false,
      cells_filter: false,
      cell_type: ['B cell'],
    },
  };
  const genes = ['GENE1', 'GENE2'];
  for (const selection of [all, some]) {
    await plotSignature(services, selection, { genes, name: 'S', violins: false }, call);
    const limits = { n_genes: 5, pvals_adj: 1, logfoldchanges: -100 };
    await run(markers, selection, markers.request.parse({ groupby: 'leiden', ...limits }));
  }
  const request = pathway.request.parse({ pathway_genes: genes, background: { kind: 'dataset' } });
  await run(pathway, all, request);
  return [...tasks];
}

async function run({ id: name }: Pick<Declaration, 'id'>, selection: Selection, request: object) {
  const one = analyses.find(({ declaration }) => declaration.id === name)!;
  await services.analyses.run(one, selection, request, call);
}

async function openFiles(folder: string): Promise<string[]> {
  if (process.platform !== 'linux') return [];
  const links = await Promise.all(
    (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  );
  return links.filter((path) => path.startsWith(join(root, folder)));
}

test('what is given back are figures, masks, sums of groups, threads and results of declared analyses; others are kept', async () => {
  await everything(other);
  expect(await everything(other)).toEqual([]);
  await services.releaseMemory();
  expect(renewed).toBe(1);
  const again = await everything(other);
  expect(new Set(again)).toEqual(
    new Set(['draw', 'mask', 'group', 'block', 'analysis-markers', 'analysis-pathway']),
  );
  await services.dropDataset(other);
});

test('a dropped dataset is in no cache, in no thread and in no open file; the others stay', async () => {
  const first = await everything(id);
  await everything(other);
  expect(await openFiles('custom-datasets')).not.toEqual([]);
  for (const kind of [
    'draw',
    'mask',
    'sum',
    'score',
    'group',
    'analysis-markers',
    'compile',
    'analysis-pathway',
  ]) {
    expect(first).toContain(kind);
  }
  expect(await everything(id)).toEqual([]);

  await services.dropDataset(id);
  expect(await openFiles('custom-datasets')).toEqual([]);
  expect(await everything(other)).toEqual([]);
  // All of it is work again.
  expect((await everything(id)).toSorted()).toEqual(first.toSorted());

  await removeDataset(root, id);
  await services.dropDataset(id);
  await expect(everything(id)).rejects.toThrow(/there is no dataset/);
  // The columns of obs stay in the memory of a thread as long as it has the dataset open.
  const { version } = written.get(id)!.manifest;
  const dataset = { id, version };
  const column = {
    kind: 'group',
    unlabelled: 'reference',
    unassigned: 'groups',
    mask: undefined,
    column: 'leiden',
    method: 'wilcoxon',
  } as const;
  const outcomes = await Promise.allSettled(
    Array.from({ length: 6 }, () => pool.run({ ...column, dataset }, call)),
  );
  for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: { tag: 'DatasetNotFound' } });
  expect(await everything(other)).toEqual([]);
});
