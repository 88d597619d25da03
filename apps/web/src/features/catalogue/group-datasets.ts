import type { CatalogueDataset } from '@cellfolio/contract';

export interface DatasetGroup {
  category1: string;
  groups: { category2: string; datasets: CatalogueDataset[] }[];
}

/** Groups by category1, then category2, in the order in which they first appear. */
export function groupDatasets(datasets: readonly CatalogueDataset[]): DatasetGroup[] {
  const outer = new Map<string, Map<string, CatalogueDataset[]>>();
  for (const dataset of datasets) {
    const inner = outer.get(dataset.category1) ?? new Map<string, CatalogueDataset[]>();
    outer.set(dataset.category1, inner);
    const group = inner.get(dataset.category2) ?? [];
    inner.set(dataset.category2, group);
    group.push(dataset);
  }
  return Array.from(outer, ([category1, inner]) => ({
    category1,
    groups: Array.from(inner, ([category2, datasets]) => ({ category2, datasets })),
  }));
}
