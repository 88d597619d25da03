import type { CommonSpec } from '../drawing/figure.ts';
import type { Caution } from '@cellfolio/model';

/** Rows are groups, columns genes; matrices are group-major: `mean[group * genes.length + gene]`. */
export interface DotPlotSpec extends CommonSpec {
  readonly kind: 'dot-plot';
  readonly version: 1;
  readonly groupTitle: string;
  readonly groups: readonly { readonly label: string; readonly cells: number }[];
  /** `bracket` is the group whose marker the gene is; neighbours of one bracket are drawn under one. */
  readonly genes: readonly { readonly symbol: string; readonly bracket: string | null }[];
  readonly mean: readonly number[];
  /** 0 to 1. */
  readonly fraction: readonly number[];
  /** Fraction of the largest dot: the greatest, rounded up to a tenth. 0 where no cell expresses any gene. */
  readonly dotMax: number;
  readonly meanDomain: readonly [number, number];
  /** How many there were, where the figure was limited. */
  readonly groupCount: number;
  readonly geneCount: number;
  readonly colours: { readonly ramp: readonly string[] };
  /** Groups of fewer cells are marked with an asterisk. */
  readonly fewCells?: number;
  /** What limits the result that is drawn, the gravest first. */
  readonly cautions?: readonly Caution[];
}

export interface DotPlotInput {
  /** Rows from top to bottom. */
  readonly groups: readonly { readonly label: string; readonly cells: number }[];
  /** Columns from left to right; neighbours of one `group`, whose markers they are, stand under one bracket. */
  readonly genes: readonly { readonly symbol: string; readonly group?: string }[];
  /** Mean expression in each group, zeros included: `mean[group * genes.length + gene]`. */
  readonly mean: Float64Array;
  /** Part of the cells of each group that express the gene, 0 to 1, in the same order. */
  readonly fraction: Float64Array;
  readonly title: string;
  readonly datasetName: string;
  /** What the groups are, such as `Cell type`. */
  readonly groupTitle: string;
  /** Groups of fewer cells are marked with an asterisk, which the summary explains. */
  readonly fewCells?: number;
  /** What limits the result that is drawn; they go with the spec and are not drawn. */
  readonly cautions?: readonly Caution[];
}
