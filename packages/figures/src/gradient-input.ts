import type { Caution } from '@cellfolio/model';
import type { AlongAxisInput, GeneAlong } from './along-axis-input.ts';

export interface GradientInput {
  /** Name of the axis within a sentence, and the meaning of its numbers. */
  axis: string;
  unit: string;
  /** Place of each cell; NaN if not tested. */
  values: Float64Array;
  cells: number;
  bins: AlongAxisInput['bins'];
  heatmap: readonly GeneAlong[];
  curves: readonly GeneAlong[];
  expression: string;
  cautions: readonly Caution[];
}

export function alongGradient(
  { axis, unit, cells, bins, cautions }: GradientInput,
  datasetName: string,
): Omit<AlongAxisInput, 'genes'> {
  return { title: 'Genes along an axis', subtitle: axis, datasetName, axis: unit, cells, bins, cautions };
}
