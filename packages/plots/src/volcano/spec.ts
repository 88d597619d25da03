import type { Caution } from '@cellfolio/model';
import type { CommonSpec } from '../drawing/figure.ts';
import type { Rectangle } from '../drawing/scene/scene.ts';

export interface VolcanoSpec extends CommonSpec {
  readonly kind: 'volcano';
  readonly version: 1;
  /** What is compared, and within which category. */
  readonly subtitle: string;
  readonly sides: { readonly a: string; readonly b: string };
  readonly thresholds: { readonly adjustedP: number; readonly foldChange: number };
  readonly tested: number;
  /** Genes that pass both thresholds. */
  readonly higher: number;
  readonly lower: number;
  /** Genes whose fold change is beyond the axis; they are drawn at its ends. */
  readonly beyond: number;
  /** Greatest log2 fold change of the axis, in either direction, and greatest −log10 of an adjusted p. */
  readonly axes: { readonly foldChange: number; readonly score: number };
  /** Where the genes lie, in CSS pixels. */
  readonly panel: Rectangle;
  /**
   * Log2 fold change, −log10 of the adjusted p, and 0 for a gene that fails a threshold, 1 for one that is higher in A, −1
   * for one that is lower. Of genes at one place there is one.
   */
  readonly points: readonly (readonly [number, number, number])[];
  /** Genes to name, the most important first. */
  readonly named: readonly VolcanoGene[];
}

export interface VolcanoGene {
  readonly gene: string;
  readonly foldChange: number;
  readonly adjustedP: number;
  readonly score: number;
  /** As in `points`. */
  readonly direction: number;
}

/** One comparison: a value for each gene. */
export interface VolcanoInput {
  readonly a: string;
  readonly b: string;
  /** The category whose cells are compared; empty for all. */
  readonly part: string;
  /** How it was tested, in words. */
  readonly test: string;
  readonly cells: { readonly a: number; readonly b: number };
  readonly genes: readonly string[];
  /** NaN where there is none. */
  readonly foldChanges: Float64Array;
  /** 0 where one is too small for a number. */
  readonly adjustedPs: Float64Array;
  readonly thresholds: VolcanoSpec['thresholds'];
  readonly cautions?: readonly Caution[];
}
