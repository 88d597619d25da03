import type { SideComposition } from '@cellfolio/analysis';
import { columnTitle } from '@cellfolio/contract';
import { cutText, percentText } from '@cellfolio/model';

/** A composition with the names of its categories. */
export interface NamedComposition extends SideComposition {
  names: readonly string[];
}

/** Groups in a sentence before it says how many more there are. */
const maxGroupsListed = 3;

/** Cells of the groups that either side has, and their shares of the labelled cells of each. */
export function groupShares({ a, b, names }: NamedComposition) {
  const total = (counts: Float64Array) => counts.reduce((sum, count) => sum + count, 0);
  const [ofA, ofB] = [total(a), total(b)];
  return names
    .map((name, at) => ({ name, a: a[at]!, b: b[at]!, shareA: a[at]! / ofA, shareB: b[at]! / ofB }))
    .filter((group) => group.a + group.b > 0);
}

/** The groups whose shares differ most, of which a sentence names the first. */
export function mostChanged(composition: NamedComposition): ReturnType<typeof groupShares> {
  return groupShares(composition)
    .toSorted((one, other) => Math.abs(other.shareA - other.shareB) - Math.abs(one.shareA - one.shareB))
    .slice(0, maxGroupsListed);
}

/** How far the compositions of two sides differ: a predicate of both. */
export function compositionText(composition: NamedComposition, column: string): string {
  const { distance } = composition;
  const { name, shareA, shareB } = mostChanged(composition)[0]!;
  return `differ in ${columnTitle(column)} for ${percentText(distance)} of their cells (most: ${cutText(name, 80)} ${percentText(shareA)} against ${percentText(shareB)})`;
}
