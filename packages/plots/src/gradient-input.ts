import type { Caution } from '@cellfolio/model';
import type { AlongAxisInput, GeneAlong } from './along-axis-input.ts';

export interface GradientInput {
  /** Name of the axis within a sentence, and the meaning of its numbers. */
  readonly axis: string;
  readonly unit: string;
  /** Place of each cell; NaN if not tested. */
  readonly values: Float64Array;
  readonly cells: number;
  readonly bins: AlongAxisInput['bins'];
  readonly heatmap: readonly GeneAlong[];
  readonly curves: readonly GeneAlong[];
  readonly expression: string;
  readonly cautions: readonly Caution[];
}

export function alongGradient(
  { axis, unit, cells, bins, cautions }: GradientInput,
  datasetName: string,
): Omit<AlongAxisInput, 'genes'> {
  return { title: 'Genes along an axis', subtitle: axis, datasetName, axis: unit, cells, bins, cautions };
}
