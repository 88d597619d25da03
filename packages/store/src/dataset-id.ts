import { dirname, join } from 'node:path';
import { InvalidDatasetId } from './errors.ts';

/** The catalogue that all see, and the datasets that users brought along for themselves. */
export type DatasetCollection = 'public' | 'custom';

const folders: Readonly<Record<DatasetCollection, string>> = {
  public: 'datasets',
  custom: 'custom-datasets',
};
/** Objects of stores that cannot move a folder: beside the manifests, so that a list of those is short. */
const fileFolders: Readonly<Record<DatasetCollection, string>> = {
  public: 'dataset-files',
  custom: 'custom-dataset-files',
};
const ownMark = 'custom:';
/** What a folder may be called; a colon is in none of them, as Windows allows it in no file name. */
const names: Readonly<Record<DatasetCollection, RegExp>> = {
  public: /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,119}$/,
  custom: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
};

/** Where a dataset belongs: its collection, and the name of its folder in it. */
interface DatasetLocation {
  readonly collection: DatasetCollection;
  readonly name: string;
}

/** Reads an id, `<file name>` or `custom:<uuid>`. Throws InvalidDatasetId unless it is safe as a folder and in an address. */
export function locationOf(id: string): DatasetLocation {
  const own = id.startsWith(ownMark);
  const place: DatasetLocation = own
    ? { collection: 'custom', name: id.slice(ownMark.length) }
    : { collection: 'public', name: id };
  if (!names[place.collection].test(place.name)) throw new InvalidDatasetId(id);
  return place;
}

/** The id of what stands under a name in a collection, whether the name is a good one or not. */
export function idIn(collection: DatasetCollection, name: string): string {
  return collection === 'custom' ? ownMark + name : name;
}

/** Id of the dataset made from a user's own file. Throws InvalidDatasetId unless the file's id is a lower-case UUID. */
export function customDatasetId(fileId: string): string {
  const id = idIn('custom', fileId);
  locationOf(id);
  return id;
}

/** Id of the file that a dataset was made from; undefined for a dataset of the catalogue. */
export function fileOfDataset(id: string): string | undefined {
  const name = id.slice(ownMark.length);
  return id.startsWith(ownMark) && names.custom.test(name) ? name : undefined;
}

/** Key prefix of a whole collection, with its closing slash. */
export function collectionPrefix(collection: DatasetCollection): string {
  return `${folders[collection]}/`;
}

/** Key prefix of a dataset, with its closing slash: its manifest, and all its objects where it is a folder. Throws InvalidDatasetId. */
export function datasetPrefix(id: string): string {
  const { collection, name } = locationOf(id);
  return `${collectionPrefix(collection)}${name}/`;
}

const markSign = '@';

/** The id as a part of other names, parted by `~`: `custom:<uuid>` is `@<uuid>` there. Throws InvalidDatasetId. */
export function markOf(id: string): string {
  const { collection, name } = locationOf(id);
  return collection === 'custom' ? markSign + name : name;
}

/** The id of such a part; undefined where it is none of ours. */
export function idOfMark(mark: string): string | undefined {
  const id = mark.startsWith(markSign) ? idIn('custom', mark.slice(markSign.length)) : mark;
  try {
    locationOf(id);
    return id;
  } catch {
    return undefined;
  }
}

/** Where the objects of a dataset are that are in no folder beside its manifest, with its closing slash. */
export function filesPrefix(id: string): string {
  const { collection, name } = locationOf(id);
  return `${fileFolders[collection]}/${name}/`;
}

/** Where what was computed of a dataset is kept, with its closing slash; it is removed with the dataset. Throws InvalidDatasetId. */
export function derivedPrefix(id: string): string {
  return `derived/${markOf(id)}/`;
}

/** Whether the object under a key is written once: nothing else ever gets that key. */
export function isWrittenOnce(key: string): boolean {
  return Object.values(fileFolders).some((folder) => key.startsWith(`${folder}/`));
}

/** Key of the object that makes a dataset be there. Throws InvalidDatasetId. */
export function manifestKey(id: string): string {
  return `${datasetPrefix(id)}manifest.json`;
}

/** The folder of a dataset below the root of a store of files. Throws InvalidDatasetId. */
export function datasetFolder(root: string, id: string): string {
  return join(root, datasetPrefix(id).slice(0, -1));
}

/** The folder in which that folder has its name. Throws InvalidDatasetId. */
export function collectionFolder(root: string, id: string): string {
  return dirname(datasetFolder(root, id));
}
