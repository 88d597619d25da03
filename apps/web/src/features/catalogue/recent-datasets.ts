import type { CatalogueDataset, DatasetMetadata } from '@cellfolio/contract';
import { readStored, writeStored } from '@/lib/stored-value.ts';
import { findDataset } from './dataset-metadata.tsx';

export interface RecentDataset {
  disease: string;
  dataset: string;
  name?: string | undefined;
  /** Milliseconds since the epoch. */
  timestamp: number;
}

export const recentDatasetsKey = 'cellfolio:recent-datasets';
const limit = 5;
const local = () => localStorage;

/** The last five datasets opened on this device, newest first; skips invalid entries. */
export function readRecentDatasets(): RecentDataset[] {
  try {
    const stored: unknown = JSON.parse(readStored(local, recentDatasetsKey) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isRecentDataset).slice(0, limit) : [];
  } catch {
    return [];
  }
}

export function rememberDataset(entry: RecentDataset): void {
  writeStored(local, recentDatasetsKey, JSON.stringify(withRecent(readRecentDatasets(), entry)));
}

/** Puts the entry first; the same dataset of the same disease is not listed twice. */
function withRecent(entries: readonly RecentDataset[], entry: RecentDataset): RecentDataset[] {
  const others = entries.filter(
    ({ disease, dataset }) => disease !== entry.disease || dataset !== entry.dataset,
  );
  return [entry, ...others].slice(0, limit);
}

function isRecentDataset(value: unknown): value is RecentDataset {
  return (
    typeof value === 'object' &&
    value !== null &&
    'disease' in value &&
    typeof value.disease === 'string' &&
    'dataset' in value &&
    typeof value.dataset === 'string' &&
    'timestamp' in value &&
    typeof value.timestamp === 'number' &&
    Number.isFinite(value.timestamp) &&
    (!('name' in value) || typeof value.name === 'string')
  );
}

interface MatchedRecentDataset extends RecentDataset {
  entry: CatalogueDataset | undefined;
}

/**
 * Recent datasets with their catalogue entries. URLs can name any disease: if the catalogue has the dataset, its
 * disease counts, and a dataset opened under two names is listed once, as the newer.
 */
export function matchRecentDatasets(
  recent: readonly RecentDataset[],
  catalogue: DatasetMetadata | undefined,
): MatchedRecentDataset[] {
  const matched = new Map<string, MatchedRecentDataset>();
  for (const item of recent) {
    const match = findDataset(catalogue, item.dataset, item.disease);
    const disease = match?.disease ?? item.disease;
    const key = `${disease}\n${item.dataset}`;
    if (!matched.has(key)) matched.set(key, { ...item, disease, entry: match?.dataset });
  }
  return Array.from(matched.values());
}
