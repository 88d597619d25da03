import type { CommonSpec } from '../figure.ts';

export interface AxisHeatmapSpec extends CommonSpec {
  readonly kind: 'pseudotime-heatmap' | 'gradient-heatmap';
  readonly version: 1;
  readonly subtitle: string;
  /** What a place is. */
  readonly axis: string;
  /** In the order of their peaks. */
  readonly genes: readonly HeatmapGene[];
  /** Cells with a place. */
  readonly cells: number;
  /** Mean place of each bin. */
  readonly places: readonly number[];
  /** Cells of the smallest and of the largest bin. */
  readonly cellsOfBin: readonly [number, number];
  readonly ramp: readonly string[];
}

export interface HeatmapGene {
  readonly gene: string;
  readonly rho: number;
  /** Mean place of the bin with the greatest mean. */
  readonly peak: number;
  readonly range: readonly [number, number];
  /** Means of the bins, the least of the gene as 0 and the greatest as 1. */
  readonly scaled: readonly number[];
}
