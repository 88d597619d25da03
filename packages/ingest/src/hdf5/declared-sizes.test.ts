import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { DatasetInfo } from './element-type.ts';
import { assertFewAttributes, DeclaredSizes } from './failures.ts';
import { FileStructure } from './file-structure.ts';

const file = { path: 'cells.h5ad', size: 1_000_000 };
const deflate = { id: 1, name: 'deflate' };
const part = (path: string, more: Partial<DatasetInfo> = {}): DatasetInfo => ({
  path,
  shape: [1_000_000],
  type: { kind: 'number', dtype: 'float64', size: 8, littleEndian: true },
  filters: [deflate],
  ...more,
});

test('names that lead to one part count each, the same name once', () => {
  const sizes = new DeclaredSizes();
  for (let time = 0; time < 1000; time++) sizes.add(file, part('obs/a'));
  let read = 1;
  const readAll = () => {
    for (; read < 1000; read++) sizes.add(file, part(`obs/b${read}`));
  };
  expect(readAll).toThrow(/^cells.h5ad.*obs\/b\d+.*with those read before it, it declares [\d]+ bytes/s);
  // Deflate packs to a thousandth at best.
  expect(read * 8).toBeLessThan(1200);
  expect(read * 8).toBeGreaterThan(1000);
});

test('what a file holds as it is may be as large as the file', () => {
  const large = { path: 'large.h5ad', size: 10e9 };
  const sizes = new DeclaredSizes();
  for (let at = 0; at < 9; at++) sizes.add(large, part(`X${at}`, { shape: [1e9 / 8], filters: [] }));
  expect(() => sizes.add(large, part('X9', { shape: [2e9 / 8], filters: [] }))).toThrow(/X9.*can hold/s);
});

test('more chunks than a file has bytes, and more parts than any table has columns, are refused by name', () => {
  const grid = { shape: [4000, 4000], chunks: [1, 1] };
  expect(() => new DeclaredSizes().add(file, part('X', grid))).toThrow(
    'X: it declares 16000000 chunks of 1 x 1 values, more than a file of 1000000 bytes can hold.',
  );
  new DeclaredSizes().add(file, part('X', { shape: [4000, 4000], chunks: [16, 16] }));
  const sizes = new DeclaredSizes();
  const small = { shape: [10], filters: [] };
  for (let at = 0; at < 10_000; at++) sizes.add(file, part(`obs/${at}`, small));
  expect(() => sizes.add(file, part('obs/last', small))).toThrow('obs/last: the file has more columns');
  expect(() => assertFewAttributes('cells.h5ad', 'obs', 1001)).toThrow('obs: it has 1,001 attributes');
});

test('a header that goes on in itself is read once', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cellfolio-headers-'));
  try {
    const bytes = Buffer.alloc(2 ** 20);
    bytes[13] = bytes[14] = 8;
    bytes.writeBigUInt64LE(96n, 64);
    bytes[96] = 1;
    bytes.writeUInt32LE(24, 96 + 8);
    // A continuation at 112, of all that is behind it: the continuation itself.
    bytes.writeUInt16LE(16, 112);
    bytes.writeUInt16LE(16, 114);
    bytes.writeBigUInt64LE(112n, 120);
    bytes.writeBigUInt64LE(BigInt(bytes.length - 112), 128);
    const path = join(folder, 'header');
    writeFileSync(path, bytes);
    const descriptor = openSync(path, 'r');
    expect(() => new FileStructure(descriptor, bytes.length).object('')).toThrow(RangeError);
    closeSync(descriptor);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
