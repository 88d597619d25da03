import { open } from 'node:fs/promises';

/** Makes the names in a folder durable: a synced file whose name is not synced can still be lost. */
export async function syncFolder(path: string): Promise<void> {
  // Windows has no way to sync a folder, and refuses to open one.
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
