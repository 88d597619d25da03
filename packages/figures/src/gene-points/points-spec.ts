import type { Rectangle } from '../drawing/scene/scene.ts';
import type { SpecOf } from '../plot-words.ts';
import type { ComparedGene, GenePoint } from './compared-genes.ts';
import type { volcanoWords } from './words.ts';

export interface PointsSpec extends SpecOf<typeof volcanoWords, 'kind' | 'cells' | 'named'> {
  cells: { a: number; b: number };
  panel: Rectangle;
  /**
   * Values on the axes, then 0 for a gene that fails a threshold, 1 if it is higher in A, −1 if lower. One point per
   * position.
   */
  points: readonly GenePoint[];
  named: readonly ComparedGene[];
}
