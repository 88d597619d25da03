import { ObjectNotFound } from '@cellfolio/store';
import { expect, test } from 'vitest';
import type { Waiting } from '../../runtime/compute/analysis-work.ts';
import type { Selection } from '../selection/index.ts';
import { CellGraphs } from './cell-graphs.ts';

const waiting: Waiting = {
  signal: new AbortController().signal,
  users: () => [],
  onProgress: () => undefined,
};
const words = { minCells: 30, analysis: 'A trajectory', advice: 'Make a subset the active one.' };

/** Of a dataset with so many cells, of which nothing is read. */
function graphOf(cellCount: number, k: number): Promise<unknown> {
  const run = () => Promise.reject(new Error('the cells are read'));
  const graphs = new CellGraphs({
    compute: { run, threads: 1 },
    datasets: { get: () => Promise.resolve({ embeddings: [{ name: 'X_pca' }] }) } as never,
    masks: { maskOf: () => Promise.resolve(undefined) } as never,
    objects: { get: () => Promise.reject(new ObjectNotFound('graph')) } as never,
  });
  const manifest = { id: 'large.h5ad', cellCount, catalogue: { name: 'Large' } };
  return graphs.of({ manifest, version: '1' } as unknown as Selection, { k, ...words }, waiting);
}

test('200,000 cells are searched, and more are refused with the reason', async () => {
  await expect(graphOf(200_000, 30)).rejects.toThrow('the cells are read');
  await expect(graphOf(200_001, 14)).rejects.toThrow(
    'A trajectory takes at most 200,000 cells, and 200,001 are active: more would need more time and memory than one piece of work may take. Make a subset the active one.',
  );
});

test('with many neighbors of each fewer cells are taken', async () => {
  await expect(graphOf(60_000, 100)).rejects.toThrow('the cells are read');
  await expect(graphOf(60_001, 100)).rejects.toThrow(
    'A trajectory with 100 neighbors of each cell takes at most 60,000 cells, and 60,001 are active: more would need more time and memory than one piece of work may take. Make a subset the active one. Fewer neighbors allow more cells.',
  );
});
