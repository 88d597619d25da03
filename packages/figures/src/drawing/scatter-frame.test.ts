import { expect, test } from 'vitest';
import { scatterFrame } from './scatter-frame.ts';

test.each([
  ['X_umap', ['UMAP1', 'UMAP2']],
  ['X_umap_unintegrated', ['UMAP1', 'UMAP2']],
  ['X_tsne', ['t-SNE1', 't-SNE2']],
  ['X_a_long_name_of_one', ['Axis 1', 'Axis 2']],
])('the axes of %s are called %o', (name, axes) => {
  const embedding = { name, dimensions: 2, values: Float32Array.of(0, 1, 2, 3) };
  expect(scatterFrame(embedding, 2, {}).axes).toEqual(axes);
});
