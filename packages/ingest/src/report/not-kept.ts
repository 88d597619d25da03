import type { Candidate } from '../expression/candidates.ts';
import type { ExpressionChoice } from '../expression/choose-expression.ts';
import type { Hdf5File } from '../hdf5/hdf5-file.ts';

/** Parts of AnnData that the store has no use for. */
const GROUPS = ['varm', 'obsp', 'varp', 'uns'];

/** What of the file does not come along, by its path: nobody should have to find out later. */
export function notKept(
  file: Hdf5File,
  matrices: readonly Candidate[],
  { taken, counts }: ExpressionChoice,
): string[] {
  return [
    ...matrices.filter((matrix) => matrix !== taken && matrix !== counts).map(({ layout }) => layout.path),
    ...GROUPS.filter((group) => file.kind(group) === 'group').flatMap((group) =>
      file.children(group).map((name) => `${group}/${name}`),
    ),
  ];
}
