import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startS3Server } from '../testing/s3-server.ts';
import { BlobTooLarge, ObjectNotFound } from '../errors.ts';
import type { ByteSource } from '../object-store.ts';
import type { BlobState, BlobStore, Checkpoint } from './blob-store.ts';
import { openBlobStore } from '../open-stores.ts';
import { FileBlobStore } from './file-blob-store.ts';

const MB = 1000 * 1000;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function* piecesOf(bytes: Uint8Array, size = 64 * 1024): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size);
}

async function* breaking(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield* piecesOf(bytes);
  throw new Error('the line went dead');
}

interface Kind {
  name: string;
  open(): Promise<{ store: BlobStore; files(): Promise<string[]>; close(): Promise<void> }>;
}

const filesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);

const kinds: Kind[] = [
  {
    name: 'folder',
    open: async () => {
      const folder = await mkdtemp(join(tmpdir(), 'cellfolio-blobs-'));
      const store = await openBlobStore(pathToFileURL(folder).href);
      return { store, files: () => filesIn(folder), close: () => rm(folder, { recursive: true }) };
    },
  },
  {
    name: 'S3 server',
    open: async () => {
      const server = await startS3Server();
      const store = await openBlobStore(server.url);
      const files = () => filesIn(server.folder);
      return {
        store,
        files,
        close: async () => {
          await store.close();
          await server.stop();
        },
      };
    },
  },
];

describe.each(kinds)('blobs in a $name', ({ open }) => {
  let opened: Awaited<ReturnType<Kind['open']>>;
  let store: BlobStore;
  beforeAll(async () => {
    opened = await open();
    ({ store } = opened);
  });
  afterAll(() => opened?.close());

  let keyCount = 0;
  const newKey = () => `files/00/blob-${(keyCount += 1)}`;
  const put = (key: string, body: ByteSource, maxBytes = 1000 * MB) => store.put(key, body, { maxBytes });
  const read = async (key: string, range?: { offset: number; length: number }): Promise<Buffer> => {
    const pieces: Buffer[] = [];
    for await (const piece of await store.get(key, range ? { range } : {})) pieces.push(piece as Buffer);
    return Buffer.concat(pieces);
  };
  const keys = async (prefix: string): Promise<string[]> => {
    const allKeys: string[] = [];
    for await (const key of store.list(prefix)) allKeys.push(key);
    return allKeys.sort();
  };
  const append = async (
    key: string,
    request: { state: BlobState; offset: number; length: number; body: ByteSource },
  ): Promise<{ checkpoints: Checkpoint[]; error: unknown }> => {
    const checkpoints: Checkpoint[] = [];
    try {
      for await (const checkpoint of store.resumable.append(key, request)) checkpoints.push(checkpoint);
    } catch (error) {
      return { checkpoints, error };
    }
    return { checkpoints, error: undefined };
  };

  test('come back as they were, whole and in ranges, with their size and digest', async () => {
    const key = newKey();
    const bytes = randomBytes(300_000);
    expect(await put(key, piecesOf(bytes))).toEqual({ size: 300_000, digest: sha256(bytes) });
    expect(await store.head(key)).toMatchObject({ size: 300_000 });
    expect(Buffer.compare(await read(key), bytes)).toBe(0);
    expect(await read(key, { offset: 7, length: 11 })).toEqual(bytes.subarray(7, 18));
    expect(await read(key, { offset: 299_999, length: 1 })).toEqual(bytes.subarray(299_999));
    expect(await read(key, { offset: 5, length: 0 })).toHaveLength(0);
  });

  test('may be empty, and may be larger than a part', async () => {
    const empty = newKey();
    expect((await put(empty, piecesOf(Buffer.alloc(0)))).size).toBe(0);
    expect(await store.head(empty)).toMatchObject({ size: 0 });
    expect(await read(empty)).toHaveLength(0);
    const large = newKey();
    const bytes = randomBytes(21 * MB);
    await store.put(large, piecesOf(bytes), { maxBytes: 1000 * MB, expectedBytes: bytes.byteLength });
    expect(sha256(await read(large))).toBe(sha256(bytes));
  });

  test('that are missing are reported as such, or ignored', async () => {
    await expect(store.get('files/00/none')).rejects.toThrow(ObjectNotFound);
    await expect(store.copy('files/00/none', 'files/00/copy')).rejects.toThrow(ObjectNotFound);
    expect(await store.head('files/00/none')).toBeUndefined();
    await store.delete('files/00/none');
    await store.resumable.discard('files/00/none', null);
  });

  test.each([
    ['breaks off early', 10_000, 'the line went dead'],
    ['breaks off in a later part', 18 * MB, 'the line went dead'],
  ])('whose sender %s leave nothing behind', async (_case, size, message) => {
    const before = await opened.files();
    const key = newKey();
    await expect(put(key, breaking(randomBytes(size)))).rejects.toThrow(message);
    expect(await store.head(key)).toBeUndefined();
    expect(await opened.files()).toEqual(before);
  });

  test('that are larger than allowed are refused at that byte, and leave nothing behind', async () => {
    const before = await opened.files();
    let bytesYielded = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        bytesYielded += 100_000;
        yield Buffer.alloc(100_000);
      }
    }
    await expect(put(newKey(), endless(), 250_000)).rejects.toThrow(BlobTooLarge);
    expect(bytesYielded).toBe(300_000);
    expect(await opened.files()).toEqual(before);
  });

  test('whose caller goes away stop being taken in', async () => {
    const controller = new AbortController();
    async function* slow(): AsyncGenerator<Uint8Array> {
      for (let piece = 0; ; piece += 1) {
        if (piece === 3) controller.abort(new Error('gone'));
        yield Buffer.alloc(1000);
      }
    }
    const key = newKey();
    await expect(store.put(key, slow(), { maxBytes: MB, signal: controller.signal })).rejects.toThrow('gone');
    expect(await store.head(key)).toBeUndefined();
  });

  test('are copied, listed by prefix, and deleted one by one', async () => {
    const bytes = randomBytes(1000);
    await put('files/zz/one', piecesOf(bytes));
    await store.copy('files/zz/one', 'files/zz/two');
    expect(await keys('files/zz/')).toEqual(['files/zz/one', 'files/zz/two']);
    await store.delete('files/zz/one');
    expect(await keys('files/zz/')).toEqual(['files/zz/two']);
    expect(await read('files/zz/two')).toEqual(bytes);
    expect(await keys('files/none/')).toEqual([]);
  });

  test('grow over several requests, and are there once finished', async () => {
    const key = newKey();
    const bytes = randomBytes(20 * MB);
    let state: BlobState = null;
    let offset = 0;
    for (const size of [1, 6 * MB, 100, 9 * MB, 5 * MB - 101]) {
      const body = piecesOf(bytes.subarray(offset, offset + size));
      const { checkpoints, error } = await append(key, { state, offset, length: bytes.byteLength, body });
      expect(error).toBeUndefined();
      const last = checkpoints.at(-1)!;
      expect(last.offset).toBe(offset + size);
      ({ state, offset } = last);
      expect(await store.head(key)).toBeUndefined();
    }
    await store.resumable.finish(key, state, bytes.byteLength);
    // The answer may have been lost.
    await store.resumable.finish(key, state, bytes.byteLength);
    expect(sha256(await read(key))).toBe(sha256(bytes));
    expect((await opened.files()).filter((name) => name.includes('tail') || name.includes('part~'))).toEqual(
      [],
    );
  });

  test('keep what had arrived when the line breaks, and say where to go on', async () => {
    const key = newKey();
    const bytes = randomBytes(10 * MB);
    const first = await append(key, {
      state: null,
      offset: 0,
      length: bytes.byteLength,
      body: breaking(bytes.subarray(0, 9_123_456)),
    });
    expect(first.error).toMatchObject({ message: 'the line went dead' });
    const { offset, state } = first.checkpoints.at(-1)!;
    expect(offset).toBe(9_123_456);
    const rest = piecesOf(bytes.subarray(offset));
    const second = await append(key, { state, offset, length: bytes.byteLength, body: rest });
    await store.resumable.finish(key, second.checkpoints.at(-1)!.state, bytes.byteLength);
    expect(sha256(await read(key))).toBe(sha256(bytes));
  });

  test('drop what a writer left that died before it could say so', async () => {
    const key = newKey();
    const bytes = randomBytes(9 * MB);
    const length = bytes.byteLength;
    const first = await append(key, {
      state: null,
      offset: 0,
      length,
      body: piecesOf(bytes.subarray(0, 1000)),
    });
    const lastCheckpoint = first.checkpoints.at(-1)!;
    // Its writer dies with the first of its checkpoints in its hands.
    const lost = store.resumable.append(key, {
      ...lastCheckpoint,
      length,
      body: piecesOf(randomBytes(9 * MB)),
    });
    const dying = lost[Symbol.asyncIterator]();
    onTestFinished(async () => void (await dying.return?.()));
    await dying.next();
    const rest = await append(key, { ...lastCheckpoint, length, body: piecesOf(bytes.subarray(1000)) });
    await store.resumable.finish(key, rest.checkpoints.at(-1)!.state, length);
    expect(sha256(await read(key))).toBe(sha256(bytes));
  });

  test('grow from nothing to nothing', async () => {
    const key = newKey();
    await store.resumable.finish(key, null, 0);
    expect(await store.head(key)).toMatchObject({ size: 0 });
  });

  test('that were begun and given up leave nothing behind, however often they are discarded', async () => {
    const before = await opened.files();
    const key = newKey();
    const body = piecesOf(randomBytes(9 * MB));
    const { checkpoints } = await append(key, { state: null, offset: 0, length: 20 * MB, body });
    const { state } = checkpoints.at(-1)!;
    await store.resumable.discard(key, state);
    await store.resumable.discard(key, state);
    expect(await opened.files()).toEqual(before);
  });

  test('that are finished before they are complete are refused', async () => {
    const key = newKey();
    const body = piecesOf(randomBytes(1000));
    const { checkpoints } = await append(key, { state: null, offset: 0, length: 2000, body });
    await store.resumable.finish(key, checkpoints.at(-1)!.state, 1000);
    expect(await store.head(key)).toMatchObject({ size: 1000 });
    const missing = newKey();
    await expect(
      store.resumable.finish(missing, { file: missing, uploadId: 'x', parts: '', tail: 0 }, 5),
    ).rejects.toThrow(/could not write|the object store failed/);
  });
});

test('a folder takes nothing below what is to stay free on its disk, but gives what it has', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cellfolio-blobs-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const bytes = randomBytes(1000);
  await new FileBlobStore(folder).put('files/one', piecesOf(bytes), { maxBytes: MB });
  const store = new FileBlobStore(folder, { keptFree: Number.MAX_SAFE_INTEGER });
  const full = { code: 'ENOSPC' };
  await expect(store.put('files/two', piecesOf(bytes), { maxBytes: MB })).rejects.toMatchObject(full);
  await expect(store.copy('files/one', 'files/two')).rejects.toMatchObject(full);
  const request = { state: null, offset: 0, length: 1000, body: piecesOf(bytes) };
  const appending = store.resumable.append('files/three', request)[Symbol.asyncIterator]();
  await expect(appending.next()).rejects.toMatchObject(full);
  await store.resumable.discard('files/three', null);
  expect(await filesIn(folder)).toEqual(['one']);
  expect(await buffer(await store.get('files/one'))).toEqual(bytes);
});
