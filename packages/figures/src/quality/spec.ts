import type { CommonSpec, LegendGroup } from '../drawing/figure.ts';

/**
 * One measure in one group; null if no cell has a value. Numbers are those of the column, also on a logarithmic axis.
 */
export interface QualityDistribution {
  cells: number;
  range: readonly [number, number];
  quartiles: readonly [number, number, number];
  /**
   * The median plus and minus this many median absolute deviations; null if the deviation is 0. On a log(1 + x) axis
   * both are computed there, as counts are skewed.
   */
  bounds: readonly [number, number] | null;
  outside: number;
  /** At even steps of the axis over `range`, maximum 1; null with fewer than ten cells or two distinct values. */
  density: readonly number[] | null;
}

export interface QualitySpec extends CommonSpec {
  kind: 'quality';
  version: 1;
  groupTitle: string;
  deviations: number;
  measures: readonly {
    column: string;
    title: string;
    axis: string;
    log: boolean;
    domain: readonly [number, number];
  }[];
  groups: readonly (LegendGroup & {
    distributions: readonly (QualityDistribution | null)[];
  })[];
  groupCount: number;
}
