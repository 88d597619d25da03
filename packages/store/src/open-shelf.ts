import { openS3ObjectStore, removeBlocks } from '@cellfolio/bytes';
import { datasetPrefix, filesPrefix, placeOf } from './dataset-id.ts';
import type { DatasetShelf } from './dataset-shelf.ts';
import { FileShelf } from './file-shelf.ts';
import { stagingRoot, type StorePlace } from './object-store-location.ts';

/** The shelf of a place. The client of S3 is loaded only where it is needed: it takes longer than most reads. */
export async function openShelf(place: StorePlace): Promise<DatasetShelf> {
  if (typeof place === 'string' || place.kind === 'file') return new FileShelf(stagingRoot(place));
  const { S3Shelf } = await import('./s3/s3-shelf.ts');
  return new S3Shelf(await openS3ObjectStore(place), stagingRoot(place));
}

/**
 * Takes a dataset away: it is gone at once, its files follow, and what this machine has of them in its cache.
 * Throws InvalidDatasetId, DatasetNotFound, StoreWriteFailed.
 */
export async function removeDataset(place: StorePlace, id: string): Promise<void> {
  placeOf(id);
  await withShelf(place, async (shelf) => {
    await shelf.remove(id);
    if (typeof place === 'string' || place.kind === 'file') return;
    for (const prefix of [filesPrefix(id), datasetPrefix(id)]) await removeBlocks(place.cacheFolder, prefix);
  });
}

/**
 * Removes what writers that died left in a store, as every new writer does; for housekeeping where nothing is written
 * for long. What running writers fill is left alone.
 */
export async function sweepDatasets(place: StorePlace): Promise<void> {
  await withShelf(place, (shelf) => shelf.sweep());
}

async function withShelf(place: StorePlace, work: (shelf: DatasetShelf) => Promise<void>): Promise<void> {
  const shelf = await openShelf(place);
  try {
    await work(shelf);
  } finally {
    await shelf.close();
  }
}
