import type { CatalogueDataset, DatasetMetadata } from '@cellfolio/contract';
import { findDataset } from './find-dataset.ts';
import type { RecentDataset } from './recent-datasets.ts';

export interface MatchedRecentDataset extends RecentDataset {
  entry: CatalogueDataset | undefined;
}

/**
 * Recent datasets with their catalogue entries. Addresses can name any disease: where the catalogue has the dataset,
 * its disease counts, and a dataset opened under two names is listed once, as the newer.
 */
export function matchRecentDatasets(
  recent: readonly RecentDataset[],
  catalogue: DatasetMetadata | undefined,
): MatchedRecentDataset[] {
  const matched = new Map<string, MatchedRecentDataset>();
  for (const item of recent) {
    const found = findDataset(catalogue, item.dataset, item.disease);
    const disease = found?.disease ?? item.disease;
    const key = `${disease}\n${item.dataset}`;
    if (!matched.has(key)) matched.set(key, { ...item, disease, entry: found?.dataset });
  }
  return Array.from(matched.values());
}
