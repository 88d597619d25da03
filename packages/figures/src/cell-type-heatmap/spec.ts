import type { Caution } from '@cellfolio/model';
import type { LabelGridSpec } from '../drawing/label-grid/spec.ts';

export interface CellTypesInput {
  groupTitle: string;
  groups: readonly {
    label: string;
    cells: number;
    /** Null for Unclear. */
    suggestion: string | null;
    /** Indices of the types, best first. */
    best: readonly number[];
  }[];
  types: readonly string[];
  /** Groups × types. */
  scores: Float64Array;
  markerSet: string;
  cautions?: readonly Caution[];
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
