import type { CommonSpec, LegendGroup } from '../drawing/figure.ts';

/** Of one measure in one group; null where no cell has a value. Numbers are those of the column, also on an axis of logarithms. */
export interface QualityDistribution {
  readonly cells: number;
  readonly range: readonly [number, number];
  readonly quartiles: readonly [number, number, number];
  /**
   * The median with so many median absolute deviations below and above; null where the deviation is 0. On an axis of
   * log(1 + x) both are found there, as counts are skewed.
   */
  readonly bounds: readonly [number, number] | null;
  /** Cells beyond the bounds. */
  readonly outside: number;
  /** At even steps of the axis over `range`, greatest 1; null with fewer than ten cells or two distinct values. */
  readonly density: readonly number[] | null;
}

export interface QualitySpec extends CommonSpec {
  readonly kind: 'quality';
  readonly version: 1;
  readonly groupTitle: string;
  /** Median absolute deviations to each side of the median. */
  readonly deviations: number;
  readonly measures: readonly {
    readonly column: string;
    /** Short, above the violins. */
    readonly title: string;
    /** What its axis is called: the title of the column. */
    readonly axis: string;
    /** True where the axis is one of log(1 + x). */
    readonly log: boolean;
    readonly domain: readonly [number, number];
  }[];
  readonly groups: readonly (LegendGroup & {
    /** In the order of the measures. */
    readonly distributions: readonly (QualityDistribution | null)[];
  })[];
  readonly groupCount: number;
}
