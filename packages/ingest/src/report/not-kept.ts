import { countText, boundedNames } from '@cellfolio/model';
import type { Candidate } from '../expression/candidates.ts';
import type { ExpressionChoice } from '../expression/choose-expression.ts';
import type { Hdf5File } from '../hdf5/hdf5-file.ts';

/** Parts of AnnData that the store has no use for. */
const GROUPS = ['varm', 'obsp', 'varp', 'uns'];

/** Names of parts that a report lists: `uns` may hold any number, of any length. */
const MOST_NAMES = 1000;
const LONGEST_NAME = 200;

/** What of the file does not come along, by its path: nobody should have to find out later. */
export function notKept(
  file: Hdf5File,
  matrices: readonly Candidate[],
  { taken, counts }: ExpressionChoice,
): string[] {
  const paths = [
    ...matrices.filter((matrix) => matrix !== taken && matrix !== counts).map(({ layout }) => layout.path),
    ...GROUPS.filter((group) => file.kind(group) === 'group').flatMap((group) =>
      file.children(group).map((name) => `${group}/${name}`),
    ),
  ];
  const rest = paths.length - MOST_NAMES;
  return [
    ...boundedNames(paths.slice(0, MOST_NAMES), LONGEST_NAME),
    ...(rest > 0 ? [`${countText(rest)} more`] : []),
  ];
}
