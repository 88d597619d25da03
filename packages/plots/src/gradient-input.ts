import type { Caution } from '@cellfolio/model';
import type { AlongAxisInput, GeneAlong } from './along-axis-input.ts';

/** Genes along an axis that a user chose, as figures need them. */
export interface GradientInput {
  /** What the axis is, in the middle of a sentence, and what its numbers are. */
  readonly axis: string;
  readonly unit: string;
  /** Of every cell: its place; NaN where it is not tested. */
  readonly values: Float64Array;
  /** Cells that are tested. */
  readonly cells: number;
  readonly bins: AlongAxisInput['bins'];
  /** Genes of the heatmap and of the curves, a value for each bin. */
  readonly heatmap: readonly GeneAlong[];
  readonly curves: readonly GeneAlong[];
  /** Unit of the means. */
  readonly expression: string;
  readonly cautions: readonly Caution[];
}

/** What heatmap and curves of a gradient have in common. */
export function alongGradient(
  { axis, unit, cells, bins, cautions }: GradientInput,
  datasetName: string,
): Omit<AlongAxisInput, 'genes'> {
  return { title: 'Genes along an axis', subtitle: axis, datasetName, axis: unit, cells, bins, cautions };
}
