import { compositionLimit } from '@cellfolio/analysis';
import type { ComparisonParameters } from '@cellfolio/analysis/parameters';
import { columnTitle } from '@cellfolio/contract';
import { type ResultCaution as Caution, countText, cutText } from '@cellfolio/model';
import { compositionText, mostChanged } from '../../runtime/named-composition.ts';
import type { CompositionCheck } from './sample-check-task.ts';
import type { PartComposition } from '../sample-design/index.ts';

type CompositionParameters = Pick<ComparisonParameters, 'within' | 'min_cells' | 'pvals_adj'>;

interface CompositionFindings {
  composition: PartComposition | undefined;
  byComposition: CompositionCheck | undefined;
  parameters: CompositionParameters;
}

/** The column to compare within instead; undefined where cells are parted already, or no type has enough of both sides. */
export function columnToPart(
  { a, b, column }: PartComposition,
  { within, min_cells: minCells }: CompositionParameters,
): string | undefined {
  const hasBoth = a.some((inA, type) => Math.min(inA, b[type]!) >= minCells);
  return within === undefined && hasBoth ? column : undefined;
}

/** Genes of a type differ where its share does, in tests of cells and in sums of samples over types alike. */
export function otherComposition({ composition, byComposition, parameters }: CompositionFindings): Caution[] {
  if (!composition) return [];
  const { column, part, distance, chance } = composition;
  const groups = mostChanged(composition);
  const title = columnTitle(column);
  const where = part === '' ? '' : ` in ${cutText(part, 80)}`;
  const genes =
    byComposition === undefined
      ? ' Genes may differ for this reason.'
      : ` ${countText(byComposition.byComposition)} of the first ${countText(byComposition.checked)} genes differ more for this reason than within groups.`;
  const advice =
    columnToPart(composition, parameters) !== undefined
      ? `Compare within each group of ${title}.`
      : `Compare cells of one group of ${title}.`;
  return [
    {
      code: 'sides-of-other-groups',
      message: `A and B${where} ${compositionText(composition, column)}.${genes} ${advice}`,
      numbers: {
        column,
        distance,
        limit: compositionLimit,
        chance,
        groups: groups.map(({ name }) => name),
        sharesA: groups.map(({ shareA }) => shareA),
        sharesB: groups.map(({ shareB }) => shareB),
        ...byComposition,
      },
    },
  ];
}
