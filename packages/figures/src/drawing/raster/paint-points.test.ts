import type { Embedding, GeneColumn } from '@cellfolio/model';
import { expect, test } from 'vitest';
import { geneUmapFigure } from '../../umap/gene-umap.ts';
import { renderPng } from '../render-figure.ts';

const cellCount = 3000;
const coordinates = Float32Array.from(
  { length: 2 * cellCount },
  (_, i) => Math.sin(i * 12.9898) * (1 + (i % 7)),
);
const embedding = (): Embedding => ({ name: 'X_umap', dimensions: 2, values: coordinates });

function gene(every: number, top: number): GeneColumn {
  const cells = Int32Array.from({ length: Math.floor(cellCount / every) }, (_, i) => i * every);
  return { cellCount, cells, values: Float32Array.from(cells, (cell) => (top * (1 + (cell % 5))) / 5) };
}

const draw = async (on: Embedding, column: GeneColumn) =>
  (await renderPng(geneUmapFigure({ embedding: on, gene: column, symbol: 'G', datasetName: 'D' }))).png;

test('a figure is the same to the byte, whichever genes were drawn on the embedding before', async () => {
  const used = embedding();
  for (const [every, top] of [
    [3, 2],
    [50, 9.75],
    [2, 120],
    [7, 0.031],
  ] as const) {
    expect(
      Buffer.compare(await draw(used, gene(every, top)), await draw(embedding(), gene(every, top))),
    ).toBe(0);
  }
  expect(Buffer.compare(await draw(used, gene(3, 2)), await draw(embedding(), gene(3, 2)))).toBe(0);
});
