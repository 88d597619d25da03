import type { StorePlace } from './object-store-location.ts';
import { openShelf } from './open-shelf.ts';

/**
 * Removes what writers that died left in a store, as every new writer does; for housekeeping where nothing is written
 * for long. What running writers fill is left alone.
 */
export async function sweepDatasets(place: StorePlace): Promise<void> {
  const shelf = await openShelf(place);
  try {
    await shelf.sweep();
  } finally {
    await shelf.close();
  }
}
