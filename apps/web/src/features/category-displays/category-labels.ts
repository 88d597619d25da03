import type { ColumnCategories } from '@cellfolio/contract';

type Category = Pick<ColumnCategories['categories'][number], 'name' | 'label'>;

/** What a category of a draft is called: as it is typed, or as the dataset has it where nothing is. */
export function labelOf({ name, label }: Category): string {
  return label === name ? name : label.trim() || name;
}

/** Names of categories that would be called as another one, which is as the server tells it. */
export function repeatedLabels(draft: readonly Category[]): ReadonlySet<string> {
  const byLabel = Map.groupBy(draft, (one) => labelOf(one).normalize('NFKC').replace(/\s+/g, ' ').trim());
  const repeated = [...byLabel.values()].filter(
    (of) => of.length > 1 && of.some((one) => labelOf(one) !== one.name),
  );
  return new Set(repeated.flatMap((of) => of.map(({ name }) => name)));
}
