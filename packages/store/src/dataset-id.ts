import { InvalidDatasetId } from './errors.ts';

/** The catalogue that all see, and the datasets that users brought along for themselves. */
export type DatasetCollection = 'public' | 'custom';

const folders: Readonly<Record<DatasetCollection, string>> = {
  public: 'datasets',
  custom: 'custom-datasets',
};
const ownMark = 'custom:';
/** What a folder may be called; a colon is in none of them, as Windows allows it in no file name. */
const names: Readonly<Record<DatasetCollection, RegExp>> = {
  public: /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,119}$/,
  custom: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
};

/** Where a dataset belongs: its collection, and the name of its folder in it. */
export interface DatasetPlace {
  readonly collection: DatasetCollection;
  readonly name: string;
}

/** Reads an id, `<file name>` or `custom:<uuid>`. Throws InvalidDatasetId unless it is safe as a folder and in an address. */
export function placeOf(id: string): DatasetPlace {
  const own = id.startsWith(ownMark);
  const place: DatasetPlace = own
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
  placeOf(id);
  return id;
}

/** Key prefix of a whole collection, with its closing slash. */
export function collectionPrefix(collection: DatasetCollection): string {
  return `${folders[collection]}/`;
}

/** Key prefix of everything a dataset consists of, with its closing slash. Throws InvalidDatasetId. */
export function datasetPrefix(id: string): string {
  const { collection, name } = placeOf(id);
  return `${collectionPrefix(collection)}${name}/`;
}
