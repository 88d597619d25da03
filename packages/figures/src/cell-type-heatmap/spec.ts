import type { CellTypesFigure } from '@cellfolio/analyses';
import type { Caution } from '@cellfolio/model';
import type { LabelGridSpec } from '../drawing/label-grid/spec.ts';

export interface CellTypesInput extends CellTypesFigure {
  readonly cautions?: readonly Caution[];
}

export interface CellTypeHeatmapSpec extends LabelGridSpec {
  kind: 'cell-type-heatmap';
  /** Group of each row and its suggested type; null for Unclear. */
  groups: readonly {
    label: string;
    cells: number;
    suggestion: string | null;
  }[];
  groupCount: number;
  typeCount: number;
}
