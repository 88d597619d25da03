import { removeBlocks } from './cache/cache-folder.ts';
import { placeOf } from './dataset-id.ts';
import type { StorePlace } from './object-store-location.ts';
import { openShelf } from './open-shelf.ts';

/**
 * Takes a dataset away: it is gone at once, its files follow, and what this machine has of them in its cache.
 * Throws InvalidDatasetId, DatasetNotFound, StoreWriteFailed.
 */
export async function removeDataset(place: StorePlace, id: string): Promise<void> {
  placeOf(id);
  const shelf = await openShelf(place);
  try {
    await shelf.remove(id);
    if (typeof place !== 'string' && place.kind === 's3') await removeBlocks(place.cacheFolder, id);
  } finally {
    await shelf.close();
  }
}
