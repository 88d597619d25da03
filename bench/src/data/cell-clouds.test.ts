import { expect, test } from 'vitest';
import { cellClouds } from './cell-clouds.ts';

test('every cell has a place, a cluster and the cell type of its cluster', () => {
  const { cellType, cluster, embedding } = cellClouds(2000, 1);
  expect(embedding.values).toHaveLength(4000);
  expect(embedding.values.every(Number.isFinite)).toBe(true);
  expect(new Set(cluster.codes).size).toBe(cluster.categories.length);
  expect([...cellType.codes]).toEqual([...cluster.codes].map((code) => code >> 1));
});
