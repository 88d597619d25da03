import { readFileSync, writeFileSync } from 'node:fs';
import type { GeneColumn } from '@cellfolio/model';
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { markerMatrix } from './drawing/gene-matrix/marker-matrix.test-data.ts';
import {
  categoryUmapFigure,
  cellTypeHeatmapFigure,
  dotPlotFigure,
  geneUmapFigure,
  geneViolinFigure,
  highlightUmapFigure,
  ligandReceptorDotsFigure,
  ligandReceptorHeatmapFigure,
  pairUmapFigure,
  renderPng,
  runningScoreFigure,
  scoreUmapFigure,
  scoreViolinFigure,
  volcanoFigure,
  type Figure,
} from './index.ts';
import { cellTypesOf } from './cell-type-heatmap/cell-types.test-data.ts';
import { interactionsOf, examplePairs } from './ligand-receptor/interactions.test-data.ts';
import { tenTypes, geneOf, markerOf, maskOf, mixture, scoresOf } from './mixture.test-data.ts';
import { rankedEnrichment } from './ranked-enrichment/ranked-sets.test-data.ts';
import { fileFigure } from './drawing/file-figure.ts';
import { encodePng } from './drawing/raster/encode-png.ts';
import { countDifferent, shrunk } from './shrunk.test-data.ts';
import { simulatedComposition } from './composition.test-data.ts';
import { endsOf } from './deciles.test-data.ts';
import { plotFigure } from './all-plots.ts';
import { screenOf } from './screen.test-data.ts';
import { simulatedTest } from './pseudobulk.test-data.ts';
import { comparedGenes } from './gene-points/volcano.test-data.ts';

/**
 * Golden images are the figures at a quarter of their size. `CELLFOLIO_UPDATE_GOLDEN=1` rewrites them: inspect each
 * before committing.
 */
const isUpdate = process.env['CELLFOLIO_UPDATE_GOLDEN'] === '1';

const ten = mixture(4000, tenTypes);
const many = mixture(
  6000,
  Array.from({ length: 34 }, (_, i) => String(i)),
);
const marker = markerOf(0, ten.column);
const datasetName = 'Lung atlas (simulated)';
const scores = scoresOf(ten.column);
const few = mixture(60, tenTypes);
const tested = simulatedTest({ perSide: 6, genes: 3000 });
const paired = simulatedTest({ perSide: 4, genes: 500, isPaired: true });
const half = maskOf(Array.from(ten.column.codes, (code) => (code < 5 ? 1 : 0)));

const terms = [
  'Interferon Gamma Response',
  'TNF-alpha Signaling via NF-kB',
  'Epithelial Mesenchymal Transition',
  'Regulation Of Transcription By RNA Polymerase II In Response To Stress (GO:0043618)',
  'Oxidative Phosphorylation',
  'Apoptosis',
  'Hypoxia',
  'Complement',
  'p53 Pathway',
  'KRAS Signaling Up',
];

const matrixOf = (of: string) => ({ kind: 'perturbation-matrix', of });

const figures: Readonly<Record<string, () => Figure>> = {
  'ligand-receptor-dots': () =>
    ligandReceptorDotsFigure({ ...interactionsOf(tenTypes, examplePairs), datasetName }),
  'ligand-receptor-heatmap': () =>
    ligandReceptorHeatmapFigure({ ...interactionsOf(tenTypes, examplePairs), datasetName }),
  'cell-type-heatmap': () => cellTypeHeatmapFigure({ ...cellTypesOf(8, tenTypes), datasetName }),
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
  'pair-umap': () =>
    pairUmapFigure({
      embedding: ten.embedding,
      // One type has the ligand, one the receptor, and one both.
      first: [{ symbol: 'CXCL12', gene: joined(markerOf(0, ten.column), markerOf(3, ten.column)) }],
      second: ['ITGAV', 'ITGB3'].map((symbol) => ({
        symbol,
        gene: joined(markerOf(2, ten.column), markerOf(3, ten.column)),
      })),
      datasetName,
      mask: half,
    }),
  'marker-dots': () => dotPlotFigure(markerMatrix(tenTypes, 10)),
  'marker-dots-few': () => dotPlotFigure(markerMatrix(tenTypes.slice(0, 2), 2)),
  'marker-dots-upright': () => dotPlotFigure(markerMatrix(tenTypes, 1)),
  'enrichment-bars': () =>
    plotFigure(
      { kind: 'enrichment-bar' },
      {
        enrichment: {
          terms: terms.map((term, i) => ({
            term,
            adjustedP: 2e-9 * 9 ** i,
            overlap: `${21 - i}/${200 - 3 * i}`,
          })),
          title: 'Gene set enrichment',
          subtitle: 'MSigDB Hallmark (starter, abridged)',
          termCount: 50,
        },
      },
      { datasetName },
    ),
  'ranked-enrichment-bar': () =>
    plotFigure({ kind: 'ranked-enrichment-bar' }, { enrichment: rankedEnrichment(9000) }, { datasetName }),
  'running-score': () => runningScoreFigure({ ...rankedEnrichment(9000), datasetName }),
  'running-score-end': () => runningScoreFigure({ ...rankedEnrichment(9000, true), datasetName }),
  volcano: () =>
    volcanoFigure({
      a: 'Treated',
      b: 'Untreated',
      part: 'Macrophage',
      test: 'Wilcoxon rank-sum test of cells',
      cells: { a: 812, b: 644 },
      thresholds: { adjustedP: 0.05, foldChange: 1 },
      datasetName,
      ...comparedGenes(4000),
    }),
  'sample-map': () => plotFigure({ kind: 'sample-map' }, { tested }, { datasetName }),
  'mean-variance': () => plotFigure({ kind: 'mean-variance' }, { tested }, { datasetName }),
  'p-value-histogram': () => plotFigure({ kind: 'p-value-histogram' }, { tested }, { datasetName }),
  design: () => plotFigure({ kind: 'design' }, { tested }, { datasetName }),
  'sample-dots': () => plotFigure({ kind: 'sample-dots' }, { tested: paired }, { datasetName }),
  'sample-heatmap': () => plotFigure({ kind: 'sample-heatmap' }, { tested: paired }, { datasetName }),
  'end-distribution': () =>
    plotFigure({ kind: 'end-distribution' }, { ends: endsOf(3000, 0.6) }, { datasetName }),
  'end-composition': () =>
    plotFigure(
      { kind: 'end-composition' },
      {
        ends: endsOf(ten.column.codes.length, 0),
        parts: { column: ten.column, title: 'Cell type', palette: 'cell-type', chosen: [] },
      },
      { datasetName },
    ),
  'perturbation-effects': () =>
    plotFigure({ kind: 'perturbation-effects' }, { screen: screenOf(120) }, { datasetName }),
  'perturbation-matrix': () => plotFigure(matrixOf('genes'), { screen: screenOf(30) }, { datasetName }),
  'perturbation-similarity': () =>
    plotFigure(matrixOf('similarity'), { screen: screenOf(80) }, { datasetName }),
  'perturbation-controls': () =>
    plotFigure({ kind: 'perturbation-controls' }, { screen: screenOf(30) }, { datasetName }),
  'composition-dots': () =>
    plotFigure({ kind: 'composition-dots' }, { composition: simulatedComposition(5, 8) }, { datasetName }),
};

function joined(one: GeneColumn, other: GeneColumn): GeneColumn {
  const dense = new Float32Array(one.cellCount);
  for (const { cells, values } of [one, other]) {
    cells.forEach((cell, at) => (dense[cell] = Math.max(dense[cell]!, values[at]!)));
  }
  const expressing = [...dense.keys()].filter((cell) => dense[cell]! > 0);
  return geneOf(
    one.cellCount,
    expressing,
    expressing.map((cell) => dense[cell]!),
  );
}

test.each(Object.keys(figures))('the figure %s looks as it did', async (name) => {
  const rendered = shrunk(PNG.sync.read(Buffer.from((await renderPng(fileFigure(figures[name]!()))).png)));
  const file = new URL(`../golden/${name}.png`, import.meta.url);
  if (isUpdate) writeFileSync(file, encodePng(rendered));
  const golden = PNG.sync.read(readFileSync(file));
  expect([rendered.width, rendered.height]).toEqual([golden.width, golden.height]);
  const colours = new Uint8Array(3 * golden.width * golden.height);
  for (let pixel = 0; pixel < colours.length / 3; pixel++)
    colours.set(golden.data.subarray(4 * pixel, 4 * pixel + 3), 3 * pixel);
  const different = countDifferent(rendered.pixels, colours, 16);
  // Another machine may round an edge otherwise; a moved label or a changed colour is far more than this.
  expect(different).toBeLessThan(0.002 * rendered.width * rendered.height);
});
