import { createHash } from 'node:crypto';
import type { DatasetDescription } from './dataset-writer.ts';
import type { DatasetManifest } from './manifest.ts';

/**
 * Digest of the checksums of all files and of what is said about them: the roles of the columns change
 * figures as much as values do.
 */
export function datasetVersion(files: DatasetManifest['files'], description: DatasetDescription): string {
  const hash = createHash('sha256');
  for (const [path, { sha256 }] of Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(`${path} ${sha256}\n`);
  const { catalogue, roles, expression, warnings, processing } = description;
  hash.update(
    JSON.stringify(sortedKeys({ catalogue, roles, expression, warnings, ...(processing && { processing }) })),
  );
  return hash.digest('hex').slice(0, 32);
}

/** The same value with the keys of every object in order, so that equal content has one text. */
function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => [key, sortedKeys(item)]),
  );
}
