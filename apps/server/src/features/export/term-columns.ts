import { type CategoricalColumn, isCategorical, termColumnOf } from '@cellfolio/model';
import type { UserColumn } from '../../runtime/compute/own-columns.ts';

/**
 * Own columns of labels, each followed by one with the ontology ids that its groups were given, named as the CELLxGENE
 * schema names it. `taken`: names of other columns, which keep theirs.
 */
export function withTermColumns(own: readonly UserColumn[], taken: readonly string[]): UserColumn[] {
  return own.flatMap((labels) => {
    const { id, revision, column } = labels;
    const name = termColumnOf(labels.name);
    if (!isCategorical(column) || column.terms === undefined || taken.includes(name)) return [labels];
    return [labels, { id: `${id}-terms`, revision, name, column: idsOf(column.codes, column.terms) }];
  });
}

/** Ids of the groups of all cells. */
function idsOf(
  codes: CategoricalColumn['codes'],
  terms: NonNullable<CategoricalColumn['terms']>,
): CategoricalColumn {
  const categories = [...new Set(terms.filter((term) => term !== undefined))].sort();
  // One more in front, for cells in no group.
  const codeOf = [-1, ...terms.map((term) => (term === undefined ? -1 : categories.indexOf(term)))];
  const memory = new SharedArrayBuffer(codes.byteLength);
  const own = codes.BYTES_PER_ELEMENT === 1 ? new Int8Array(memory) : new Int16Array(memory);
  for (let cell = 0; cell < codes.length; cell++) own[cell] = codeOf[codes[cell]! + 1]!;
  return { kind: 'categorical', codes: own, categories, categoryType: 'string', ordered: false };
}
