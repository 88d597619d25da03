import { FileBlobStore } from '@cellfolio/bytes';
import { uploadExtensions } from '@cellfolio/contract';
import { createUser, type Database, openStoredObject } from '@cellfolio/platform';
import { openTestDatabase } from '@cellfolio/platform/testing';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setPlan } from '../billing/index.ts';
import { ownerOfUser } from '../../runtime/owners.ts';
import { type NewUserFile, storeOwnFile } from './store-own-file.ts';

const log = { warn: () => {}, info: () => {}, error: () => {} } as never;

let database: Database;
let blobs: FileBlobStore;
let userId: string;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cellfolio-own-file-'));
  database = await openTestDatabase();
  blobs = new FileBlobStore(join(folder, 'blobs'));
  const email = 'owner@example.org';
  ({ id: userId } = await createUser(database, { email, password: 'correct horse', confirmed: true }));
  await setPlan(database, email, 'Professional');
});
afterAll(async () => {
  await database?.close();
  await rm(folder, { recursive: true, force: true });
});

let fileCount = 0;
async function newFile(bytes: number, more: Partial<NewUserFile> = {}): Promise<NewUserFile> {
  const source = join(folder, `${(fileCount += 1)}`);
  await writeFile(source, Buffer.alloc(bytes, 7));
  return {
    owner: ownerOfUser(userId),
    source,
    key: `${fileCount}_cells.h5ad`,
    fileName: 'cells',
    originalFilename: 'cells.h5ad',
    description: null,
    mimeType: 'application/x-hdf5',
    ...more,
  };
}

const store = (file: NewUserFile, objects = 2000) =>
  storeOwnFile({ database, blobs, log, now: Date.now, limits: { quotaBytes: 10_000, objects } }, file);

async function stored(): Promise<string[]> {
  const entries = await readdir(join(folder, 'blobs'), { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

async function traces(): Promise<unknown> {
  const { rows } = await database.pool.query(
    `select (select count(*)::int from public.user_files) as files, (select count(*)::int from storage.objects) as objects,
       (select count(*)::int from storage.uploads) as uploads`,
  );
  return { ...rows[0], bytes: (await stored()).length };
}

test('a file that the server made is its owner’s as an upload is', async () => {
  const file = await newFile(6000);
  const id = await store(file);
  const { rows } = await database.pool.query('select * from public.user_files where id = $1', [id]);
  expect(rows[0]).toMatchObject({
    user_id: userId,
    original_filename: 'cells.h5ad',
    file_size: '6000',
    file_path: `${userId}/${file.key}`,
  });
  const object = await openStoredObject({ database, blobs }, 'user-files', rows[0].file_path);
  expect(Buffer.concat(await (await object!.read()).toArray()).byteLength).toBe(6000);
  expect(await traces()).toEqual({ files: 1, objects: 1, uploads: 0, bytes: 1 });
});

test('there is room for so many files, however small, and an upload under way counts', async () => {
  const before = await traces();
  const refusal = { code: 'QuotaExceeded', message: expect.stringContaining('at most 1 files') };
  await expect(store(await newFile(0), 1)).rejects.toMatchObject(refusal);
  expect(await traces()).toEqual(before);
  await database.pool.query(
    `insert into storage.uploads (id, bucket_id, name, folder, reserved_bytes, expires_at, finished_at)
     values (gen_random_uuid(), 'user-files', $1 || '/1_done.tsv', $1, 0, now() + interval '1 hour', now()),
       (gen_random_uuid(), 'user-files', $1 || '/2_coming.tsv', $1, 0, now() + interval '1 hour', null)`,
    [userId],
  );
  // One object, one upload under way, and one that is over.
  await expect(store(await newFile(0), 2)).rejects.toMatchObject({ code: 'QuotaExceeded' });
  const also = () => Promise.reject(new Error('there was room'));
  await expect(store(await newFile(0, { also }), 3)).rejects.toThrow('there was room');
  await database.pool.query('delete from storage.uploads');
  expect(await traces()).toEqual(before);
});

test('uploads are begun three times for each file there may be, those that ended well today included', async () => {
  const before = await traces();
  await database.pool.query(
    `insert into storage.uploads (id, bucket_id, name, folder, reserved_bytes, expires_at, finished_at)
     select gen_random_uuid(), 'user-files', $1 || '/1_again.tsv', $1, 0, now() + interval '1 hour', now()
     from generate_series(1, 30)`,
    [userId],
  );
  await expect(store(await newFile(0), 10)).rejects.toMatchObject({
    code: 'QuotaExceeded',
    message:
      'At most 30 uploads can be started per day. Finish or cancel the uploads in progress, or continue tomorrow.',
  });
  const also = () => Promise.reject(new Error('there was room'));
  await expect(store(await newFile(0, { also }), 11)).rejects.toThrow('there was room');
  await database.pool.query('delete from storage.uploads');
  expect(await traces()).toEqual(before);
});

test('leaves nothing of a file that is past the quota, that something else forbids, or that the plan does not allow', async () => {
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

test('the database takes the extensions of the contract, and no others', async () => {
  const { rows } = await database.pool.query<{ extensions: string[] }>(
    'select cellfolio.upload_extensions() as extensions',
  );
  expect(rows[0]!.extensions.map((extension) => `.${extension}`).toSorted()).toEqual(
    uploadExtensions.toSorted(),
  );
});
