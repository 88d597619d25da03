import type { CommonSpec } from '../drawing/figure.ts';
import type { Rectangle } from '../drawing/scene/scene.ts';
import type { ComparedGene, GenePoint, Thresholds } from './compared-genes.ts';

export interface PointsSpec extends CommonSpec {
  readonly version: 1;
  readonly subtitle: string;
  readonly sides: { readonly a: string; readonly b: string };
  readonly cells: { readonly a: number; readonly b: number };
  readonly thresholds: Thresholds;
  readonly tested: number;
  readonly higher: number;
  readonly lower: number;
  /** Genes beyond an axis; drawn at its ends. */
  readonly beyond: number;
  readonly panel: Rectangle;
  /**
   * Values on the axes, then 0 for a gene that fails a threshold, 1 if it is higher in A, −1 if lower. One point per
   * position.
   */
  readonly points: readonly GenePoint[];
  readonly named: readonly ComparedGene[];
}
