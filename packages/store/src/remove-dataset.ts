import { placeOf } from './dataset-id.ts';
import type { StorePlace } from './object-store-location.ts';
import { openShelf } from './open-shelf.ts';

/**
 * Takes a dataset away: it is gone at once, its files follow.
 * Throws InvalidDatasetId, DatasetNotFound, StoreWriteFailed.
 */
export async function removeDataset(place: StorePlace, id: string): Promise<void> {
  placeOf(id);
  const shelf = await openShelf(place);
  try {
    await shelf.remove(id);
  } finally {
    await shelf.close();
  }
}
