import type { GroupGraph } from '@cellfolio/analysis';
import type { Caution } from '@cellfolio/model';
import type { AlongAxisInput, GeneAlong } from './along-axis-input.ts';

export interface TrajectoryInput {
  /** Per cell: from 0 to 1, Infinity if the root is not connected to it, NaN if it was not analysed. */
  pseudotime: Float64Array;
  /** Barcode and group of the cell at 0; the group is empty for none. */
  root: { barcode: string; group: string };
  cells: { analysed: number; reached: number };
  groupTitle: string;
  groups: readonly string[];
  graph: GroupGraph;
  /** Bins with equal numbers of cells along pseudotime, and the mean pseudotime of each. */
  bins: { sizes: ArrayLike<number>; places: ArrayLike<number> };
  /** Genes of the heatmap and curves, one value per bin. */
  heatmap: readonly GeneAlong[];
  curves: readonly GeneAlong[];
  unit: string;
  cautions: readonly Caution[];
}

export function rootText({ barcode, group }: TrajectoryInput['root']): string {
  return `from ${barcode}${group === '' ? '' : ` (${group})`}`;
}

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
