import type { AxisBins, GeneAlong } from '@cellfolio/analyses';
import type { Caution } from '@cellfolio/model';

export interface AlongAxisInput {
  title: string;
  subtitle: string;
  datasetName: string;
  /** Meaning of a place on the axis, such as `pseudotime`. */
  axis: string;
  cells: number;
  bins: AxisBins;
  genes: readonly GeneAlong[];
  cautions: readonly Caution[];
}
