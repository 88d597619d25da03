import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { openTestDatabase } from '../open-test-database.ts';
import { type NewOwnFile, storeOwnFile } from './services/store-own-file.ts';
import { type FileServer, startFileServer } from './testing/file-server.ts';

const log = { warn: () => {}, info: () => {}, error: () => {} } as never;

let database: Database;
let server: FileServer;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cellfolio-own-file-'));
  database = await openTestDatabase();
  server = await startFileServer(database);
});
afterAll(async () => {
  await server?.close();
  await database?.close();
  await rm(folder, { recursive: true, force: true });
});

let made = 0;
async function newFile(bytes: number, more: Partial<NewOwnFile> = {}): Promise<NewOwnFile> {
  const source = join(folder, `${(made += 1)}`);
  await writeFile(source, Buffer.alloc(bytes, 7));
  return {
    userId: server.userId,
    source,
    key: `${made}_cells.h5ad`,
    fileName: 'cells',
    originalFilename: 'cells.h5ad',
    description: null,
    mimeType: 'application/x-hdf5',
    ...more,
  };
}

const store = (file: NewOwnFile, userQuotaBytes = 10_000) =>
  storeOwnFile(
    { database, blobs: server.blobs, log, now: Date.now, settings: { userQuotaBytes, sweepSeconds: 0 } },
    file,
  );

/** Everything there is of files: rows, objects, uploads under way, bytes. */
async function traces(): Promise<unknown> {
  const { rows } = await database.pool.query(
    `select (select count(*)::int from public.user_files) as files, (select count(*)::int from storage.objects) as objects,
       (select count(*)::int from storage.uploads) as uploads`,
  );
  return { ...rows[0], bytes: (await server.stored()).length };
}

test('M24 a file that the server made is its owner’s as an upload is', async () => {
  const file = await newFile(6000);
  const id = await store(file);
  const { rows } = await database.pool.query('select * from public.user_files where id = $1', [id]);
  expect(rows[0]).toMatchObject({
    user_id: server.userId,
    original_filename: 'cells.h5ad',
    file_size: '6000',
    file_path: `${server.userId}/${file.key}`,
  });
  const { data } = await server.files.download(rows[0].file_path);
  expect((await data?.arrayBuffer())?.byteLength).toBe(6000);
  expect(await traces()).toEqual({ files: 1, objects: 1, uploads: 0, bytes: 1 });
});

test('M55 leaves nothing of a file that is past the quota, that something else forbids, or that the plan does not allow', async () => {
  const before = await traces();
  await expect(store(await newFile(4001))).rejects.toMatchObject({ code: 'QuotaExceeded' });
  expect(await traces()).toEqual(before);
  const also = () => Promise.reject(new Error('no longer wanted'));
  await expect(store(await newFile(10, { also }))).rejects.toThrow('no longer wanted');
  expect(await traces()).toEqual(before);
  await database.pool.query('delete from public.subscriptions');
  await expect(store(await newFile(10))).rejects.toMatchObject({ code: '42501' });
  expect(await traces()).toEqual(before);
});
