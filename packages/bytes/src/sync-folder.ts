import { mkdir, open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const isWindows = process.platform === 'win32';

/** Makes the content of a file survive a power failure. */
export async function syncFile(path: string): Promise<void> {
  // Windows syncs only files open for writing.
  const handle = await open(path, isWindows ? 'r+' : 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes the names in a folder survive a power failure: a synced file whose name is not synced can still be lost. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open or sync a folder.
  if (!isWindows) await syncFile(path);
}

/** Syncs every file and folder under `folder`, and the folder itself. */
export async function syncTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await syncTree(path);
    else if (entry.isFile()) await syncFile(path);
  }
  await syncFolder(folder);
}

export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true });
  if (first === undefined) return;
  const top = dirname(first);
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    await syncFolder(folder);
    if (folder === top || folder === dirname(folder)) return;
  }
}
