import type { CatalogueDataset, DatasetMetadata } from '@cellfolio/contract';

export interface CatalogueEntry {
  disease: string;
  subDisease: string;
  dataset: CatalogueDataset;
}

export function entriesOf(catalogue: DatasetMetadata): CatalogueEntry[] {
  return Object.entries(catalogue).flatMap(([disease, subDiseases]) =>
    Object.entries(subDiseases).flatMap(([subDisease, datasets]) =>
      datasets.map((dataset) => ({ disease, subDisease, dataset })),
    ),
  );
}

/** Filters a catalogue; omits branches that become empty. */
export function partOf(
  catalogue: DatasetMetadata,
  keep: (entry: CatalogueEntry) => boolean,
): DatasetMetadata {
  return Object.fromEntries(
    Object.entries(catalogue).flatMap(([disease, subDiseases]) => {
      const branch = Object.entries(subDiseases).flatMap(([subDisease, datasets]) => {
        const matches = datasets.filter((dataset) => keep({ disease, subDisease, dataset }));
        return matches.length > 0 ? [[subDisease, matches] as const] : [];
      });
      return branch.length > 0 ? [[disease, Object.fromEntries(branch)]] : [];
    }),
  );
}

/** A dataset of several diseases is listed under each, and counts once. */
export function countDatasets(catalogue: DatasetMetadata): number {
  return new Set(entriesOf(catalogue).map(({ dataset }) => dataset.dataset_filename)).size;
}

/** Groups by category1, then category2, in order of first appearance. */
export function groupDatasets(datasets: readonly CatalogueDataset[]) {
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
