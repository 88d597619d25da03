import type { CommonSpec, LegendGroup } from '../drawing/figure.ts';

/**
 * One measure in one group; null if no cell has a value. Numbers are those of the column, also on a logarithmic axis.
 */
export interface QualityDistribution {
  readonly cells: number;
  readonly range: readonly [number, number];
  readonly quartiles: readonly [number, number, number];
  /**
   * The median plus and minus this many median absolute deviations; null if the deviation is 0. On a log(1 + x) axis
   * both are computed there, as counts are skewed.
   */
  readonly bounds: readonly [number, number] | null;
  readonly outside: number;
  /** At even steps of the axis over `range`, maximum 1; null with fewer than ten cells or two distinct values. */
  readonly density: readonly number[] | null;
}

export interface QualitySpec extends CommonSpec {
  readonly kind: 'quality';
  readonly version: 1;
  readonly groupTitle: string;
  readonly deviations: number;
  readonly measures: readonly {
    readonly column: string;
    readonly title: string;
    readonly axis: string;
    readonly log: boolean;
    readonly domain: readonly [number, number];
  }[];
  readonly groups: readonly (LegendGroup & {
    readonly distributions: readonly (QualityDistribution | null)[];
  })[];
  readonly groupCount: number;
}
