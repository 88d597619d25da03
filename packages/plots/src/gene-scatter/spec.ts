import type { CommonSpec } from '../drawing/figure.ts';

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
  /** Null if one does not vary. */
  readonly pearson: number | null;
  readonly spearman: number | null;
  /** Non-empty squares: column, row from below, number of cells. */
  readonly colours: { readonly ramp: readonly string[] };
  readonly squares: readonly (readonly [number, number, number])[];
}

export interface GeneAxis {
  readonly symbol: string;
  readonly unit: string;
  readonly domain: readonly [number, number];
  /** Cells that express a gene; absent for a score or number. */
  readonly expressing?: number;
}
