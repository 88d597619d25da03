import type { GradientFigure } from '@cellfolio/analyses';
import type { Caution } from '@cellfolio/model';
import type { AlongAxisInput } from './along-axis-input.ts';

export interface GradientInput extends GradientFigure {
  readonly cautions: readonly Caution[];
}

export function alongGradient(
  { axis, unit, cells, bins, cautions }: GradientInput,
  datasetName: string,
): Omit<AlongAxisInput, 'genes'> {
  return { title: 'Genes along an axis', subtitle: axis, datasetName, axis: unit, cells, bins, cautions };
}
