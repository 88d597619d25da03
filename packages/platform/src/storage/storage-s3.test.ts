import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { Upload } from 'tus-js-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBlobStore } from '@cellfolio/bytes';
import { type S3Server, startS3Server } from '@cellfolio/bytes/testing';
import type { Database } from '../database/database.ts';
import { openTestDatabase } from '../database/test-databases.ts';
import { blobKeyOf } from './objects.ts';
import { sweepStorage } from './sweep-storage.ts';
import { type FileServer, startFileServer } from './testing/file-server.ts';

const bucket = 'user-files';
const MB = 1000 * 1000;
const silent = { warn: () => {}, info: () => {}, error: () => {} } as never;

let database: Database;
let s3: S3Server;
let server: FileServer;
beforeAll(async () => {
  database = await openTestDatabase();
  s3 = await startS3Server();
  server = await startFileServer(database, { blobs: await openBlobStore(s3.url) });
});
afterAll(async () => {
  await server?.close();
  await server?.blobs.close();
  await s3?.stop();
  await database?.close();
});

let nameCount = 0;
const newName = () => `${server.userId}/${(nameCount += 1)}.h5ad`;
const download = async (name: string): Promise<Buffer> =>
  Buffer.from(await (await server.files.download(name)).data!.arrayBuffer());
const keys = async (): Promise<string[]> => {
  const keyList: string[] = [];
  for await (const key of server.blobs.list('')) keyList.push(key);
  return keyList;
};

test('files on S3 are uploaded, read in ranges, copied, replaced and removed', async () => {
  const bytes = randomBytes(18 * MB);
  const name = newName();
  expect((await server.files.upload(name, bytes)).error).toBeNull();
  expect(Buffer.compare(await download(name), bytes)).toBe(0);
  const part = await server.call('GET', `/object/${bucket}/${name}`, {
    headers: { range: 'bytes=9000000-9000009' },
  });
  expect(part.status).toBe(206);
  expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(9_000_000, 9_000_010));
  const copy = newName();
  expect((await server.files.copy(name, copy)).error).toBeNull();
  expect((await server.files.update(name, Buffer.from('short'))).error).toBeNull();
  expect((await download(name)).toString()).toBe('short');
  expect(Buffer.compare(await download(copy), bytes)).toBe(0);
  await server.files.remove([name, copy]);
  expect(await keys()).toEqual([]);
});

test('an upload to S3 resumes with any chunk size', async () => {
  const bytes = randomBytes(17 * MB);
  for (const chunkSize of [6 * MB, 1_234_567, Infinity]) {
    const name = newName();
    const upload = (uploadUrl: string | null, stopAfter: number): Promise<string | null> =>
      new Promise((resolve, reject) => {
        const client = new Upload(bytes, {
          endpoint: `${server.url}/storage/v1/upload/resumable`,
          uploadUrl,
          headers: server.headers,
          chunkSize,
          retryDelays: [],
          metadata: { bucketName: bucket, objectName: name },
          onError: reject,
          onSuccess: () => resolve(client.url),
          onChunkComplete: (_size, accepted) => {
            if (accepted >= stopAfter) void client.abort().then(() => resolve(client.url));
          },
        });
        client.start();
      });
    const url = await upload(null, 2 * MB);
    await upload(url, Infinity);
    expect(Buffer.compare(await download(name), bytes)).toBe(0);
    await server.files.remove([name]);
  }
  expect(await keys()).toEqual([]);
});

test('an abandoned upload to S3 is deleted with its parts', async () => {
  const sweep = (now: () => number) => sweepStorage({ database, blobs: server.blobs, log: silent, now });
  const later = () => Date.now() + 25 * 3600 * 1000;
  await sweep(later);
  const begun = await server.call('POST', '/upload/resumable', {
    headers: {
      'tus-resumable': '1.0.0',
      'upload-length': String(20 * MB),
      'upload-metadata': `bucketName ${btoa(bucket)},objectName ${btoa(newName())}`,
      'content-type': 'application/offset+octet-stream',
    },
    body: new Uint8Array(9 * MB),
  });
  expect([begun.status, begun.headers.get('upload-offset')]).toEqual([201, String(9 * MB)]);
  expect(await s3.unfinished()).not.toEqual([]);
  expect(await sweep(later)).toEqual({ uploads: 1, blobs: 1 });
  expect(await s3.unfinished()).toEqual([]);
  expect(await keys()).toEqual([]);
});

test('what a writer that died had put aside goes with the note of its upload, and the file stays', async () => {
  const bytes = randomBytes(7 * MB);
  const name = newName();
  const sent = await server.call('POST', '/upload/resumable', {
    headers: {
      'tus-resumable': '1.0.0',
      'upload-length': String(bytes.byteLength),
      'upload-metadata': `bucketName ${btoa(bucket)},objectName ${btoa(name)}`,
      'content-type': 'application/offset+octet-stream',
    },
    body: bytes,
  });
  expect(sent.headers.get('upload-offset')).toBe(String(bytes.byteLength));
  const [key] = await keys();
  // The state after a kill between the last part and the cleanup.
  await server.blobs.put(`${key}.0-512.tail`, Readable.from([randomBytes(512)]), { maxBytes: 512 });
  const aside = async () =>
    (await readdir(s3.folder, { recursive: true })).filter((fileName) => fileName.includes('.tail'));
  expect(await aside()).not.toEqual([]);
  await sweepStorage({
    database,
    blobs: server.blobs,
    log: silent,
    now: () => Date.now() + 25 * 3600 * 1000,
  });
  expect(await aside()).toEqual([]);
  expect(Buffer.compare(await download(name), bytes)).toBe(0);
  await server.files.remove([name]);
  expect(await keys()).toEqual([]);
});

test('what a writer that died put aside before it could say so is cleared away with its upload', async () => {
  const begun = await server.call('POST', '/upload/resumable', {
    headers: {
      'tus-resumable': '1.0.0',
      'upload-length': String(MB),
      'upload-metadata': `bucketName ${btoa(bucket)},objectName ${btoa(newName())}`,
    },
  });
  expect(begun.status).toBe(201);
  const { rows } = await database.pool.query<{ id: string }>(
    'select id from storage.uploads where finished_at is null and blob_state is null',
  );
  const tail = `${blobKeyOf(rows[0]!.id)}.0-512.tail`;
  await server.blobs.put(tail, Readable.from([randomBytes(512)]), { maxBytes: 512 });
  expect(await server.blobs.head(tail)).toMatchObject({ size: 512 });
  await sweepStorage({
    database,
    blobs: server.blobs,
    log: silent,
    now: () => Date.now() + 25 * 3600 * 1000,
  });
  expect(await server.blobs.head(tail)).toBeUndefined();
});

test('while S3 is unavailable nothing is lost, and errors say to retry', async () => {
  const name = newName();
  await server.files.upload(name, Buffer.from('kept'));
  await s3.pause();
  const refused = await server.call('POST', `/object/${bucket}/${newName()}`, { body: 'x' });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await refused.json()).toMatchObject({
    code: 'SlowDown',
    message: expect.stringContaining('try again'),
  });
  const inParts = await server.call('POST', '/upload/resumable', {
    headers: {
      'tus-resumable': '1.0.0',
      'upload-length': '10',
      'upload-metadata': `bucketName ${btoa(bucket)},objectName ${btoa(newName())}`,
      'content-type': 'application/offset+octet-stream',
    },
    body: '0123456789',
  });
  expect([inParts.status, inParts.headers.get('retry-after')]).toEqual([503, '5']);
  // The row is deleted, the bytes are recorded for later.
  expect((await server.files.remove([name])).data).toHaveLength(1);
  await s3.resume();
  await sweepStorage({ database, blobs: server.blobs, log: silent, now: Date.now });
  expect(await keys()).toEqual([]);
});
