import { minPValue } from '@cellfolio/contract';
import {
  foldChangeAxis,
  meanAxis,
  scoreScale,
  type ScoreScale,
  statisticAxis,
  surenessAxis,
} from '@cellfolio/figures/content';
import type { FigureThresholds } from '@/features/analyses/index.ts';
import type { ChartAxis, ChartPoints, Tones } from '@/features/gene-points/index.ts';
import { numbersOf, type TableColumns, textsOf } from '@/features/tables/index.ts';

export const genePlots = [
  { kind: 'volcano', title: 'Volcano Plot', file: 'deg_volcano' },
  { kind: 'ma-plot', title: 'MA Plot', file: 'deg_ma_plot' },
  { kind: 'rank-plot', title: 'Rank Plot', file: 'deg_rank_plot' },
] as const;

export type GenePlotKind = (typeof genePlots)[number]['kind'];

/** The genes of one group in file order, without those that lack a fold change or a p-value. */
export interface PlottedGenes {
  rows: Int32Array;
  changes: Float64Array;
  adjustedPs: Float64Array;
  /** −log10 of the adjusted p; for an underflowed one that of the smallest number. */
  scores: Float64Array;
  statistics: Float64Array;
  means: Float64Array;
  meanTitle: string;
}

/** `group` is a value of the column `group`; undefined when there are no groups. */
export function plottedGenes({ columns, rowCount }: TableColumns, group: string | undefined): PlottedGenes {
  const numbers = (heading: string) => numbersOf(columns, heading) ?? new Float64Array(rowCount).fill(NaN);
  const [changes, ps] = [numbers('logfoldchanges'), numbers('pvals_adj')];
  const groups = group === undefined ? undefined : textsOf(columns, 'group');
  const code = groups?.categories.indexOf(group ?? '') ?? 0;
  const validRows: number[] = [];
  for (let row = 0; row < rowCount; row++) {
    if (groups !== undefined && groups.codes[row] !== code) continue;
    if (!Number.isNaN(changes[row]) && !Number.isNaN(ps[row])) validRows.push(row);
  }
  const rows = Int32Array.from(validRows);
  const of = (value: (row: number) => number) => Float64Array.from(rows, value);
  const { mean, title } = meanColumn({ columns });
  const statistics = numbers('scores');
  return {
    rows,
    changes: of((row) => changes[row]!),
    adjustedPs: of((row) => ps[row]!),
    scores: of((row) => -Math.log10(Math.max(ps[row]!, minPValue)) + 0),
    statistics: of((row) => statistics[row]!),
    means: of(mean),
    meanTitle: title,
  };
}

function meanColumn({ columns }: Pick<TableColumns, 'columns'>): {
  mean: (row: number) => number;
  title: string;
} {
  const logCpm = numbersOf(columns, 'mean_log_cpm');
  if (logCpm !== undefined) return { mean: (row) => logCpm[row]!, title: 'mean log₂ counts per million' };
  const counts = numbersOf(columns, 'mean_count');
  // Genes without a count have no place, as in the file of the figure.
  if (counts !== undefined) return { mean: (row) => Math.log2(counts[row]!), title: 'log₂ mean count' };
  const [a, b] = [numbersOf(columns, 'mean_a'), numbersOf(columns, 'mean_b')];
  return {
    mean: (row) => ((a?.[row] ?? NaN) + (b?.[row] ?? NaN)) / 2,
    title: 'mean log-normalized expression of A and B',
  };
}

export interface GenePlot {
  points: ChartPoints;
  /** Indices of the points among the genes. */
  places: Int32Array;
  x: ChartAxis;
  y: ChartAxis;
  /** The axis of fold changes; absent without one. */
  changeAxis?: 'x' | 'y';
  /** Scale when the y axis shows scores. */
  scale?: ScoreScale;
}

/** `asked` are thresholds that the axes include, so that the axes stay fixed while others are dragged. */
export function genePlot(kind: GenePlotKind, genes: PlottedGenes, thresholds: FigureThresholds): GenePlot {
  const all = Int32Array.from(genes.rows.keys());
  if (kind === 'rank-plot') return rankPlot(genes, all);
  const change = foldChangeAxis(genes.changes, thresholds.foldChange);
  const changes: ChartAxis = { title: 'log₂ fold change', range: [-change, change] };
  if (kind === 'ma-plot') {
    const places = all.filter((at) => Number.isFinite(genes.means[at]!));
    const means = Float64Array.from(places, (at) => genes.means[at]!);
    return {
      points: {
        rows: places.map((at) => genes.rows[at]!),
        x: means,
        y: Float64Array.from(places, (at) => genes.changes[at]!),
      },
      places,
      x: { title: genes.meanTitle, range: meanAxis(means) },
      y: changes,
      changeAxis: 'y',
    };
  }
  return {
    points: { rows: genes.rows, x: genes.changes, y: genes.scores },
    places: all,
    x: changes,
    y: { title: '−log₁₀ adjusted p', range: [0, surenessAxis(genes.scores, thresholds.adjustedP)] },
    changeAxis: 'x',
  };
}

/** By descending score; the points stay in file order. */
function rankPlot(genes: PlottedGenes, all: Int32Array): GenePlot {
  const { rows, statistics, adjustedPs } = genes;
  const scale = scoreScale(statistics, adjustedPs);
  const places = all.filter((at) => Number.isFinite(statistics[at]!));
  const order = places.toSorted((one, other) => statistics[other]! - statistics[one]! || one - other);
  const rankOf = new Float64Array(rows.length);
  order.forEach((at, rank) => {
    rankOf[at] = rank + 1;
  });
  const scores = Float64Array.from(places, (at) => statistics[at]!);
  return {
    points: {
      rows: places.map((at) => rows[at]!),
      x: Float64Array.from(places, (at) => rankOf[at]!),
      y: scores,
    },
    places,
    x: { title: 'rank of the gene', range: [0, places.length + 1] },
    y: { title: 'score of the test', range: statisticAxis(scores) },
    scale,
  };
}

/** 1 for a gene that passes and is higher in A, 2 for one that is higher in B, 0 for one that does not pass. */
export function tonesOf(
  { changes, adjustedPs }: PlottedGenes,
  { adjustedP, foldChange }: FigureThresholds,
): { tones: Tones; higher: number; lower: number } {
  const tones = new Uint8Array(changes.length);
  const counts = [0, 0, 0];
  for (let at = 0; at < tones.length; at++) {
    const change = changes[at]!;
    const passes = adjustedPs[at]! < adjustedP && Math.abs(change) >= foldChange && change !== 0;
    const tone = passes ? (change > 0 ? 1 : 2) : 0;
    tones[at] = tone;
    counts[tone]!++;
  }
  return { tones, higher: counts[1]!, lower: counts[2]! };
}

/** Rounds a dragged threshold to as many digits as a person would choose. */
export function roundP(p: number): number {
  return Number(Math.min(1, Math.max(0, p)).toPrecision(2));
}

export function roundChange(change: number): number {
  return Number(Math.max(0, change).toFixed(2));
}
