import { fileFault, type ListsFolders, type ListsObjects, type ObjectStore } from '@cellfolio/bytes';
import { collectionPrefix, type DatasetCollection, idIn } from './dataset-id.ts';
import { DatasetDamaged, DatasetNotFound, InvalidDatasetId } from './errors.ts';
import { type DatasetManifest, readManifest } from './manifest.ts';

interface Listed {
  /** Changes with the manifest; undefined if the store has no tags. */
  tag: string | undefined;
  paths: () => Promise<ReadonlySet<string>>;
}

interface Remembered {
  tag: string;
  manifest: DatasetManifest;
}

export interface DatasetListing {
  readonly datasets: readonly DatasetManifest[];
  readonly damaged: readonly { readonly id: string; readonly reason: string }[];
}

/** Cached state of a collection, valid as long as the store reports no change. */
interface CollectionCache {
  manifests: Map<string, Remembered>;
  whole: { tag: string; listing: DatasetListing } | undefined;
}

const remembered = new WeakMap<ObjectStore, Map<DatasetCollection, CollectionCache>>();

/**
 * Lists all datasets of a collection, by default the public one, from their manifests, sorted by id. A dataset with a
 * missing file is damaged, if files are beside their manifest; altered files, and those lost after the first listing,
 * only show in verifyDataset. With a store that reports tags of folders or objects, only changes are read: a catalogue
 * is listed every few seconds, and reading ten thousand manifests takes longer than that.
 */
export async function listDatasets(
  objects: ObjectStore,
  collection: DatasetCollection = 'public',
): Promise<DatasetListing> {
  const cache = cacheOf(objects, collection);
  const tag = listsFolders(objects) ? await objects.folderTag(collectionPrefix(collection)) : undefined;
  if (tag !== undefined && cache.whole?.tag === tag) return cache.whole.listing;
  const entries = await listed(objects, collection);
  for (const id of cache.manifests.keys()) if (!entries.has(id)) cache.manifests.delete(id);
  const datasets: DatasetManifest[] = [];
  const damaged: { id: string; reason: string }[] = [];
  for (const [id, one] of [...entries].sort(([a], [b]) => (a < b ? -1 : 1))) {
    try {
      datasets.push(await manifestOf(objects, id, { ...one, cached: cache.manifests }));
    } catch (error) {
      const reason = reasonOf(error);
      if (reason === undefined) throw error;
      // An empty folder is no dataset.
      if (error instanceof DatasetNotFound && (await one.paths()).size === 0) continue;
      damaged.push({ id, reason });
    }
  }
  const listing = { datasets, damaged };
  cache.whole = tag !== undefined && damaged.length === 0 ? { tag, listing } : undefined;
  return listing;
}

function cacheOf(objects: ObjectStore, collection: DatasetCollection): CollectionCache {
  const collections = remembered.get(objects) ?? new Map<DatasetCollection, CollectionCache>();
  remembered.set(objects, collections);
  const cache = collections.get(collection) ?? { manifests: new Map(), whole: undefined };
  collections.set(collection, cache);
  return cache;
}

async function manifestOf(
  objects: ObjectStore,
  id: string,
  { tag, paths, cached }: Listed & { cached: Map<string, Remembered> },
): Promise<DatasetManifest> {
  const before = cached.get(id);
  if (before && before.tag === tag) return before.manifest;
  const manifest = await readManifest(objects, id);
  if (manifest.folder === undefined) {
    const there = await paths();
    const missing = Object.keys(manifest.files).find((path) => !there.has(path));
    if (missing !== undefined) throw new DatasetDamaged(id, missing, 'it is missing');
  }
  if (tag !== undefined) cached.set(id, { tag, manifest });
  return manifest;
}

function reasonOf(error: unknown): string | undefined {
  if (error instanceof DatasetDamaged) return `${error.path}: ${error.reason}`;
  if (error instanceof DatasetNotFound) return 'manifest.json is missing';
  return error instanceof InvalidDatasetId ? error.message : fileFault(error);
}

/** Ids in a collection, complete or not: one listing of folders, or of a bucket's manifests. */
export async function datasetIds(objects: ObjectStore, collection: DatasetCollection): Promise<string[]> {
  return [...(await listed(objects, collection)).keys()];
}

async function listed(objects: ObjectStore, collection: DatasetCollection): Promise<Map<string, Listed>> {
  const prefix = collectionPrefix(collection);
  const entries = new Map<string, Listed>();
  if (listsFolders(objects)) {
    for await (const { key, tag } of objects.listFolders(prefix)) {
      const id = idIn(collection, key.slice(prefix.length, -1));
      entries.set(id, { tag, paths: () => pathsBelow(objects, key) });
    }
    return entries;
  }
  const all = new Map<string, { paths: Set<string>; tag: string | undefined }>();
  const add = (key: string, tag: string | undefined): void => {
    const cut = key.indexOf('/', prefix.length);
    if (cut < 0) return;
    const id = idIn(collection, key.slice(prefix.length, cut));
    const dataset = all.get(id) ?? { paths: new Set<string>(), tag: undefined };
    const path = key.slice(cut + 1);
    dataset.paths.add(path);
    if (path === 'manifest.json') dataset.tag = tag;
    all.set(id, dataset);
  };
  if (listsObjects(objects)) for await (const { key, tag } of objects.listObjects(prefix)) add(key, tag);
  else for await (const key of objects.list(prefix)) add(key, undefined);
  for (const [id, { paths, tag }] of all) entries.set(id, { tag, paths: () => Promise.resolve(paths) });
  return entries;
}

function listsFolders(objects: ObjectStore): objects is ObjectStore & ListsFolders {
  return 'listFolders' in objects;
}

function listsObjects(objects: ObjectStore): objects is ObjectStore & ListsObjects {
  return 'listObjects' in objects;
}

async function pathsBelow(objects: ObjectStore, folder: string): Promise<ReadonlySet<string>> {
  const paths = new Set<string>();
  for await (const key of objects.list(folder)) paths.add(key.slice(folder.length));
  return paths;
}
