import type { CommonSpec } from '../drawing/figure.ts';
import type { Rectangle } from '../drawing/scene/scene.ts';
import type { ComparedGene, GenePoint, Thresholds } from './compared-genes.ts';

/** What figures of the genes of a comparison have in common. */
export interface PointsSpec extends CommonSpec {
  readonly version: 1;
  /** What is compared, and within which category. */
  readonly subtitle: string;
  readonly sides: { readonly a: string; readonly b: string };
  /** Cells of each side. */
  readonly cells: { readonly a: number; readonly b: number };
  readonly thresholds: Thresholds;
  readonly tested: number;
  /** Genes that pass both thresholds. */
  readonly higher: number;
  readonly lower: number;
  /** Genes beyond an axis; they are drawn at its ends. */
  readonly beyond: number;
  /** Where the genes lie, in CSS pixels. */
  readonly panel: Rectangle;
  /**
   * Values on the axes, and 0 for a gene that fails a threshold, 1 for one that is higher in A, −1 for one that is lower.
   * Of genes at one place there is one.
   */
  readonly points: readonly GenePoint[];
  /** Genes to name, the most important first. */
  readonly named: readonly ComparedGene[];
}
