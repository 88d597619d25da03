import { dirname, join } from 'node:path';
import { datasetPrefix } from './dataset-id.ts';

/** The folder of a dataset below the root of a FileObjectStore. Throws InvalidDatasetId. */
export function datasetFolder(root: string, id: string): string {
  return join(root, datasetPrefix(id).slice(0, -1));
}

/** The folder in which that folder has its name. Throws InvalidDatasetId. */
export function collectionFolder(root: string, id: string): string {
  return dirname(datasetFolder(root, id));
}
