import { openObjectStore, type OpenedObjectStore } from '@cellfolio/store';
import type { Settings } from '../boot/settings/read-settings.ts';

/** Opens the store without the cache of the server: what a command tells is what is there. */
export function openUncached({ objects }: Pick<Settings, 'objects'>): Promise<OpenedObjectStore> {
  return openObjectStore(objects.kind === 's3' ? { ...objects, cacheBytes: 0 } : objects);
}

/** The store for the time of one piece of work. */
export async function withObjects<T>(
  settings: Pick<Settings, 'objects'>,
  work: (objects: OpenedObjectStore) => Promise<T>,
): Promise<T> {
  const objects = await openUncached(settings);
  try {
    return await work(objects);
  } finally {
    await objects.close();
  }
}
