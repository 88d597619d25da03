import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { H5adError } from '../h5ad-error.ts';
import { Hdf5File } from './hdf5-file.ts';
import { unshuffle } from './stored-reader.ts';

const reads: number[] = [];
const { readSync } = fs;
beforeAll(() => {
  vi.spyOn(fs, 'readSync').mockImplementation((...a: Parameters<typeof readSync>) => {
    const count = readSync(...a);
    reads.push(count);
    return count;
  });
  syncBuiltinESMExports();
});
afterAll(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const fixtures = join(import.meta.dirname, '../../fixtures');
let folder = '';
beforeAll(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'cellfolio-stored-'));
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

function arrays(file: Hdf5File, group = '/'): string[] {
  return file.children(group).flatMap((name) => {
    const path = group === '/' ? name : `${group}/${name}`;
    if (file.kind(path) === 'group') return arrays(file, path);
    const { type, shape } = file.dataset(path);
    return type.kind === 'number' && shape.length === 1 ? [path] : [];
  });
}

function damaged(name: string, at: number): string {
  const bytes = fs.readFileSync(join(fixtures, name));
  bytes[at]! ^= 0x5a;
  const path = join(folder, `${at}-${name}`);
  fs.writeFileSync(path, bytes);
  return path;
}

test.each([
  ['anndata-0.7.h5ad', 'groups with symbol tables'],
  ['csr-log.h5ad', 'groups with links in a heap, chunks'],
  ['messy-csr.h5ad', 'no chunks, 64-bit integers'],
  ['csc-gzip.h5ad', 'chunks that are deflated'],
  ['late-fraction.h5ad', 'several chunks, shuffled and deflated'],
])('all numbers of %s (%s) are found and are those that the library reads', async (name) => {
  const file = await Hdf5File.open(join(fixtures, name));
  try {
    const paths = arrays(file);
    expect(paths.length).toBeGreaterThan(2);
    for (const path of paths) {
      const info = file.dataset(path);
      const located = file.located(info);
      const expected = file.numbers(info);
      expect(located.stored, path).toBeDefined();
      expect(file.numbers(located), path).toEqual(expected);
      const filled = expected.slice().fill(0);
      const can = file.fill(located, 0, expected.length, filled);
      // Not what is carried in another type than it is stored in.
      const carried = info.type.kind === 'number' && /int64|float16/.test(info.type.dtype);
      expect(can, path).toBe(!carried);
      expect(can ? filled : expected, path).toEqual(expected);
      const end = Math.min(3, expected.length);
      const some = expected.slice(0, Math.max(0, end - 1)).fill(0);
      expect(file.fill(located, Math.min(1, end), end, some), path).toBe(!carried);
      expect(can ? some : [], path).toEqual(can ? expected.slice(1, 3) : []);
    }
  } finally {
    file.close();
  }
});

test('other filters, missing chunks and tables are left to the library', async () => {
  for (const [name, path] of [
    ['csr-lzf.h5ad', 'X/data'],
    ['no-genes.h5ad', 'X/data'],
  ] as const) {
    const file = await Hdf5File.open(join(fixtures, name));
    expect(file.located(file.dataset(path)).stored).toBeUndefined();
    file.close();
  }
});

test('the links of a group are read once for all its datasets', async () => {
  for (const name of ['anndata-0.7.h5ad', 'csr-log.h5ad']) {
    const file = await Hdf5File.open(join(fixtures, name));
    const readsOf = (path: string) => {
      reads.length = 0;
      file.dataset(path);
      return reads.length;
    };
    const first = readsOf('X/data');
    const [second, again] = [readsOf('X/indices'), readsOf('X/data')];
    expect([name, second < first, again < first, again > 0]).toEqual([name, true, true, true]);
    file.close();
  }
});

test('elements that lie in one piece take one read of just their bytes, those of a chunk one of the chunk', async () => {
  const plain = await Hdf5File.open(join(fixtures, 'messy-csr.h5ad'));
  const chunked = await Hdf5File.open(join(fixtures, 'late-fraction.h5ad'));
  try {
    const data = plain.located(plain.dataset('X/data'));
    const packed = chunked.located(chunked.dataset('X/data'));
    const length = packed.chunks![0]!;
    reads.length = 0;
    expect(plain.fill(data, 10, 40, new Float32Array(30))).toBe(true);
    expect(reads).toEqual([120]);
    reads.length = 0;
    expect(chunked.fill(packed, length - 1, length + 1, new Float32Array(2))).toBe(true);
    expect(packed.stored).toMatchObject({ kind: 'chunks', bytes: expect.any(Uint32Array) });
    expect(packed.stored?.kind === 'chunks' && Array.from(packed.stored.bytes.slice(0, 2))).toEqual(reads);
  } finally {
    plain.close();
    chunked.close();
  }
});

test('a chunk that cannot be inflated is refused by its dataset', async () => {
  const sound = await Hdf5File.open(join(fixtures, 'late-fraction.h5ad'));
  const { stored } = sound.located(sound.dataset('X/data'));
  sound.close();
  if (stored?.kind !== 'chunks') throw new Error('not in chunks');
  const file = await Hdf5File.open(damaged('late-fraction.h5ad', stored.at[1]!));
  const info = file.located(file.dataset('X/data'));
  expect(() => file.fill(info, 0, 10_000, new Float32Array(10_000))).toThrow(
    expect.objectContaining({ name: 'H5adError', code: 'unreadable', part: 'X/data' }),
  );
  file.close();
});

test('a structure that was damaged anywhere leads to the values, to the library or to a refusal', async () => {
  const name = 'csc-gzip.h5ad';
  const expected = await valuesOf(join(fixtures, name));
  const size = fs.statSync(join(fixtures, name)).size;
  const endings = { same: 0, other: 0, refused: 0, wrong: new Array<string>() };
  for (let at = 8; at < Math.min(size, 12_000); at += 97) {
    const path = damaged(name, at);
    const actual: unknown = await valuesOf(path).catch((error: unknown) => error);
    if (actual instanceof H5adError) endings.refused++;
    else if (JSON.stringify(actual) === JSON.stringify(expected)) endings.same++;
    else if (Array.isArray(actual)) endings.other++;
    else endings.wrong.push(`${at}: ${String(actual)}`);
    fs.rmSync(path);
  }
  expect(endings.wrong).toEqual([]);
  expect(endings.refused).toBeGreaterThan(0);
  expect(endings.same).toBeGreaterThan(endings.refused);
});

async function valuesOf(path: string): Promise<number[]> {
  const file = await Hdf5File.open(path);
  try {
    return Array.from(file.numbers(file.located(file.dataset('X/data'))));
  } finally {
    file.close();
  }
}

test('bytes that were put in order of their place in the elements come back', () => {
  const into = new Uint8Array(6);
  unshuffle(Uint8Array.of(1, 2, 11, 12, 21, 22), 3, into);
  expect([...into]).toEqual([1, 11, 21, 2, 12, 22]);
});
