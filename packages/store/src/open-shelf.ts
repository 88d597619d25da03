import type { DatasetShelf } from './dataset-shelf.ts';
import { FileShelf } from './file-shelf.ts';
import { stagingRoot, type StorePlace } from './object-store-location.ts';

/** The shelf of a place. The client of S3 is loaded only where it is needed: it takes longer than most reads. */
export async function openShelf(place: StorePlace): Promise<DatasetShelf> {
  if (typeof place === 'string' || place.kind === 'file') return new FileShelf(stagingRoot(place));
  const { S3ObjectStore } = await import('./s3/s3-object-store.ts');
  const { S3Shelf } = await import('./s3/s3-shelf.ts');
  return new S3Shelf(new S3ObjectStore(place), stagingRoot(place));
}
