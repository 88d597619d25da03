import type { CategoricalColumn } from '@cellfolio/model';
import { cellTypesOf } from './cell-type-heatmap/cell-types.test-data.ts';
import { simulatedComposition } from './composition.test-data.ts';
import { markerMatrix } from './drawing/gene-matrix/marker-matrix.test-data.ts';
import type { Figure } from './drawing/figure.ts';
import { endsOf } from './deciles.test-data.ts';
import { gradient, groups as stages, trajectory } from './axes.test-data.ts';
import { interactionsOf, examplePairs } from './ligand-receptor/interactions.test-data.ts';
import { categorical, geneOf, markerOf, mixture, scoresOf } from './mixture.test-data.ts';
import { modulesOf } from './modules.test-data.ts';
import type { FigureSetting } from './plot.ts';
import { plotFigure } from './all-plots.ts';
import { simulatedTest } from './pseudobulk.test-data.ts';
import { screenOf } from './screen.test-data.ts';
import { rankedEnrichment } from './ranked-enrichment/ranked-sets.test-data.ts';
import { comparedGenes } from './gene-points/volcano.test-data.ts';

const cellCount = 400;
const unit = 'log-normalized expression';
const datasetName = 'Lung';

export const cases = ['usual', 'one', 'none', 'silent'] as const;
export type Case = (typeof cases)[number] | 'long';

const names: Readonly<Record<Case, readonly string[]>> = {
  usual: ['B', 'T', 'NK', 'Mast'],
  silent: ['B', 'T', 'NK', 'Mast'],
  one: ['B'],
  long: ['treated', 'untreated', 'relapsed', 'metastatic'].map(
    (state) => `Exhausted CD8 T cells of tumours of ${state} patients, right breast, sample of the margin`,
  ),
  none: [],
};

function columnOf(which: Case): CategoricalColumn {
  if (which === 'none') return categorical(new Int16Array(cellCount).fill(-1), ['B']);
  return mixture(cellCount, names[which]).column;
}

const { embedding } = mixture(cellCount, stages);

const cache = new Map<Case, ReturnType<typeof makeValues>>();

function valuesOf(which: Case) {
  const values = cache.get(which) ?? makeValues(which);
  cache.set(which, values);
  return values;
}

function makeValues(which: Case) {
  const column = columnOf(which);
  const groups = {
    column,
    title: 'Cell type',
    columnName: 'cell_type',
    palette: 'cluster' as const,
    chosen: [names[which][0] ?? 'B'],
  };
  const marker = markerOf(0, column);
  const geneNamed = (symbol: string, place: number) => ({
    symbol,
    unit,
    gene: which === 'silent' || which === 'none' ? geneOf(cellCount, [], []) : markerOf(place, column),
  });
  const symbols =
    which === 'long'
      ? [1, 2].map((n) => `ENSG00000187634.novel.transcript.${n}.of.the.reverse.strand`)
      : ['CD79A', 'CD3D'];
  const genes = symbols.map(geneNamed);
  const scores = which === 'silent' ? new Float64Array(cellCount).fill(2) : scoresOf(column);
  const numbers = { title: 'Total counts', columnName: 'total_counts', scores, unit: 'Total counts' };
  const score = { title: 'Hypoxia', subtitle: '46 of 48 genes found', scores, cautions: [] };
  const tested = simulatedTest({ perSide: which === 'one' ? 2 : 4, genes: 300, isPaired: which !== 'one' });
  const sides = Int16Array.from(column.codes, (_, cell) => cell % 2);
  const ends = endsOf(cellCount, which === 'silent' ? 0.97 : 0.6);
  const matrix = markerMatrix(names[which], which === 'none' ? 0 : 2);
  return {
    embedding,
    gene: genes[0]!,
    genes: which === 'one' ? genes.slice(0, 1) : genes,
    measure: genes[0]!,
    score,
    scores: score,
    values: numbers,
    groups,
    column: groups,
    types: groups,
    parts: groups,
    split: [],
    samples: [],
    components: [],
    measures: [numbers],
    x: genes[0]!,
    y: genes[1]!,
    first: genes.slice(0, 1),
    second: genes.slice(1, 3),
    markers:
      which === 'silent'
        ? { ...matrix, mean: matrix.mean.fill(0), fraction: matrix.fraction.fill(0) }
        : matrix,
    enrichment: {
      ...(which === 'usual' || which === 'silent'
        ? enrichedTerms(which === 'silent' ? 0.9 : 1e-9)
        : enrichedTerms(0.9, which === 'one' ? 1 : 0)),
    },
    ranked: rankedEnrichment(900, which === 'one'),
    comparison: {
      a: 'Treated',
      b: 'Untreated',
      part: '',
      test: 'Wilcoxon rank-sum test of cells',
      cells: { a: 812, b: 644 },
      thresholds: { adjustedP: 0.05, foldChange: which === 'silent' ? 100 : 1 },
      ...comparedOf(which === 'none' ? 0 : which === 'one' ? 1 : 400),
    },
    sides: { column: categorical(sides, ['A', 'B']), a: 'treated', b: 'untreated' },
    tested: { ...tested, surest: which === 'none' ? [] : [tested.gene!] },
    ends,
    composition: simulatedComposition(which === 'one' ? 2 : 5, which === 'one' ? 3 : 6),
    interactions: interactionsOf(names[which], which === 'none' ? [] : examplePairs),
    cellTypes: cellTypesOf(names[which].length, names.usual),
    trajectory: trajectory(which === 'none' ? { heatmap: [], curves: [] } : {}),
    gradient: gradient(which === 'none' ? { heatmap: [], curves: [] } : {}),
    screen: screenOf(which === 'none' ? 0 : which === 'one' ? 1 : 12, which === 'silent'),
    modules: modulesOf(which === 'none' ? [] : which === 'one' ? [8] : [20, 15]),
    marker,
  };
}

function comparedOf(count: number) {
  const compared = comparedGenes(count);
  return {
    ...compared,
    scores: compared.foldChanges.map((change) => 9 * change),
    means: compared.foldChanges.map((_, at) => at % 7),
    meanTitle: 'mean log-normalized expression',
  };
}

function enrichedTerms(p: number, count = 3) {
  return {
    terms: Array.from({ length: count }, (_, at) => ({
      term: `Response ${at}`,
      adjustedP: Math.min(1, p * 3 ** at),
      overlap: `${9 - at}/200`,
      combinedScore: 90 - at,
    })),
    title: 'Gene set enrichment',
    subtitle: 'MSigDB Hallmark',
    termCount: 50 * count,
  };
}

const list = { genes: ['CD79A', 'CD3D'], scale: 'none', order: 'column' };
const contents: Readonly<Record<string, object>> = {
  'gene-dot-plot': list,
  'matrix-plot': { ...list, scale: 'gene' },
  heatmap: list,
  'stacked-violin': list,
  violin: { of: { measure: 'gene', gene: 'CD79A' } },
  ridge: { of: { measure: 'gene', gene: 'CD79A' } },
  'composition-bar': { show: 'share', by: { column: 'cell_type' }, order: 'column' },
  'gene-scatter': { x: 'CD79A', y: 'CD3D' },
  quality: { columns: ['total_counts'], deviations: 3 },
};

export function figureOfKind(
  kind: string,
  which: Case,
  setting: Omit<FigureSetting, 'datasetName'> = {},
): Figure {
  const values = valuesOf(which);
  const inputs = {
    ...values,
    ...(kind === 'running-score' || kind === 'ranked-enrichment-bar' ? { enrichment: values.ranked } : {}),
    ...(kind === 'quality' ? { groups: [values.groups] } : {}),
    ...(kind === 'paga-graph'
      ? { column: { ...values.groups, column: mixture(cellCount, stages).column } }
      : {}),
    ...(kind.endsWith('end-composition') ? { parts: values.groups } : {}),
  };
  return plotFigure({ kind, ...contents[kind] }, inputs, { datasetName, ...setting });
}
