import { collectionPrefix, type DatasetCollection, idIn } from './dataset-id.ts';
import { InvalidDatasetId, DatasetDamaged, DatasetNotFound } from './errors.ts';
import type { DatasetManifest } from './manifest.ts';
import type { ObjectStore } from './object-store.ts';
import { readManifest } from './read-manifest.ts';

/**
 * All datasets of a collection, the public one unless told, by their manifests, in order of id. One with a missing file is damaged; altered
 * files only show in verifyDataset.
 */
export async function listDatasets(
  objects: ObjectStore,
  collection: DatasetCollection = 'public',
): Promise<{ datasets: DatasetManifest[]; damaged: { id: string; reason: string }[] }> {
  const found = new Map<string, Set<string>>();
  const prefix = collectionPrefix(collection);
  for await (const key of objects.list(prefix)) {
    const cut = key.indexOf('/', prefix.length);
    if (cut < 0) continue;
    const id = idIn(collection, key.slice(prefix.length, cut));
    const paths = found.get(id) ?? new Set<string>();
    paths.add(key.slice(cut + 1));
    found.set(id, paths);
  }
  const datasets: DatasetManifest[] = [];
  const damaged: { id: string; reason: string }[] = [];
  for (const [id, paths] of [...found].sort(([a], [b]) => (a < b ? -1 : 1))) {
    try {
      const manifest = await readManifest(objects, id);
      const missing = Object.keys(manifest.files).find((path) => !paths.has(path));
      if (missing === undefined) datasets.push(manifest);
      else damaged.push({ id, reason: `${missing} is missing` });
    } catch (error) {
      if (error instanceof DatasetDamaged) damaged.push({ id, reason: `${error.path}: ${error.reason}` });
      else if (error instanceof DatasetNotFound) damaged.push({ id, reason: 'manifest.json is missing' });
      else if (error instanceof InvalidDatasetId) damaged.push({ id, reason: error.message });
      else throw error;
    }
  }
  return { datasets, damaged };
}
