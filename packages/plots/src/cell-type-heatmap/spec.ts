import type { Caution } from '@cellfolio/model';
import type { LabelGridSpec } from '../drawing/label-grid/spec.ts';

/** Scores of types in groups of cells. */
export interface CellTypesInput {
  /** What the groups are, such as `Cluster`. */
  readonly groupTitle: string;
  readonly groups: readonly {
    readonly label: string;
    readonly cells: number;
    /** Null where it is Unclear. */
    readonly suggestion: string | null;
    /** Places of the types, the best first. */
    readonly best: readonly number[];
  }[];
  readonly types: readonly string[];
  /** Groups × types. */
  readonly scores: Float64Array;
  /** The set of markers in words. */
  readonly markerSet: string;
  readonly cautions?: readonly Caution[];
}

export interface CellTypeHeatmapSpec extends LabelGridSpec {
  readonly kind: 'cell-type-heatmap';
  /** Of each row, the group and what is suggested; null where it is Unclear. */
  readonly groups: readonly {
    readonly label: string;
    readonly cells: number;
    readonly suggestion: string | null;
  }[];
  /** How many groups and types there were. */
  readonly groupCount: number;
  readonly typeCount: number;
}
