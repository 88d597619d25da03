import { InvalidList } from '@cellfolio/analysis';
import { quotedHead } from '@cellfolio/model';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { type ChosenList, ownListOf, type ReferenceList, type StoredLists } from './stored-lists.ts';

/**
 * The list that a call names. `entries` of its kind gives the names of the fields and the error codes: `pairs` and
 * `own_pairs`. Throws ApiFailure 400 for a list that does not exist or cannot be parsed, 409 for a damaged one.
 */
export async function chosenList<Entry>(
  lists: StoredLists<Entry>,
  { name, own }: ChosenList,
): Promise<ReferenceList<Entry>> {
  const { kind } = lists;
  const { noun, entries } = kind;
  if (own !== undefined) {
    try {
      return ownListOf(kind, own);
    } catch (error) {
      if (!(error instanceof InvalidList)) throw error;
      const { message } = error;
      throw new ApiFailure(400, `invalid_${entries}`, message, {
        details: [{ field: `own_${entries}`, problem: message }],
        cause: error,
      });
    }
  }
  const list = await lists.find(name);
  const quoted = quotedHead(name, 80);
  if (list === 'damaged') {
    throw new ApiFailure(
      409,
      `${entries}_damaged`,
      `The ${noun} ${quoted} cannot be read. Ask the operator to add it again (${entries} add FILE --replace), or choose another one.`,
    );
  }
  if (list) return list;
  throw new ApiFailure(400, `unknown_${entries}`, `There is no ${noun} ${quoted}.`, {
    details: [{ field: entries, problem: `is not a ${noun} of this server` }],
  });
}

/** For a figure of an earlier version of a list: throws ApiFailure 409 when the list has been replaced. */
export function refuseReplaced(
  { kind: { noun, entries } }: Pick<StoredLists<unknown>, 'kind'>,
  list: Pick<ReferenceList<unknown>, 'name' | 'version'>,
  version: string | undefined,
): void {
  if (version === undefined || version === list.version) return;
  throw new ApiFailure(
    409,
    `${entries}_replaced`,
    `The ${noun} ${quotedHead(list.name, 80)} has been replaced since. Run the analysis again.`,
  );
}
