import type { Caution } from '@cellfolio/model';
import type { LabelGridSpec } from '../drawing/label-grid/spec.ts';

export interface CellTypesInput {
  readonly groupTitle: string;
  readonly groups: readonly {
    readonly label: string;
    readonly cells: number;
    /** Null for Unclear. */
    readonly suggestion: string | null;
    /** Indices of the types, best first. */
    readonly best: readonly number[];
  }[];
  readonly types: readonly string[];
  /** Groups × types. */
  readonly scores: Float64Array;
  readonly markerSet: string;
  readonly cautions?: readonly Caution[];
}

export interface CellTypeHeatmapSpec extends LabelGridSpec {
  readonly kind: 'cell-type-heatmap';
  /** Group of each row and its suggested type; null for Unclear. */
  readonly groups: readonly {
    readonly label: string;
    readonly cells: number;
    readonly suggestion: string | null;
  }[];
  readonly groupCount: number;
  readonly typeCount: number;
}
