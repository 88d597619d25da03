import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Column, Table } from '@cellfolio/model';
import { packStrings } from '@cellfolio/model';
import { Dataset, File, ready } from 'h5wasm/node';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type H5adContent, type SparseBlock, H5adWriteFailed } from './h5ad-content.ts';
import { writeH5ad } from './write-h5ad.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'write-h5ad-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function table(names: readonly string[], columns: Record<string, Column> = {}): Table {
  return {
    rowCount: names.length,
    indexName: '_index',
    index: packStrings(names),
    columns: new Map(Object.entries(columns)),
  };
}

function named(count: number, prefix: string): string[] {
  return Array.from({ length: count }, (_, i) => prefix + i);
}

/** Three cells, four genes: [[1, 0, 2, 0], [0, 0, 0, 0], [0, 3, 0, 4]]. */
const rows: SparseBlock[] = [
  { indptr: [0, 2, 2], indices: Int32Array.of(0, 2), values: Float32Array.of(1, 2) },
  { indptr: [0, 2], indices: Int32Array.of(1, 3), values: Float32Array.of(3, 4) },
];

const small: H5adContent = {
  obs: table(['c1', 'c2', 'c3'], {
    cell_type: {
      kind: 'categorical',
      codes: Int8Array.of(1, -1, 0),
      categories: ['B cell', 'T cell β'],
      categoryType: 'string',
      ordered: false,
    },
    total: { kind: 'numeric', dtype: 'int64', values: Float64Array.of(3, 0, 2 ** 40) },
    age: {
      kind: 'numeric',
      dtype: 'int32',
      values: Int32Array.of(40, 0, 60),
      missing: Uint8Array.of(0, 1, 0),
    },
    note: { kind: 'string', strings: packStrings(['a', '', 'ü']) },
  }),
  var: table(['CD79A', 'CST3', 'NKG7', 'ACTB']),
  X: { format: 'csr', dtype: 'float32', blocks: rows, valueCount: 4 },
  obsm: [{ name: 'X_umap', dimensions: 2, values: Float32Array.of(0, 1, 2, 3, 4, 5) }],
};

async function opened<T>(path: string, look: (file: File) => T): Promise<T> {
  await ready;
  const file = new File(path, 'r');
  try {
    return look(file);
  } finally {
    file.close();
  }
}

function array(file: File, name: string): Dataset {
  const entity = file.get(name);
  if (!(entity instanceof Dataset)) throw new Error(`${name} is not an array`);
  return entity;
}

test('a sparse matrix in blocks is written as one, contiguous where its size is known beforehand', async () => {
  const path = join(folder, 'a.h5ad');
  await writeH5ad(path, small);
  await opened(path, (file) => {
    expect(file.get_attribute('encoding-type', true)).toBe('anndata');
    expect(file.get('X')?.constructor.name).toBe('Group');
    expect(array(file, 'X/data').value).toEqual(Float32Array.of(1, 2, 3, 4));
    expect(array(file, 'X/indices').value).toEqual(Int32Array.of(0, 2, 1, 3));
    expect(array(file, 'X/indptr').value).toEqual(Int32Array.of(0, 2, 2, 4));
    expect(array(file, 'X/data').metadata.chunks).toBeNull();
    expect(array(file, 'obsm/X_umap').shape).toEqual([3, 2]);
    expect(array(file, 'obs/cell_type/codes').value).toEqual(Int8Array.of(1, -1, 0));
    expect(array(file, 'obs/cell_type/categories').value).toEqual(['B cell', 'T cell β']);
    expect(array(file, 'obs/total').value).toEqual(BigInt64Array.of(3n, 0n, 2n ** 40n));
    expect(array(file, 'obs/age').value).toEqual(Float64Array.of(40, Number.NaN, 60));
    expect(array(file, 'obs/_index').value).toEqual(['c1', 'c2', 'c3']);
  });
});

test('without a promised size or with gzip the arrays are chunked and hold the same values', async () => {
  const path = join(folder, 'b.h5ad');
  async function* stream(): AsyncGenerator<SparseBlock> {
    yield* rows;
  }
  await writeH5ad(
    path,
    {
      ...small,
      X: { format: 'csr', dtype: 'float32', blocks: stream() },
      layers: { counts: { format: 'csr', dtype: 'int32', blocks: rows, valueCount: 4 } },
      raw: {
        var: small.var,
        X: { format: 'dense', dtype: 'float64', blocks: [{ values: new Float64Array(12).fill(0.5) }] },
      },
    },
    { gzip: 1 },
  );
  await opened(path, (file) => {
    expect(array(file, 'X/data').value).toEqual(Float32Array.of(1, 2, 3, 4));
    expect(array(file, 'X/data').metadata.chunks).not.toBeNull();
    expect(array(file, 'X/data').filters.map((filter) => filter.id)).toEqual([2, 1]);
    expect(array(file, 'layers/counts/data').value).toEqual(Int32Array.of(1, 2, 3, 4));
    expect(array(file, 'obs/cell_type/codes').filters.map((filter) => filter.id)).toEqual([2, 1]);
    expect(array(file, 'raw/X').shape).toEqual([3, 4]);
    expect(array(file, 'raw/X').value).toEqual(new Float64Array(12).fill(0.5));
  });
});

test('values that do not fit one staging buffer arrive in order', async () => {
  const path = join(folder, 'c.h5ad');
  const cells = 700;
  const genes = 3001;
  function* blocks(): Generator<{ values: Float32Array }> {
    for (let row = 0; row < cells; row += 7)
      yield { values: Float32Array.from({ length: 7 * genes }, (_, i) => row * genes + i) };
  }
  await writeH5ad(
    path,
    {
      obs: table(named(cells, 'c')),
      var: table(named(genes, 'g')),
      X: { format: 'dense', dtype: 'float32', blocks: blocks() },
    },
    { gzip: 1 },
  );
  await opened(path, (file) => {
    const values = array(file, 'X').value as Float32Array;
    expect(values).toHaveLength(cells * genes);
    expect(values.every((value, i) => value === Math.fround(i))).toBe(true);
  });
});

test('chunks of values whose number is not known beforehand are found, more of them than a node of their tree has', async () => {
  const path = join(folder, 'many.h5ad');
  const [cells, genes] = [66, 1 << 15];
  const values = Int32Array.from({ length: cells * genes }, (_, at) => at % 1009);
  const indices = Int32Array.from({ length: genes }, (_, at) => at);
  function* blocks(): Generator<SparseBlock> {
    for (let from = 0; from < values.length; from += genes)
      yield { indptr: [0, genes], indices, values: values.subarray(from, from + genes) };
  }
  for (const options of [{}, { gzip: 1 }]) {
    const X = { format: 'csr', dtype: 'int32', blocks: blocks() } as const;
    await writeH5ad(path, { obs: table(named(cells, 'c')), var: table(named(genes, 'g')), X }, options);
    await opened(path, (file) => {
      expect(array(file, 'X/data').metadata.chunks).toEqual([32_768]);
      const read = array(file, 'X/data').value as Int32Array;
      expect(Buffer.compare(Buffer.from(read.buffer), Buffer.from(values.buffer))).toBe(0);
    });
  }
});

test('columns take their nearest form without masks, and names that HDF5 cannot have are changed', async () => {
  const path = join(folder, 'columns.h5ad');
  const missing = Uint8Array.of(0, 1, 0);
  const obs = table(['c1', 'c2', 'c3'], {
    'a/b': { kind: 'boolean', values: Uint8Array.of(1, 0, 1) },
    flag: { kind: 'boolean', values: Uint8Array.of(1, 0, 0), missing },
    text: { kind: 'string', strings: packStrings(['b', '', 'a']), missing },
    id: { kind: 'wide-integer', dtype: 'uint64', values: BigUint64Array.of(2n ** 60n, 0n, 5n), missing },
  });
  await writeH5ad(path, { ...small, obs });
  await opened(path, (file) => {
    expect(array(file, 'obs/a_b').value).toEqual(Uint8Array.of(1, 0, 1));
    expect(array(file, 'obs/flag').value).toEqual(Float64Array.of(1, Number.NaN, 0));
    expect(array(file, 'obs/text/categories').value).toEqual(['a', 'b']);
    expect(array(file, 'obs/text/codes').value).toEqual(Int32Array.of(1, -1, 0));
    expect(array(file, 'obs/id/categories').value).toEqual(BigUint64Array.of(5n, 2n ** 60n));
  });
});

test('a file of no cells or of no genes can be written', async () => {
  const path = join(folder, 'empty.h5ad');
  await writeH5ad(path, {
    obs: table([]),
    var: table([]),
    X: { format: 'csr', dtype: 'float32', blocks: [], valueCount: 0 },
  });
  expect(await opened(path, (file) => array(file, 'X/indptr').value)).toEqual(Int32Array.of(0));
});

test.each([
  ['fewer entries than promised', { ...small, X: { ...small.X, valueCount: 5 } }],
  ['more entries than promised', { ...small, X: { ...small.X, valueCount: 3 } }],
  ['fewer rows than cells', { ...small, X: { ...small.X, blocks: rows.slice(1), valueCount: 2 } }],
  [
    'an embedding of other cells',
    { ...small, obsm: [{ name: 'X_umap', dimensions: 2, values: new Float32Array(4) }] },
  ],
  [
    'a column of another length',
    { ...small, obs: table(['c1', 'c2', 'c3'], { x: { kind: 'boolean', values: Uint8Array.of(1) } }) },
  ],
])('%s is refused and leaves nothing behind', async (_, content) => {
  await expect(writeH5ad(join(folder, 'bad.h5ad'), content as H5adContent)).rejects.toThrow(H5adWriteFailed);
  expect(await readdir(folder)).toEqual([]);
});

test('a failing or cancelled source leaves no file', async () => {
  const path = join(folder, 'd.h5ad');
  async function* broken(): AsyncGenerator<SparseBlock> {
    yield rows[0]!;
    throw new Error('source gone');
  }
  const X = { format: 'csr', dtype: 'float32', blocks: broken() } as const;
  await expect(writeH5ad(path, { ...small, X })).rejects.toThrow('source gone');
  await expect(writeH5ad(path, small, { signal: AbortSignal.abort() })).rejects.toMatchObject({
    name: 'AbortError',
  });
  expect(await readdir(folder)).toEqual([]);
  await writeH5ad(path, small);
  expect((await stat(path)).size).toBeGreaterThan(0);
});

test('a folder that does not exist is a clear error', async () => {
  await expect(writeH5ad(join(folder, 'none', 'x.h5ad'), small)).rejects.toThrow(H5adWriteFailed);
});

describe('a full disk', () => {
  let disk: string;
  let mounted = false;
  beforeEach(async () => {
    disk = join(folder, 'disk');
    await mkdir(disk);
    // Mounting takes root; elsewhere the test says that it did not run.
    mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]).status === 0;
  });
  afterEach(() => {
    if (mounted) spawnSync('umount', [disk]);
  });

  const cells = 1000;
  const block: SparseBlock = {
    indptr: Float64Array.from({ length: cells + 1 }, (_, i) => i * 500),
    indices: new Int32Array(cells * 500),
    values: new Float32Array(cells * 500).fill(1),
  };
  const var1000 = table(named(1000, 'g'));
  const long = 'a barcode long enough to fill a small disk with names alone ';

  test.each([
    ['values', 'X/data', { format: 'csr', dtype: 'float32', blocks: [block], valueCount: cells * 500 }, 'c'],
    ['values of unknown number', 'X/', { format: 'csr', dtype: 'float32', blocks: [block] }, 'c'],
    ['names', 'obs/_index', { format: 'csr', dtype: 'float32', blocks: [block] }, long.repeat(20)],
  ] as const)(
    'met by %s is reported, with the part that did not fit, and leaves nothing',
    async (_, part, X, prefix) => {
      if (!mounted) {
        console.warn('NOT RUN: a full disk can only be tried by a user who may mount one.');
        return;
      }
      const path = join(disk, 'x.h5ad');
      const obs = table(named(cells, prefix));
      await expect(writeH5ad(path, { obs, var: var1000, X })).rejects.toMatchObject({
        tag: 'H5adWriteFailed',
        path,
        part: expect.stringContaining(part) as string,
      });
      expect(await readdir(disk)).toEqual([]);
    },
  );
});
