import type { ScatterSpec } from '../drawing/figure.ts';

/** A gene or a complex of a pair. */
export interface PairSide {
  /** As the dataset spells its genes. */
  readonly label: string;
  /** Value of the last level; 0 where no cell expresses it. */
  readonly high: number;
  /** Exact greatest value. */
  readonly max: number;
  /** True where values above `high` take the last level. */
  readonly clipped: boolean;
  readonly expressing: number;
}

export interface PairUmapSpec extends ScatterSpec {
  readonly kind: 'pair-umap';
  readonly unit: string;
  readonly first: PairSide;
  readonly second: PairSide;
  /** Cells that express both, and none of them. */
  readonly both: number;
  readonly neither: number;
  /** Values that are NaN or infinite: drawn like no expression. */
  readonly withoutValue: number;
  readonly colours: { readonly shades: readonly string[]; readonly outside: string };
}
