import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nearestCells, placePoints } from '@cellfolio/analysis';
import { FileObjectStore, ObjectNotFound, readManifest } from '@cellfolio/store';
import { expect, onTestFinished, test } from 'vitest';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import type { Selection } from '../selection/index.ts';
import { writeBranchingDataset } from '../analyses/testing/branching-dataset.ts';
import { CellGraphs } from './cell-graphs.ts';
import type { FoundPoints, NeighboursTask, PointsTask } from './tasks.ts';

const call: CallContext = {
  signal: new AbortController().signal,
  users: () => [],
  onProgress: () => undefined,
};
const words = { minCells: 30, analysis: 'A trajectory', advice: 'Make a subset the active one.' };

function graphOf(cellCount: number, k: number): Promise<unknown> {
  const run = () => Promise.reject(new Error('the cells are read'));
  const graphs = new CellGraphs({
    compute: { run, threads: 1 },
    datasets: { get: () => Promise.resolve({ embeddings: [{ name: 'X_pca' }] }) } as never,
    masks: { maskOf: () => Promise.resolve(undefined) } as never,
    objects: { get: () => Promise.reject(new ObjectNotFound('graph')) } as never,
  });
  const manifest = { id: 'large.h5ad', cellCount, catalogue: { name: 'Large' } };
  return graphs.of({ manifest, version: '1' } as unknown as Selection, { k, ...words }, call);
}

test('200,000 cells are searched, and more are refused with the reason', async () => {
  await expect(graphOf(200_000, 30)).rejects.toThrow('the cells are read');
  await expect(graphOf(200_001, 14)).rejects.toThrow(
    'A trajectory takes at most 200,000 cells, and 200,001 are active: more would exceed the time and memory of one analysis. Make a subset the active one.',
  );
});

test('with many neighbours of each fewer cells are taken', async () => {
  await expect(graphOf(60_000, 100)).rejects.toThrow('the cells are read');
  await expect(graphOf(60_001, 100)).rejects.toThrow(
    'A trajectory with 100 neighbors of each cell takes at most 60,000 cells, and 60,001 are active: more would exceed the time and memory of one analysis. Make a subset the active one. Fewer neighbors allow more cells.',
  );
});

/** Emulates the compute threads for 300 points in two dimensions, and counts the tasks. */
function threadsOf(tasks: string[]) {
  const points = placePoints(
    Float32Array.from({ length: 600 }, (_, at) => Math.sin(at * 12.9898) * 43.75),
    2,
  );
  const cellPoints: FoundPoints = {
    points,
    sample: Float32Array.of(1, 2),
    cells: Int32Array.from({ length: 300 }, (_, cell) => cell),
    without: 100,
  };
  const run = (task: PointsTask | NeighboursTask) => {
    tasks.push(task.kind);
    return Promise.resolve(task.kind === 'cell-points' ? cellPoints : nearestCells(points, task.k, task));
  };
  return { run: run as never, threads: 1 };
}

test('a graph of all cells is searched once, also by a process that starts later, and one of a subset each time', async () => {
  const root = await mkdtemp(join(tmpdir(), 'cellfolio-graphs-'));
  const objects = new FileObjectStore(root);
  onTestFinished(async () => {
    await objects.close();
    await rm(root, { recursive: true, force: true });
  });
  await writeBranchingDataset(root, 'fork.h5ad', { shape: 'fork' });
  const selection = { manifest: await readManifest(objects, 'fork.h5ad') } as unknown as Selection;
  const tasks: string[] = [];
  const started = (mask?: object) =>
    new CellGraphs({
      compute: threadsOf(tasks),
      datasets: { get: () => Promise.resolve({ embeddings: [{ name: 'X_pca' }] }) } as never,
      masks: { maskOf: () => Promise.resolve(mask) } as never,
      objects,
    }).of(selection, { k: 14, ...words }, call);
  const first = await started();
  expect(tasks).toEqual(['cell-points', 'nearest-cells']);
  expect(await started()).toEqual(first);
  expect(tasks).toHaveLength(2);
  await started({ count: 300 });
  await started({ count: 300 });
  expect(tasks).toHaveLength(6);
});
