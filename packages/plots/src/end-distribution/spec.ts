import type { CommonSpec } from '../drawing/figure.ts';

/** Cells in the lowest end, in neither, and in the highest. */
export type EndCells = readonly [low: number, other: number, high: number];

export interface EndDistributionSpec extends CommonSpec {
  readonly kind: 'end-distribution';
  readonly version: 1;
  readonly subtitle: string;
  /** Percent, as asked. */
  readonly share: number;
  readonly high: { readonly cells: number; readonly share: number; readonly tied: number };
  readonly low: { readonly cells: number; readonly share: number; readonly tied: number };
  /** Of the bins, which are of equal width. */
  readonly range: readonly [number, number];
  readonly bins: readonly EndCells[];
  /** The least value where many cells have it, which are in no bin. */
  readonly floor?: { readonly value: number; readonly cells: EndCells };
}
