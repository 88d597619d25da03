import type { EndCounts } from '@cellfolio/analysis';
import { countText } from '@cellfolio/model';
import { FigureInputError } from '../drawing/checked-input.ts';
import type { Figure } from '../drawing/figure.ts';
import { cleanLabel } from '../drawing/text/fit-text.ts';
import { type EndsInput, endsText } from '../decile-input.ts';
import { type FigureSetting, plot } from '../plot.ts';
import type { endDistributionContent } from './content.ts';
import {
  type EndCells,
  endDistributionDrawing,
  endDistributionSize,
  type EndDistributionSpec,
} from './distribution-scene.ts';

/** Cells by value, with both ends marked. Throws FigureInputError if no cell was ranked. */
export function endDistributionFigure({
  datasetName,
  ...ends
}: EndsInput & Pick<FigureSetting, 'datasetName'>): Figure<EndDistributionSpec> {
  const { high, low, histogram, share } = ends;
  const { range, bins, floor } = histogram;
  if (bins.length === 0 && !floor) throw new FigureInputError('histogram', 'no cell has a value');
  const spec: EndDistributionSpec = {
    version: 1,
    kind: 'end-distribution',
    title: cleanLabel(ends.title),
    subtitle: cleanLabel(endsText(ends)),
    datasetName: cleanLabel(datasetName),
    summary: `${countText(high.cells)} cells in the highest end, ${countText(low.cells)} in the lowest`,
    size: endDistributionSize,
    share,
    high,
    low,
    range,
    bins: bins.map(cellsOf),
    ...(floor && { floor: { value: floor.value, cells: cellsOf(floor.counts) } }),
  };
  return { spec, columns: {}, drawing: endDistributionDrawing };
}

function cellsOf({ low, other, high }: EndCounts): EndCells {
  return [low, other, high];
}

export const endDistribution = plot<typeof endDistributionContent>(
  'end-distribution',
  ({ ends }, { datasetName }) => endDistributionFigure({ ...ends, datasetName }),
);
