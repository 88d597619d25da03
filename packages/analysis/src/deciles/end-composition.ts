import type { CategoricalColumn } from '@cellfolio/model';
import { highSide, lowSide, type ValueEnds } from './value-ends.ts';

/** What both ends are made of. */
export interface EndComposition {
  /** Cells of each category in the high and in the low end. */
  readonly high: Float64Array;
  readonly low: Float64Array;
  /** Cells of the ends without a category, which are in no share. */
  readonly unlabelled: { readonly high: number; readonly low: number };
  /**
   * Total variation distance of the shares: the part of the cells of one end that would have to be of another category for
   * the two to be made of the same, from 0 to 1. NaN where an end has no labelled cell.
   */
  readonly distance: number;
}

/** Counts the cells of each category in both ends. Throws RangeError where the column is not of the same cells. */
export function endComposition(
  { sides }: Pick<ValueEnds, 'sides'>,
  { codes, categories }: Pick<CategoricalColumn, 'codes' | 'categories'>,
): EndComposition {
  if (codes.length !== sides.length) {
    throw new RangeError(`labels of ${codes.length} cells do not fit ends of ${sides.length}`);
  }
  const [high, low] = [new Float64Array(categories.length), new Float64Array(categories.length)];
  const unlabelled = { high: 0, low: 0 };
  for (let cell = 0; cell < sides.length; cell++) {
    const side = sides[cell]!;
    if (side !== highSide && side !== lowSide) continue;
    const code = codes[cell]!;
    if (code < 0) unlabelled[side === highSide ? 'high' : 'low']++;
    else (side === highSide ? high : low)[code]!++;
  }
  const total = (counts: Float64Array) => counts.reduce((sum, count) => sum + count, 0);
  const [ofHigh, ofLow] = [total(high), total(low)];
  const distance = high.reduce((sum, count, at) => sum + Math.abs(count / ofHigh - low[at]! / ofLow), 0) / 2;
  return { high, low, unlabelled, distance: ofHigh > 0 && ofLow > 0 ? distance : NaN };
}
