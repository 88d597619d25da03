import { InvalidDatasetId } from './errors.ts';

const valid = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,119}$/;

/** Returns the id. Throws InvalidDatasetId unless it is safe as a folder name and in an address. */
export function checkedDatasetId(id: string): string {
  if (!valid.test(id)) throw new InvalidDatasetId(id);
  return id;
}

/** Key prefix of everything a dataset consists of, with its closing slash. */
export function datasetPrefix(id: string): string {
  return `datasets/${checkedDatasetId(id)}/`;
}
