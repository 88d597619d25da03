import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { importH5ad, writeH5ad } from '@cellfolio/ingest';
import type { MatrixContent } from '@cellfolio/ingest';
import { listDatasets, openObjectStore, stagingRoot, type StorePlace } from '@cellfolio/store';
import { demoRecipes } from './recipes.ts';
import type { Recipe } from './recipes.ts';
import type { SimulatedDataset } from './simulate-dataset.ts';

interface PrepareDemoOptions {
  root: StorePlace;
  /** Folder for the simulated .h5ad files, created if missing; each file is removed once it is imported. */
  tempDir: string;
  /** `done` and `total` count datasets; `stage` names the current one. */
  onProgress?: (progress: { stage: string; done: number; total: number }) => void;
  signal?: AbortSignal;
  /** Datasets to simulate; default: the demo catalogue. */
  recipes?: readonly Recipe[];
}

export const demoDatasetIds: readonly string[] = demoRecipes.map(({ id }) => id);

/** A simulated dataset takes 45 MB, and twice that while its thread transfers it. */
const maxThreads = 3;

/**
 * Simulates the demo datasets missing from the store, as many at once as there are cores, and imports them one after
 * the other through an .h5ad file like any other dataset. Throws the errors of `writeH5ad` and `importH5ad`, or the
 * signal's reason.
 */
export async function prepareDemoCatalogue(options: PrepareDemoOptions) {
  const { root, tempDir, onProgress, signal, recipes = demoRecipes } = options;
  await mkdir(stagingRoot(root), { recursive: true });
  await mkdir(tempDir, { recursive: true });
  const objects = await openObjectStore(root);
  const { datasets } = await listDatasets(objects).finally(() => objects.close());
  const there = new Set(datasets.map(({ id }) => id));
  // One that is there and cannot be read, as after a change of the layout on the disk, is made anew.
  const missing = recipes.filter(({ id }) => !there.has(id));
  const failed = new AbortController();
  const stop = signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal]);
  const simulations: Promise<SimulatedDataset>[] = [];
  const simulateNext = () => {
    const recipe = missing[simulations.length];
    if (recipe === undefined) return;
    const simulation = simulateApart(recipe, stop);
    // Its failure is met when its turn comes.
    simulation.catch(() => {});
    simulations.push(simulation);
  };
  try {
    for (let i = 0; i < Math.min(availableParallelism(), maxThreads); i++) simulateNext();
    for (const [done, recipe] of missing.entries()) {
      signal?.throwIfAborted();
      onProgress?.({ stage: recipe.catalogue.name, done, total: missing.length });
      const dataset = await simulations[done]!;
      simulateNext();
      await importSimulated(recipe, dataset, options);
      onProgress?.({ stage: recipe.catalogue.name, done: done + 1, total: missing.length });
    }
  } finally {
    failed.abort();
  }
  return {
    prepared: missing.map(({ id }) => id),
    present: recipes.flatMap(({ id }) => (there.has(id) ? [id] : [])),
  };
}

async function simulateApart(recipe: Recipe, signal: AbortSignal): Promise<SimulatedDataset> {
  signal.throwIfAborted();
  const thread = new Worker(new URL('./simulate-thread.ts', import.meta.url), { workerData: recipe });
  try {
    const [dataset] = (await once(thread, 'message', { signal })) as [SimulatedDataset];
    return dataset;
  } finally {
    await thread.terminate();
  }
}

async function importSimulated(
  recipe: Recipe,
  { obs, var: genes, umap, pca, indptr, indices, values, counts }: SimulatedDataset,
  { root, tempDir, signal }: PrepareDemoOptions,
): Promise<void> {
  const path = join(tempDir, `${process.pid}-${recipe.id}`);
  const matrix = (entries: Float32Array): MatrixContent => ({
    format: 'csr',
    dtype: 'float32',
    valueCount: entries.length,
    blocks: [{ indptr, indices, values: entries }],
  });
  const cancel = signal === undefined ? {} : { signal };
  try {
    const layers = { counts: matrix(counts) };
    await writeH5ad(path, { obs, var: genes, X: matrix(values), layers, obsm: [umap, pca] }, cancel);
    await importH5ad({ path, root, id: recipe.id, catalogue: recipe.catalogue, replace: true, ...cancel });
  } finally {
    await rm(path, { force: true });
  }
}
