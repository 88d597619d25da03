import { columnTitle } from '@cellfolio/contract';
import { countText, quotedHead } from '@cellfolio/model';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { comparedSamples, type RankedEnds } from './ranked-ends.ts';
import { quotedColumn } from '../../runtime/column-names.ts';

export function noEnds({
  samples,
  share,
  minCells,
  title,
  sampleColumn,
  withoutValue,
}: RankedEnds): ApiFailure {
  const flat = samples.filter(({ leftOut }) => leftOut === 'no-spread').length;
  const ranked = samples.reduce((sum, { cells }) => sum + cells, 0);
  const name = quotedHead(title, 80);
  if (ranked === 0) {
    return refusal(
      `None of the active cells has a value of ${name}${withoutValue > 0 ? ` (${countText(withoutValue)} lack it)` : ''}${sampleColumn ? ` and a value in ${quotedColumn(sampleColumn.column)}` : ''}. Rank by something else, or choose other cells.`,
    );
  }
  if (flat === samples.length) {
    return refusal(
      `All ${countText(ranked)} active cells have the same value of ${name}${sampleColumn ? ' within their sample' : ''}. Rank by something else, or choose other cells.`,
    );
  }
  const where = sampleColumn ? `no sample (${columnTitle(sampleColumn.column)}) has` : `there are not`;
  return refusal(
    `Of ${countText(ranked)} active cells, ${where} at least ${countText(minCells)} cells in the highest and in the lowest ${share} % of ${name}. Choose a larger share, a lower minimum of cells per end, or a larger subset.`,
  );
}

/** Throws ApiFailure 422 when fewer than two samples can be compared with themselves. */
export function requirePairs(ends: RankedEnds): void {
  const compared = comparedSamples(ends).length;
  if (compared > 1) return;
  throw refusal(
    `Only 1 of ${countText(ends.samples.length)} samples has at least ${countText(ends.minCells)} cells in both ends of ${quotedHead(ends.title, 80)}, and at least two are needed to estimate how much samples vary. Choose a larger share, a lower minimum of cells per end, a larger subset, or the Wilcoxon test of cells.`,
  );
}

function refusal(message: string): ApiFailure {
  return new ApiFailure(422, 'too_few_cells', message);
}
