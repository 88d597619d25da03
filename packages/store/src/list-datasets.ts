import { collectionPrefix, type DatasetCollection, idIn, placeOf } from './dataset-id.ts';
import { InvalidDatasetId, DatasetDamaged, DatasetNotFound } from './errors.ts';
import type { DatasetManifest } from './manifest.ts';
import type { ObjectStore } from './object-store.ts';
import { readManifest } from './read-manifest.ts';

/** What a listing says of one dataset: its paths, and the tag of its manifest where the store has one. */
interface Listed {
  readonly paths: Set<string>;
  tag: string | undefined;
}

interface Remembered {
  readonly tag: string;
  readonly manifest: DatasetManifest;
}

/** Manifests by collection and id, as long as the store says that they are the same. */
const remembered = new WeakMap<ObjectStore, Map<string, Remembered>>();

/**
 * All datasets of a collection, the public one unless told, by their manifests, in order of id. One with a missing
 * file is damaged, where files lie beside their manifest; altered files only show in verifyDataset. A store that tells
 * the tags of its objects is asked for a manifest only when that is another one than before.
 */
export async function listDatasets(
  objects: ObjectStore,
  collection: DatasetCollection = 'public',
): Promise<{ datasets: DatasetManifest[]; damaged: { id: string; reason: string }[] }> {
  const found = await listed(objects, collection);
  const before = remembered.get(objects) ?? new Map<string, Remembered>();
  remembered.set(objects, before);
  for (const id of before.keys())
    if (placeOf(id).collection === collection && !found.has(id)) before.delete(id);
  const datasets: DatasetManifest[] = [];
  const damaged: { id: string; reason: string }[] = [];
  for (const [id, { paths, tag }] of [...found].sort(([a], [b]) => (a < b ? -1 : 1))) {
    try {
      const known = before.get(id);
      const manifest = known && known.tag === tag ? known.manifest : await readManifest(objects, id);
      if (tag !== undefined) before.set(id, { tag, manifest });
      const missing =
        manifest.folder === undefined
          ? Object.keys(manifest.files).find((path) => !paths.has(path))
          : undefined;
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

async function listed(objects: ObjectStore, collection: DatasetCollection): Promise<Map<string, Listed>> {
  const prefix = collectionPrefix(collection);
  const found = new Map<string, Listed>();
  const add = (key: string, tag: string | undefined): void => {
    const cut = key.indexOf('/', prefix.length);
    if (cut < 0) return;
    const id = idIn(collection, key.slice(prefix.length, cut));
    const dataset = found.get(id) ?? { paths: new Set<string>(), tag: undefined };
    const path = key.slice(cut + 1);
    dataset.paths.add(path);
    if (path === 'manifest.json') dataset.tag = tag;
    found.set(id, dataset);
  };
  if (objects.listObjects) for await (const { key, tag } of objects.listObjects(prefix)) add(key, tag);
  else for await (const key of objects.list(prefix)) add(key, undefined);
  return found;
}
