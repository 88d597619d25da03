import type { TrajectoryFigure } from '@cellfolio/analyses';
import type { Caution } from '@cellfolio/model';
import type { AlongAxisInput } from './along-axis-input.ts';

export interface TrajectoryInput extends TrajectoryFigure {
  readonly cautions: readonly Caution[];
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
