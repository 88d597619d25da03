import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packStrings, type Table } from '@cellfolio/model';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Hdf5File } from '../hdf5/hdf5-file.ts';
import { matrixLayout } from '../layout/matrix-layout.ts';
import { writeH5ad } from '../write-h5ad/write-h5ad.ts';
import type { GeneMajorMatrix, ReadOptions } from './gene-major-matrix.ts';
import { NotCounts, type ValueStatistics } from './value-statistics.ts';
import { RereadMatrix } from './reread-matrix.ts';
import { TransposedMatrix } from './transpose-matrix.ts';

const cellCount = 400;
const genes = 900;
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cellfolio-reread-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Entries {
  indptr: number[];
  indices: number[];
  values: number[];
}

function entries(value: (random: number) => number): Entries {
  let state = 11;
  const random = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  const randomEntries: Entries = { indptr: [0], indices: [], values: [] };
  for (let cell = 0; cell < cellCount; cell++) {
    for (let gene = 0; gene < genes; gene++) {
      if (cell === 7 || gene === 450 || random() > 1 / 3) continue;
      randomEntries.indices.push(gene);
      randomEntries.values.push(value(random()));
    }
    randomEntries.indptr.push(randomEntries.indices.length);
  }
  return randomEntries;
}

const named = (prefix: string, rowCount: number): Table => ({
  rowCount,
  indexName: '_index',
  index: packStrings(Array.from({ length: rowCount }, (_, i) => `${prefix}${i}`)),
  columns: new Map(),
});

async function stored(
  { indptr, indices, values }: Entries,
  { format = 'csr', gzip }: { format?: 'csr' | 'csc'; gzip?: number } = {},
): Promise<string> {
  const path = join(folder, `${readdirSync(folder).length}.h5ad`);
  const block = { indptr, indices: Int32Array.from(indices), values: Float32Array.from(values) };
  // Gene-major, what are cells and genes otherwise change places.
  const [rows, columns] = format === 'csr' ? [cellCount, genes] : [genes, cellCount];
  await writeH5ad(
    path,
    {
      obs: named('c', rows),
      var: named('g', columns),
      X: { format, dtype: 'float32', blocks: [block], valueCount: indices.length },
    },
    gzip === undefined ? {} : { gzip },
  );
  return path;
}

const options = {
  normalise: false,
  valueType: 'float32',
  threads: 2,
  inlineEntries: 0,
  memoryBudget: 3_330_000,
  availableMemory: 2 ** 30,
} as const;

async function read<M extends GeneMajorMatrix>(
  way: { read(...a: Parameters<typeof TransposedMatrix.read>): Promise<M | undefined> },
  path: string,
  more: Partial<ReadOptions> = {},
  dropped?: Uint8Array,
) {
  const file = await Hdf5File.open(path);
  try {
    const settings = { ...options, spillFolder: join(folder, 'spill'), ...more };
    const matrix = await way.read(
      file,
      { ...matrixLayout(file, 'X')!, ...(dropped && { dropped }) },
      settings,
    );
    if (matrix === undefined) return undefined;
    const collected = async (values: 'expression' | 'counts') => {
      const cells: number[] = [];
      const readValues: number[] = [];
      const writer = {
        async write(someCells: Int32Array, someValues: ArrayLike<number>) {
          for (const cell of someCells) cells.push(cell);
          for (let i = 0; i < someValues.length; i++) readValues.push(someValues[i]!);
        },
        async close() {},
      };
      await matrix.write(values, writer, {});
      return { cells, values: readValues };
    };
    try {
      return {
        matrix,
        statistics: matrix.statistics,
        indptr: [...matrix.indptr],
        expression: await collected('expression'),
        counts: more.normalise === true ? await collected('counts') : undefined,
      };
    } finally {
      await matrix.close();
    }
  } finally {
    file.close();
  }
}

type Entry = 'cells' | 'values';
interface MatrixContent {
  indptr: readonly number[];
  expression: Readonly<Record<Entry, readonly number[]>>;
  counts: Readonly<Record<Entry, readonly number[]>> | undefined;
}

/** Compares entry by entry: `toEqual` of a hundred thousand numbers takes longer than reading them. */
function expectSame(actual: MatrixContent, expected: MatrixContent): void {
  expect(actual.indptr).toEqual(expected.indptr);
  expect(actual.counts === undefined).toBe(expected.counts === undefined);
  for (const matrix of ['expression', 'counts'] as const) {
    for (const entry of ['cells', 'values'] as const) {
      const [one, other] = [actual[matrix]?.[entry] ?? [], expected[matrix]?.[entry] ?? []];
      expect(one.length).toBe(other.length);
      expect(one.filter((value, at) => !Object.is(value, other[at]))).toEqual([]);
    }
  }
}

test.each([
  ['read several times', RereadMatrix],
  ['sorted', TransposedMatrix],
])('what is no gene has no entry and no part in totals, %s', async (_, way) => {
  const original = entries((x) => Math.floor(x * 5) + 1);
  const dropped = Uint8Array.from({ length: genes }, (_, gene) => (gene % 3 === 1 ? 1 : 0));
  const without = {
    ...original,
    values: original.values.map((value, i) => (dropped[original.indices[i]!] ? 0 : value)),
  };
  const { matrix: first, ...masked } = (await read<GeneMajorMatrix>(
    way,
    await stored(original),
    { normalise: true },
    dropped,
  ))!;
  const { matrix: second, ...wanted } = (await read<GeneMajorMatrix>(way, await stored(without), {
    normalise: true,
  }))!;
  expectSame(masked, wanted);
  expect(masked.statistics).toEqual(wanted.statistics);
  expect(first.wide).toBe(second.wide);
  expect(masked.indptr[2]).toBe(masked.indptr[1]);
});

/** The number of fractions seen depends on how the rows are distributed over threads. */
const settled = (statistics: ValueStatistics) => ({ ...statistics, fractional: statistics.fractional > 0 });

test.each([
  ['expression with zeros, negatives and missing values', false, {}],
  ['counts to normalise', true, {}],
  ['deflated expression', false, { gzip: 1 }],
  ['deflated counts', true, { gzip: 4 }],
])('%s is the same, read several times as sorted', async (_, normalise, packing) => {
  const odd = [0, -0, NaN, -2.5, Infinity];
  const original = entries((x) => (normalise ? Math.floor(x * 5) : (odd[Math.floor(x * 50)] ?? x)));
  const path = await stored(original, packing);
  // A fifth of it is for what is inflated.
  const memoryBudget = 'gzip' in packing ? options.memoryBudget / 0.8 : options.memoryBudget;
  const reread = (await read(RereadMatrix, path, { normalise, memoryBudget }))!;
  const { matrix, ...sorted } = (await read(TransposedMatrix, path, { normalise }))!;
  expect(Math.ceil(sorted.statistics.entries / reread.matrix.plan.blockEntries)).toBeGreaterThan(2);
  expect(matrix.plan.threads).toBe(2);
  const { matrix: again, ...same } = reread;
  expect(again.wide).toBe(false);
  expect(settled(same.statistics)).toEqual(settled(sorted.statistics));
  expectSame(same, sorted);
  expect(sorted.statistics.zeros).toBeGreaterThan(0);
});

test.each([
  ['expression with zeros and missing values, cells that do not rise, one of them twice', false],
  ['counts to normalise', true],
])(
  '%s, gene-major in the file, are the same read twice, unpacked and kept in memory',
  async (_, normalise) => {
    const odd = [0, NaN, -2.5];
    const original = entries((x) => (normalise ? Math.floor(x * 5) : (odd[Math.floor(x * 50)] ?? x)));
    if (!normalise)
      [original.indices[500], original.indices[501]] = [original.indices[503]!, original.indices[500]!];
    const spillFolder = join(folder, `spill-${normalise}`);
    const settings = { normalise, spillFolder, memoryBudget: 2 ** 21 };
    const plain = (await read(TransposedMatrix, await stored(original, { format: 'csc' }), settings))!;
    expect(existsSync(spillFolder)).toBe(false);
    const packed = await stored(original, { format: 'csc', gzip: 1 });
    const unpacked = (await read(TransposedMatrix, packed, settings))!;
    // The file that they were unpacked into has no name.
    expect(readdirSync(spillFolder)).toEqual([]);
    const small = { ...settings, inlineEntries: 1e6, memoryBudget: 2 ** 26 };
    const reference = (await read(TransposedMatrix, packed, small))!;
    expect(plain.matrix.plan).toMatchObject({ threads: 2, spill: 'file' });
    expect(unpacked.matrix.plan).toEqual(plain.matrix.plan);
    expect(reference.matrix.plan).toMatchObject({ threads: 0, spill: 'memory' });
    const { matrix: inMemory, ...wanted } = reference;
    for (const { matrix, ...actual } of [plain, unpacked]) {
      expectSame(actual, wanted);
      expect(settled(actual.statistics)).toEqual(settled(wanted.statistics));
      expect(matrix.wide).toBe(inMemory.wide);
    }
    expect(wanted.statistics).toMatchObject({ duplicates: normalise ? 0 : 1 });
    expect(wanted.statistics.zeros).toBeGreaterThan(0);
  },
);

test('rows whose genes do not rise and small matrices are left to the sorter', async () => {
  const original = entries((x) => x);
  const { indptr, indices } = original;
  const rising = await stored(original);
  expect(await read(RereadMatrix, rising, { inlineEntries: 1e6 })).toBeUndefined();
  expect(await read(RereadMatrix, rising, { availableMemory: 1000 })).toBeUndefined();
  expect(await read(RereadMatrix, rising)).toBeDefined();
  const last = indptr.at(-1)!;
  [indices[last - 1], indices[last - 2]] = [indices[last - 2]!, indices[last - 1]!];
  expect(await read(RereadMatrix, await stored(original))).toBeUndefined();
});

test('an entry outside the matrix is named by its place in the file', async () => {
  const original = entries((x) => x);
  original.indices[100_000] = genes;
  const problem = expect.stringContaining(
    `entry 100000 points outside the matrix (gene ${genes} of ${genes})`,
  );
  await expect(stored(original).then((path) => read(RereadMatrix, path))).rejects.toMatchObject({
    code: 'index-out-of-range',
    problem,
  });
});

test('a single fraction refutes counts, and an aborted reading ends with its reason', async () => {
  const original = entries((x) => 1 + Math.floor(x * 3));
  original.values[90_000] = 0.5;
  const path = await stored(original);
  await expect(read(RereadMatrix, path, { normalise: true })).rejects.toThrow(NotCounts);
  const reason = new Error('stop');
  await expect(read(RereadMatrix, path, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});
