import { expect, test } from 'vitest';
import { pointsDown } from './names.ts';

test.each(['spatial', 'X_spatial', 'Spatial', 'spatial_2d', 'spatial_fov'])('y of %s points down', (name) => {
  expect([0, 1, 2].map((axis) => pointsDown(name, axis))).toEqual([false, true, false]);
});

test.each(['X_umap', 'X_umap_spatial', 'spatial_pca', 'X_spatial_umap', 'X_pca'])(
  'y of %s points up',
  (name) => {
    expect(pointsDown(name, 1)).toBe(false);
  },
);
