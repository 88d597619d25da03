import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HeapWalk } from './heap-walk.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cellfolio-heaps-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function looked(bytes: Buffer, times = 1): { ends: boolean; bytesRead: number } {
  const path = join(folder, 'heaps');
  writeFileSync(path, bytes);
  const descriptor = openSync(path, 'r');
  const walk = new HeapWalk();
  let ends = true;
  for (let time = 0; time < times; time++) ends &&= walk.end(descriptor, bytes, 0);
  closeSync(descriptor);
  return { ends, bytesRead: walk.bytesRead };
}

function collection(sizes: readonly number[], declared?: number): Buffer {
  const objects = sizes.map((size, at) => {
    const object = Buffer.alloc(16 + Math.ceil(size / 8) * 8, 'A');
    object.writeUInt32LE(at + 1, 0);
    object.writeUInt32LE(1, 4);
    object.writeBigUInt64LE(BigInt(size), 8);
    return object;
  });
  const all = Buffer.concat([Buffer.alloc(16), ...objects]);
  all.write('GCOL\u0001', 'latin1');
  all.writeBigUInt64LE(BigInt(declared ?? all.length), 8);
  return all;
}

function names(
  size: number,
  free: readonly [place: number, next: number][],
  head = free[0]?.[0] ?? 1,
): Buffer {
  const heap = Buffer.alloc(64 + size);
  heap.write('HEAP', 'latin1');
  heap.writeBigUInt64LE(BigInt(size), 8);
  heap.writeBigUInt64LE(BigInt(head), 16);
  heap.writeBigUInt64LE(64n, 24);
  for (const [place, next] of free) heap.writeBigUInt64LE(BigInt(next), 64 + place);
  return heap;
}

test('sound heaps are read once, however often a piece with them is', () => {
  const sound = Buffer.concat([
    names(96, [
      [32, 64],
      [64, 1],
    ]),
    collection([5, 30, 8]),
    collection([100]),
  ]);
  const once = looked(sound);
  expect(once.ends).toBe(true);
  expect(once.bytesRead).toBeLessThan(2 * sound.length);
  expect(looked(sound, 50)).toEqual(once);
});

test('sizes and places that lead the library round for ever are found', () => {
  expect(
    looked(
      names(96, [
        [32, 64],
        [64, 32],
      ]),
    ).ends,
  ).toBe(false);
  expect(looked(names(96, [[16, 16]])).ends).toBe(false);
  const empty = collection([8, 8]);
  empty.writeUInt16LE(0, 40);
  empty.writeBigUInt64LE(0n, 48);
  expect(looked(empty).ends).toBe(false);
});

test('a heap that declares more than its file holds is refused before memory is taken for it', () => {
  expect(looked(collection([8], 190_000_000))).toEqual({ ends: false, bytesRead: 16 });
});

test('a file in which a collection begins every few bytes is not read for each of them', () => {
  const forged = Buffer.alloc(65_536);
  // Each ends where the file does, so that each is sound.
  for (let at = 0; at + 32 <= forged.length; at += 32) {
    forged.write('GCOL\u0001', at, 'latin1');
    forged.writeBigUInt64LE(BigInt(forged.length - at), at + 8);
    forged.writeBigUInt64LE(BigInt(forged.length - at - 16), at + 24);
  }
  const { ends, bytesRead } = looked(forged);
  expect(ends).toBe(false);
  expect(bytesRead).toBeLessThan(8 * forged.length);
});

test('a text that begins as a heap of names does is no heap', () => {
  const text = Buffer.alloc(200, 'ACGT');
  text.write('HEAP\0\0\0\0', 40, 'latin1');
  expect(looked(text).ends).toBe(true);
});
