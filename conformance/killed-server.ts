import { readdir } from 'node:fs/promises';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { FileBlobStore } from '@cellfolio/bytes';
import { migrate, openDatabase, orphanedBlobs, sweepStorage } from '@cellfolio/platform';
import { productMigrations } from '@cellfolio/platform/testing';
import { startPlatform } from './platform-server.ts';

/** Server process to be killed: `folder [database url]`. Sends its address, and `Leftovers` on request. */

export interface Leftovers {
  orphans: number;
  files: number;
  objects: number;
  uploads: number;
  dead: number;
}

const [folder = '', url] = process.argv.slice(2);
const database = await openDatabase({ dataDir: folder, ...(url !== undefined && { url }) });
await migrate(database, productMigrations);
const files = join(folder, 'files');
const blobs = new FileBlobStore(files);
const server = await startPlatform(
  database,
  {},
  { storage: { blobs, settings: { sweepSeconds: 0, leaseSeconds: 2 } } },
);
// Now rather than at exit, so that the killed server leaves it to the next.
flushCompileCache();
process.send?.({ url: server.url, key: server.keys.publishableKey });

process.on('message', () => void leftovers().then((counted) => process.send?.(counted)));

async function leftovers(): Promise<Leftovers> {
  const log = { info: () => {}, warn: console.warn, error: console.error } as never;
  const later = () => Date.now() + 48 * 3600 * 1000;
  await sweepStorage({ database, blobs, log, now: later });
  let orphans = 0;
  for await (const key of orphanedBlobs({ database, blobs })) orphans += key.length > 0 ? 1 : 0;
  const count = async (table: string) =>
    Number((await database.pool.query(`select count(*) as count from storage.${table}`)).rows[0].count);
  const onDisk = await readdir(files, { recursive: true, withFileTypes: true });
  return {
    orphans,
    files: onDisk.filter((one) => one.isFile()).length,
    objects: await count('objects'),
    uploads: await count('uploads'),
    dead: await count('dead_blobs'),
  };
}
