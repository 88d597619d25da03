import type { GroupGraph } from '@cellfolio/analysis';
import type { Caution } from '@cellfolio/model';
import type { AlongAxisInput, GeneAlong } from './along-axis-input.ts';

/** Cells in the order of pseudotime, as figures need them. */
export interface TrajectoryInput {
  /** Of every cell: from 0 to 1, Infinity where the root is not connected to it, NaN where it was not analysed. */
  readonly pseudotime: Float64Array;
  /** Barcode of the cell at 0, and its group; the group is empty for none. */
  readonly root: { readonly barcode: string; readonly group: string };
  /** Cells analysed, and those with a pseudotime. */
  readonly cells: { readonly analysed: number; readonly reached: number };
  /** What the groups are of, their names, and how they hang together. */
  readonly groupTitle: string;
  readonly groups: readonly string[];
  readonly graph: GroupGraph;
  /** Cells in bins of equal numbers along pseudotime, and the mean pseudotime of each. */
  readonly bins: { readonly sizes: ArrayLike<number>; readonly places: ArrayLike<number> };
  /** Genes of the heatmap and of the curves, a value for each bin. */
  readonly heatmap: readonly GeneAlong[];
  readonly curves: readonly GeneAlong[];
  readonly unit: string;
  readonly cautions: readonly Caution[];
}

/** The line below a title. */
export function rootText({ barcode, group }: TrajectoryInput['root']): string {
  return `from ${barcode}${group === '' ? '' : ` (${group})`}`;
}

/** What heatmap and curves of a trajectory have in common. */
export function alongPseudotime(
  { root, cells, bins, cautions }: TrajectoryInput,
  datasetName: string,
): Omit<AlongAxisInput, 'genes'> {
  return {
    title: 'Genes along pseudotime',
    subtitle: rootText(root),
    datasetName,
    axis: 'pseudotime',
    cells: cells.reached,
    bins,
    cautions,
  };
}
