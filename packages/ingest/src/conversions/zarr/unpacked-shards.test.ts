import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ZipEntry, zipFile } from '../../testing/zip-file.ts';
import { openZip } from '../zip-file.ts';
import { unpackedShards } from './unpacked-shards.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cellfolio-shards-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const plain = (bytes: Uint8Array) => Uint8Array.from(bytes);
const shard = (seed: number) => Uint8Array.from({ length: 5000 }, (_, at) => (at * 7 + seed) % 251);

async function opened(name: string, entries: readonly ZipEntry[]) {
  const path = join(folder, `${name}.zip`);
  writeFileSync(path, zipFile(entries));
  const zip = await openZip(path);
  let unpacked = 0;
  const unpack: typeof zip.unpack = (entry, to) => {
    unpacked++;
    return zip.unpack(entry, to);
  };
  const shards = unpackedShards(path, { ...zip, unpack }, join(folder, name));
  const close = async () => {
    await shards.close();
    await zip.close();
  };
  return { shards, close, unpacked: () => unpacked };
}

test('a deflated shard is unpacked once, however many of its chunks are read', async () => {
  const bytes = shard(3);
  const { shards, close, unpacked } = await opened('once', [{ name: 'X/c/0', bytes, deflate: true }]);
  for (let offset = 0; offset < 5000; offset += 50)
    expect(plain(await shards.get('X/c/0', { offset, length: 50 }))).toEqual(
      bytes.subarray(offset, offset + 50),
    );
  expect(plain(await shards.get('X/c/0', { suffixLength: 20 }))).toEqual(bytes.subarray(4980));
  expect(unpacked()).toBe(1);
  expect(readdirSync(folder).filter((name) => name.includes('.shard-'))).toEqual([]);
  await close();
});

test('sixteen shards that are read in turn stay unpacked, and of more the one that waited longest goes', async () => {
  const names = Array.from({ length: 17 }, (_, at) => `X/c/${at}`);
  const entries = names.map((name, at) => ({ name, bytes: shard(at), deflate: true }));
  const { shards, close, unpacked } = await opened('in-turn', entries);
  const first = (at: number) => shards.get(names[at]!, { offset: 0, length: 1 });
  for (const round of [1, 2, 3])
    for (let at = 0; at < 16; at++) expect([round, ...(await first(at))]).toEqual([round, shard(at)[0]]);
  expect(unpacked()).toBe(16);
  await first(16);
  await first(15);
  expect(unpacked()).toBe(17);
  await first(0);
  expect(unpacked()).toBe(18);
  await close();
});

test.each([
  ['unpacks to more than its list says', { size: 4000 }, { code: 'unreadable' }],
  ['unpacks to less than its list says', { size: 6000 }, { code: 'unreadable' }],
  ['says that it is larger than a disk', { size: 2 ** 32 - 2 }, { code: 'too-large' }],
  ['is packed in another way', { method: 12 }, { code: 'unreadable' }],
])('a shard that %s is refused by its name', async (name, entry, error) => {
  const { shards, close } = await opened(name.replaceAll(' ', '-'), [
    { name: 'X/c/0', bytes: shard(1), deflate: true, ...entry },
  ]);
  await expect(shards.get('X/c/0', { offset: 0, length: 9 })).rejects.toMatchObject({
    ...error,
    part: 'X/c/0',
  });
  await close();
});
