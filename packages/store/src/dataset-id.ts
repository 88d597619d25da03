import { dirname, join } from 'node:path';
import { InvalidDatasetId } from './errors.ts';

/** The public catalogue, and users' own datasets. */
export type DatasetCollection = 'public' | 'custom';

const folders: Readonly<Record<DatasetCollection, string>> = {
  public: 'datasets',
  custom: 'custom-datasets',
};
/** Object folders in stores that cannot rename: separate from the manifests, so that a list of those is short. */
const fileFolders: Readonly<Record<DatasetCollection, string>> = {
  public: 'dataset-files',
  custom: 'custom-dataset-files',
};
const ownMark = 'custom:';
/** Valid folder names; none contains a colon, which Windows forbids in file names. */
const names: Readonly<Record<DatasetCollection, RegExp>> = {
  public: /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,119}$/,
  custom: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
};

interface DatasetLocation {
  collection: DatasetCollection;
  name: string;
}

/**
 * Parses an id, `<file name>` or `custom:<uuid>`. Throws InvalidDatasetId unless it is safe as a folder and in an
 * address.
 */
export function locationOf(id: string): DatasetLocation {
  const own = id.startsWith(ownMark);
  const place: DatasetLocation = own
    ? { collection: 'custom', name: id.slice(ownMark.length) }
    : { collection: 'public', name: id };
  if (!names[place.collection].test(place.name)) throw new InvalidDatasetId(id);
  return place;
}

/** Id of a name in a collection, without validation. */
export function idIn(collection: DatasetCollection, name: string): string {
  return collection === 'custom' ? ownMark + name : name;
}

/** Id of the dataset made from a user's own file. Throws InvalidDatasetId unless the file's id is a lower-case UUID. */
export function customDatasetId(fileId: string): string {
  const id = idIn('custom', fileId);
  locationOf(id);
  return id;
}

/** Id of the file that a dataset was made from; undefined for a catalogue dataset. */
export function fileOfDataset(id: string): string | undefined {
  const name = id.slice(ownMark.length);
  return id.startsWith(ownMark) && names.custom.test(name) ? name : undefined;
}

export function collectionPrefix(collection: DatasetCollection): string {
  return `${folders[collection]}/`;
}

/**
 * Key prefix of a dataset, with a trailing slash: its manifest, and all its objects if it is a folder. Throws
 * InvalidDatasetId.
 */
export function datasetPrefix(id: string): string {
  const { collection, name } = locationOf(id);
  return `${collectionPrefix(collection)}${name}/`;
}

const markSign = '@';

/** Id as a part of `~`-separated names: `custom:<uuid>` becomes `@<uuid>`. Throws InvalidDatasetId. */
export function markOf(id: string): string {
  const { collection, name } = locationOf(id);
  return collection === 'custom' ? markSign + name : name;
}

/** Id of such a part; undefined if it is invalid. */
export function idOfMark(mark: string): string | undefined {
  const id = mark.startsWith(markSign) ? idIn('custom', mark.slice(markSign.length)) : mark;
  try {
    locationOf(id);
    return id;
  } catch {
    return undefined;
  }
}

/** Prefix of a dataset's objects that are not in a folder beside its manifest, with a trailing slash. */
export function filesPrefix(id: string): string {
  const { collection, name } = locationOf(id);
  return `${fileFolders[collection]}/${name}/`;
}

/**
 * Prefix of results derived from a dataset, with a trailing slash; removed with the dataset. Throws InvalidDatasetId.
 */
export function derivedPrefix(id: string): string {
  return `derived/${markOf(id)}/`;
}

/** Whether the object under a key is immutable: the key is never reused. */
export function isWrittenOnce(key: string): boolean {
  return Object.values(fileFolders).some((folder) => key.startsWith(`${folder}/`));
}

/** Key of the object whose presence makes a dataset exist. Throws InvalidDatasetId. */
export function manifestKey(id: string): string {
  return `${datasetPrefix(id)}manifest.json`;
}

/** Throws InvalidDatasetId. */
export function datasetFolder(root: string, id: string): string {
  return join(root, datasetPrefix(id).slice(0, -1));
}

/** Parent of the dataset's folder. Throws InvalidDatasetId. */
export function collectionFolder(root: string, id: string): string {
  return dirname(datasetFolder(root, id));
}
