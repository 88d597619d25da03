import type { Embedding, GeneColumn } from '@cellfolio/model';
import { expect, test } from 'vitest';
import { geneUmapFigure } from '../../umap/gene-umap.ts';
import { renderPng } from '../render-figure.ts';
import { paintPoints } from './paint-points.ts';
import { pixelPalette } from './pixel-palette.ts';

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

test.each([
  ['spatial', true],
  ['X_spatial', true],
  ['X_umap', false],
])('on %s a cell of small y is above one of large y: %s; both axes have one scale', (name, isAbove) => {
  const corners: Embedding = { name, dimensions: 2, values: Float32Array.of(0, 0, 400, 0, 0, 100) };
  const { spec } = geneUmapFigure({
    embedding: corners,
    gene: { cellCount: 3, cells: Int32Array.of(), values: Float32Array.of() },
    symbol: 'G',
    datasetName: 'D',
  });
  const place = (cell: number) => {
    const [width, height] = [500, 300];
    const image = { width, height, pixels: new Uint8Array(width * height) };
    const panel = { x: 0, y: 0, width, height };
    const layer = { cellInk: new Uint8Array(3).fill(1), order: Int32Array.of(cell) };
    const palette = pixelPalette(['#ffffff', '#000000'], 'light');
    paintPoints(image, palette, layer, { embedding: corners, spec, panel, scale: 1 });
    const inked = [...image.pixels.keys()].filter((at) => image.pixels[at] === palette.inkPlace[1]);
    const mean = (of: (at: number) => number) => inked.reduce((sum, at) => sum + of(at), 0) / inked.length;
    return { x: mean((at) => at % width), y: mean((at) => Math.floor(at / width)) };
  };
  const [first, right, other] = [place(0), place(1), place(2)];
  expect(first.y < other.y).toBe(isAbove);
  expect(right.y).toBeCloseTo(first.y, 0);
  expect((right.x - first.x) / Math.abs(other.y - first.y)).toBeCloseTo(4, 1);
});
