import type { CommonSpec } from '../figure.ts';

export interface AxisHeatmapSpec extends CommonSpec {
  readonly kind: 'pseudotime-heatmap' | 'gradient-heatmap';
  readonly version: 1;
  readonly subtitle: string;
  readonly axis: string;
  readonly genes: readonly HeatmapGene[];
  readonly cells: number;
  readonly places: readonly number[];
  readonly cellsOfBin: readonly [number, number];
  readonly ramp: readonly string[];
}

export interface HeatmapGene {
  readonly gene: string;
  readonly rho: number;
  /** Mean place of the bin with the maximum mean. */
  readonly peak: number;
  readonly range: readonly [number, number];
  /** Means of the bins, scaled per gene from 0 (minimum) to 1 (maximum). */
  readonly scaled: readonly number[];
}
