import { type GroupTerm, groupTerm } from '@cellfolio/contract';
import { type CategoricalColumn, termColumnOf, termsOfLabels } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { termTable } from '../ontology/index.ts';

/** The term of an id, called as the group where no ontology here has it; undefined for a text that is no id. */
export function groupTermOf(id: string | undefined, group: string): GroupTerm | undefined {
  if (id === undefined) return undefined;
  const term = termTable.term(id);
  // A deprecated id gets its successor, which has another name.
  return groupTerm.safeParse({ id, label: term?.id === id ? term.label : group }).data;
}

/** A column with the ids of the column of ontology ids beside it. A label with several ids gets none. */
export async function withFileTerms(
  dataset: Pick<Dataset, 'obs' | 'obsColumnNames'>,
  name: string,
  column: CategoricalColumn,
): Promise<CategoricalColumn> {
  const ids = termColumnOf(name);
  if (column.terms || !dataset.obsColumnNames.includes(ids)) return column;
  const idOf = new Map(
    termsOfLabels(await dataset.obs(ids), column).flatMap(({ label, ids: all }) =>
      all.length === 1 ? [[label, all[0]!.id]] : [],
    ),
  );
  return { ...column, terms: column.categories.map((label) => idOf.get(label)) };
}

/** Groups that keep the name that they have in a column keep its term, unless another one is named for them. */
export function withColumnTerms<Group extends { of: string; group: string; term?: GroupTerm | undefined }>(
  groups: readonly Group[],
  { categories, terms }: Pick<CategoricalColumn, 'categories' | 'terms'>,
): Group[] {
  return groups.map((one) => {
    const { of, group, term } = one;
    const own = of === group ? groupTermOf(terms?.[categories.indexOf(of)], group) : undefined;
    return term === undefined && own ? { ...one, term: own } : one;
  });
}
