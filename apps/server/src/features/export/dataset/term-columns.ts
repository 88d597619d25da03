import { isCategorical, termColumnOf } from '@cellfolio/model';
import type { UserColumn } from '../../../runtime/compute/own-columns.ts';

/**
 * Own columns of labels, each followed by one with the ontology ids that its groups were given, named as the CELLxGENE
 * schema names it. `taken`: names of other columns, which keep theirs.
 */
export function withTermColumns(own: readonly UserColumn[], taken: readonly string[]): UserColumn[] {
  return own.flatMap((column) => {
    const name = termColumnOf(column.name);
    return isCategorical(column.column) && column.column.terms !== undefined && !taken.includes(name)
      ? [column, termColumn(column, name)]
      : [column];
  });
}

function termColumn({ id, revision, column }: UserColumn, name: string): UserColumn {
  if (!isCategorical(column)) throw new TypeError('Only groups have terms.');
  const { codes, terms = [] } = column;
  const categories = [...new Set(terms.filter((term) => term !== undefined))].sort();
  // One more in front, for cells in no group.
  const codeOf = [-1, ...terms.map((term) => (term === undefined ? -1 : categories.indexOf(term)))];
  const memory = new SharedArrayBuffer(codes.byteLength);
  const own = codes.BYTES_PER_ELEMENT === 1 ? new Int8Array(memory) : new Int16Array(memory);
  for (let cell = 0; cell < codes.length; cell++) own[cell] = codeOf[codes[cell]! + 1]!;
  return {
    id: `${id}-terms`,
    revision,
    name,
    column: { kind: 'categorical', codes: own, categories, categoryType: 'string', ordered: false },
  };
}
