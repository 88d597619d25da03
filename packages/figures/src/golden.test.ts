import { readFileSync, writeFileSync } from 'node:fs';
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import {
  categoryUmapFigure,
  geneUmapFigure,
  geneViolinFigure,
  highlightUmapFigure,
  renderPng,
  scoreUmapFigure,
  scoreViolinFigure,
} from './index.ts';
import type { Figure } from './index.ts';
import { TEN_TYPES, geneOf, markerOf, maskOf, mixture, scoresOf } from './mixture.test-data.ts';
import { encodePng } from './raster/encode-png.ts';

/**
 * Golden images are the figures at a quarter of their size. `CELLFOLIO_UPDATE_GOLDEN=1` writes them anew:
 * look at each before it is committed.
 */
const isUpdate = process.env['CELLFOLIO_UPDATE_GOLDEN'] === '1';
const SHRINK = 4;

const ten = mixture(4000, TEN_TYPES);
const many = mixture(
  6000,
  Array.from({ length: 34 }, (_, i) => String(i)),
);
const marker = markerOf(0, ten.column);
const datasetName = 'Lung atlas (simulated)';
const scores = scoresOf(ten.column);
const few = mixture(60, TEN_TYPES);
const half = maskOf(Array.from(ten.column.codes, (code) => (code < 5 ? 1 : 0)));

const figures: Readonly<Record<string, () => Figure>> = {
  'gene-umap': () => geneUmapFigure({ embedding: ten.embedding, gene: marker, symbol: 'CD79A', datasetName }),
  'gene-umap-subset': () =>
    geneUmapFigure({ embedding: ten.embedding, gene: marker, symbol: 'CD79A', datasetName, mask: half }),
  'cell-type-umap': () =>
    categoryUmapFigure({ ...ten, title: 'Cell type', datasetName, palette: 'cell-type' }),
  'cluster-umap': () => categoryUmapFigure({ ...many, title: 'Leiden clusters', datasetName }),
  'gene-violin': () =>
    geneViolinFigure({
      gene: marker,
      groups: ten.column,
      symbol: 'CD79A',
      groupTitle: 'Cell type',
      datasetName,
    }),
  'gene-violin-few-cells': () =>
    geneViolinFigure({
      gene: markerOf(0, few.column),
      groups: few.column,
      symbol: 'CD79A',
      groupTitle: 'Cell type',
      datasetName,
    }),
  'gene-violin-no-cell': () =>
    geneViolinFigure({
      gene: geneOf(0, [], []),
      groups: { ...few.column, codes: new Int16Array(0) },
      symbol: 'CD79A',
      groupTitle: 'Cell type',
      datasetName,
    }),
  'score-umap': () =>
    scoreUmapFigure({
      embedding: ten.embedding,
      scores,
      title: 'Hypoxia',
      subtitle: '46 of 48 genes found',
      datasetName,
    }),
  'score-violin': () =>
    scoreViolinFigure({ scores, groups: ten.column, title: 'Hypoxia', groupTitle: 'Cell type', datasetName }),
  'highlight-umap': () =>
    highlightUmapFigure({
      ...ten,
      highlighted: ['Plasma cells', 'CD56+ NK'],
      title: 'Plasma cells, CD56+ NK',
      datasetName,
      palette: 'cell-type',
      mask: maskOf(Array.from(ten.column.codes, (code) => (code === 1 ? 0 : 1))),
    }),
};

test.each(Object.keys(figures))('M31 the figure %s looks as it did', async (name) => {
  const drawn = shrunk(PNG.sync.read(Buffer.from((await renderPng(figures[name]!())).png)));
  const file = new URL(`../golden/${name}.png`, import.meta.url);
  if (isUpdate) writeFileSync(file, encodePng(drawn));
  const golden = PNG.sync.read(readFileSync(file));
  expect([drawn.width, drawn.height]).toEqual([golden.width, golden.height]);
  let different = 0;
  for (let pixel = 0; pixel < drawn.width * drawn.height; pixel++) {
    for (let channel = 0; channel < 3; channel++) {
      const difference = drawn.pixels[3 * pixel + channel]! - golden.data[4 * pixel + channel]!;
      if (Math.abs(difference) > 16) {
        different++;
        break;
      }
    }
  }
  // Another machine may round an edge otherwise; a moved label or a changed colour is far more than this.
  expect(different).toBeLessThan(0.002 * drawn.width * drawn.height);
});

/** Averages squares of pixels. */
function shrunk(image: PNG): { width: number; height: number; pixels: Uint8Array } {
  const width = Math.floor(image.width / SHRINK);
  const height = Math.floor(image.height / SHRINK);
  const pixels = new Uint8Array(3 * width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let channel = 0; channel < 3; channel++) {
        let sum = 0;
        for (let s = 0; s < SHRINK * SHRINK; s++) {
          const row = y * SHRINK + Math.floor(s / SHRINK);
          sum += image.data[4 * (row * image.width + x * SHRINK + (s % SHRINK)) + channel]!;
        }
        pixels[3 * (y * width + x) + channel] = Math.round(sum / (SHRINK * SHRINK));
      }
    }
  }
  return { width, height, pixels };
}
