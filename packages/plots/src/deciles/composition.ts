import { compositionBarFigure } from '../composition/bar.ts';
import type { CompositionBarSpec } from '../composition/bar-spec.ts';
import type { Figure } from '../drawing/figure.ts';
import { groupCells } from '../drawing/group-cells.ts';
import { type FigureSetting, type InputValues, plot } from '../plot.ts';
import type { endCompositionContent } from './content.ts';

function endCompositionFigure({
  datasetName,
  ends: { sides, title },
  parts,
}: Pick<FigureSetting, 'datasetName'> & {
  ends: InputValues['ends'];
  parts: InputValues['column'];
}): Figure<CompositionBarSpec> {
  const bits = Uint8Array.from(sides, (side) => Number(side < 2));
  return compositionBarFigure({
    datasetName,
    mask: { bits, count: bits.reduce((count, bit) => count + bit, 0) },
    show: 'share',
    sort: { order: 'column' },
    groups: {
      column: {
        kind: 'categorical',
        codes: Int8Array.from(sides, (side) => (side < 2 ? side : -1)),
        categories: ['highest end', 'lowest end'],
        categoryType: 'string',
        ordered: true,
      },
      title,
      palette: 'cluster',
    },
    parts: groupCells(parts, undefined),
  });
}

export const endComposition = plot<typeof endCompositionContent>(
  'end-composition',
  ({ ends, parts }, { datasetName }) => endCompositionFigure({ datasetName, ends, parts }),
);
