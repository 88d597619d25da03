import type { CommonSpec } from '../drawing/figure.ts';

/** Squares along each axis. */
export const scatterBins = 40;

export interface GeneScatterSpec extends CommonSpec {
  readonly kind: 'gene-scatter';
  readonly version: 1;
  readonly x: GeneAxis;
  readonly y: GeneAxis;
  readonly cells: number;
  /** Cells that express both of two genes, and neither. */
  readonly both?: number;
  readonly neither?: number;
  /** Null where one does not vary. */
  readonly pearson: number | null;
  readonly spearman: number | null;
  /** Squares with cells: column, row from below, cells. */
  readonly colours: { readonly ramp: readonly string[] };
  readonly squares: readonly (readonly [number, number, number])[];
}

export interface GeneAxis {
  readonly symbol: string;
  readonly unit: string;
  readonly domain: readonly [number, number];
  /** Cells that express a gene; absent of a score or a number. */
  readonly expressing?: number;
}
