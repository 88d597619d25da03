import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Column, packStrings, type PackedStrings, type Table } from '@cellfolio/model';
import { Dataset, File, type Group, ready } from 'h5wasm/node';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bytesOf, columnContent } from './column-nodes.ts';
import { TooLongForHdf5 } from './h5-messages.ts';
import { type FileLayout, layOutFile } from './lay-out-file.ts';
import { type H5adSource, layOutH5ad, type StreamedH5ad } from './lay-out-h5ad.ts';
import { safelyNamed } from './encodings.ts';
import { heapSizes, stringHeaps, stringReferences } from './string-heap.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lay-out-h5ad-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const genes = ['A/B', '<b>', '=1+1', ''];

interface Content {
  names: readonly string[];
  columns: ReadonlyMap<string, Column>;
  umap: Float32Array;
  cells: Int32Array;
  values: Float32Array;
  starts: Float64Array;
}

function contentOf(names: readonly string[]): Content {
  const n = names.length;
  const rows = Float64Array.from({ length: n }, (_, row) => row);
  const missing = Uint8Array.from(rows, (row) => (row % 5 === 0 ? 1 : 0));
  const columns = new Map<string, Column>([
    [
      'cell type',
      {
        kind: 'categorical',
        codes: Int8Array.from(rows, (row) => (row % 3) - 1),
        categories: ['B', 'T/NK'],
        categoryType: 'string',
        ordered: true,
      },
    ],
    [
      'numbered',
      {
        kind: 'categorical',
        codes: Int16Array.from(rows, (row) => row % 2),
        categories: ['3', '-7'],
        categoryType: 'int64',
        ordered: false,
      },
    ],
    [
      'lane',
      {
        kind: 'categorical',
        codes: Int8Array.from(rows, (row) => row % 2),
        categories: ['1', '2'],
        categoryType: 'int32',
        ordered: false,
      },
    ],
    ['wide', { kind: 'numeric', dtype: 'int64', values: rows.map((row) => row - 2 ** 40) }],
    ['single', { kind: 'numeric', dtype: 'float32', values: Float32Array.from(rows, Math.sqrt) }],
    ['flag', { kind: 'boolean', values: Uint8Array.from(rows, (row) => row % 2) }],
    ['maybe', { kind: 'numeric', dtype: 'int32', values: Int32Array.from(rows), missing }],
    ['a/note', { kind: 'string', strings: packStrings(names.map((name) => `${name}é`)) }],
    ['a_note', { kind: 'numeric', dtype: 'uint8', values: Uint8Array.from(rows) }],
  ]);
  const cells = Int32Array.from([...rows, ...rows.subarray(0, 2)]);
  return {
    names,
    columns,
    umap: Float32Array.from({ length: 2 * n }, (_, i) => Math.sin(i)),
    cells,
    values: Float32Array.from(cells, (_, entry) => entry / 7),
    starts: Float64Array.of(0, n, n, cells.length, cells.length),
  };
}

function layoutOf(content: Content, uns: StreamedH5ad['uns'] = {}): FileLayout<H5adSource> {
  const { names, columns, starts } = content;
  const genesTable: Table = {
    rowCount: genes.length,
    indexName: '_index',
    index: packStrings(genes),
    columns: new Map<string, Column>([
      ['rank', { kind: 'numeric', dtype: 'int32', values: Int32Array.of(1, 2, 3, 4) }],
    ]),
  };
  return layOutH5ad({
    cellCount: names.length,
    obs: {
      indexName: 'barcode',
      nameHeaps: heapSizes(packStrings(names)),
      columns: [...columns].map(([name, column]) =>
        column.kind === 'string' ? { name, column, heaps: heapSizes(column.strings) } : { name, column },
      ),
    },
    var: genesTable,
    obsm: [{ name: 'X_umap', dimensions: 2, type: 'float32' }],
    X: { valueType: 'float32', starts },
    counts: { valueType: 'float32', starts },
    uns,
    assets: [{ name: 'slide/1.png', size: slide.length }],
  });
}

async function written(content: Content, layout: FileLayout<H5adSource>): Promise<string> {
  const file = new Uint8Array(layout.bytes);
  for (const { offset, length, content: part } of layout.parts) {
    const bytes = part instanceof Uint8Array ? part : contentBytes(content, part);
    expect(bytes.length).toBe(length);
    file.set(bytes, offset);
  }
  const path = join(folder, 'x.h5ad');
  await writeFile(path, file);
  return path;
}

const slide = Uint8Array.of(137, 80, 78, 71, 0, 255);

type Streamed = Exclude<FileLayout<H5adSource>['parts'][number]['content'], Uint8Array>;

function contentBytes(content: Content, part: Streamed): Uint8Array {
  const { source } = part;
  const strings = (packed: PackedStrings) =>
    part.of === 'references' ? stringReferences(packed, part.heapAddresses) : stringHeaps(packed);
  switch (source.of) {
    case 'names':
      return strings(packStrings(content.names));
    case 'embedding':
      return bytesOf(content.umap);
    case 'asset':
      return slide;
    case 'carried':
      throw new TypeError('nothing is carried here');
    case 'entries':
      return bytesOf(source.part === 'cells' ? content.cells : content.values);
    case 'column': {
      const bytes = columnContent(content.columns.get(source.name)!, source.part);
      return bytes instanceof Uint8Array ? bytes : strings(bytes);
    }
  }
}

async function opened(path: string): Promise<{ file: File; values: (name: string) => unknown }> {
  await ready;
  const file = new File(path, 'r');
  return {
    file,
    values: (name) => {
      const entity = file.get(name);
      if (!(entity instanceof Dataset)) throw new Error(`${name} is not an array`);
      return entity.value;
    },
  };
}

// Three heaps of names, the last one smaller than a heap may be.
const many = Array.from({ length: 8200 }, (_, cell) => (cell === 3 ? '' : `cell-${cell}-ü`));

test.each([
  ['no cell', []],
  ['one cell', ['only']],
  ['more cells than a heap of strings has', many],
])('a file of %s, made in parts, is read by the library of HDF5 as it was meant', async (_, names) => {
  const content = contentOf(names);
  const uns = {
    'cell type_colors': ['#ff0000', '#00ff00'],
    log1p: {},
    cellfolio: { cells: 'all', notes: [] },
  };
  const { file, values } = await opened(await written(content, layoutOf(content, uns)));
  try {
    expect(file.get_attribute('encoding-type', true)).toBe('anndata');
    expect(file.keys().sort()).toEqual(['X', 'layers', 'obs', 'obsm', 'obsp', 'uns', 'var', 'varm', 'varp']);
    const obs = file.get('obs') as Group;
    expect(obs.get_attribute('_index', true)).toBe('barcode');
    expect(obs.get_attribute('column-order', true)).toEqual([
      'cell type',
      'numbered',
      'lane',
      'wide',
      'single',
      'flag',
      'maybe',
      'a_note_2',
      'a_note',
    ]);
    expect(values('obs/barcode')).toEqual(names);
    expect(values('obs/a_note_2')).toEqual(names.map((name) => `${name}é`));
    expect(values('obs/cell type/categories')).toEqual(['B', 'T/NK']);
    expect(values('obs/cell type/codes')).toEqual(
      (content.columns.get('cell type') as { codes: unknown }).codes,
    );
    expect(values('obs/numbered/categories')).toEqual(BigInt64Array.of(3n, -7n));
    expect(values('obs/lane/categories')).toEqual(Int32Array.of(1, 2));
    expect(values('obs/wide')).toEqual(BigInt64Array.from(names, (__, row) => BigInt(row) - 2n ** 40n));
    expect(values('obs/single')).toEqual(Float32Array.from(names, (__, row) => Math.sqrt(row)));
    expect((file.get('obs/flag') as Dataset).metadata.enum_type?.members).toEqual({ FALSE: 0, TRUE: 1 });
    expect(values('obs/maybe/values')).toEqual(Int32Array.from(names, (__, row) => row));
    expect((file.get('obsm/X_umap') as Dataset).shape).toEqual([names.length, 2]);
    // The library answers nothing for an array without a value.
    expect(values('obsm/X_umap') ?? new Float32Array(0)).toEqual(content.umap);
    expect(values('var/_index')).toEqual(genes);
    expect(values('X/indptr')).toEqual(Int32Array.from(content.starts));
    expect(values('X/indices')).toEqual(content.cells);
    expect(values('layers/counts/data')).toEqual(content.values);
    expect(values('uns/cell type_colors')).toEqual(['#ff0000', '#00ff00']);
    expect(values('uns/cellfolio/cells')).toBe('all');
    expect(values('uns/cellfolio_assets/slide_1.png')).toEqual(slide);
  } finally {
    file.close();
  }
});

test.each([1000, 5000])(
  'every column of %i is listed, also where the list is longer than 64 KiB',
  async (count) => {
    const one: Column = { kind: 'numeric', dtype: 'int8', values: Int8Array.of(1) };
    const names = Array.from({ length: count }, (_, at) => `column ${at}`);
    const content: Content = {
      ...contentOf(['only']),
      columns: new Map(names.map((name) => [name, one])),
    };
    const { file, values } = await opened(await written(content, layoutOf(content)));
    const obs = file.get('obs') as Group;
    expect(obs.get_attribute('column-order', true)).toEqual(names);
    expect(obs.get_attribute('_index', true)).toBe('barcode');
    expect(obs.get_attribute('encoding-type', true)).toBe('dataframe');
    expect(values(`obs/column ${count - 1}`)).toEqual(Int8Array.of(1));
    file.close();
  },
);

test('an attribute of a million bytes is kept beside short ones', async () => {
  const int64 = Array.from({ length: 131_072 }, (_, at) => at - 7);
  const layout = layOutFile<never>({
    kind: 'group',
    attributes: { shape: { int64 }, title: 'ü', ordered: { bool: true }, none: [] },
    members: new Map(),
  });
  const bytes = new Uint8Array(layout.bytes);
  for (const { offset, content } of layout.parts) bytes.set(content as Uint8Array, offset);
  const path = join(folder, 'attributes.h5');
  await writeFile(path, bytes);
  const { file } = await opened(path);
  expect(file.get_attribute('shape', false)).toEqual(BigInt64Array.from(int64, BigInt));
  expect(file.get_attribute('title', true)).toBe('ü');
  expect(Object.keys(file.attrs).toSorted()).toEqual(['none', 'ordered', 'shape', 'title']);
  file.close();
});

test.each(['a column', 'an attribute'])('the name of %s that HDF5 cannot hold is refused', (what) => {
  const column: Column = { kind: 'numeric', dtype: 'int8', values: Int8Array.of(1) };
  const name = 'x'.repeat(70_000);
  const lay = () =>
    what === 'a column'
      ? layoutOf({ ...contentOf(['only']), columns: new Map([[name, column]]) })
      : layOutFile({ kind: 'group', attributes: { [name]: '' }, members: new Map() });
  expect(lay).toThrow(TooLongForHdf5);
});

test('names that HDF5 cannot have are changed, and no two become one', () => {
  const names = ['a/b', 'a_b', '.', '', '_', 'n\0l', 'index', '../x'];
  expect(
    safelyNamed(
      names.map((name) => [name, name]),
      ['index'],
    ),
  ).toEqual([
    ['a_b_2', 'a/b'],
    ['a_b', 'a_b'],
    ['__2', '.'],
    ['__3', ''],
    ['_', '_'],
    ['n_l', 'n\0l'],
    ['index_2', 'index'],
    ['.._x', '../x'],
  ]);
});

test('a NUL inside a string does not cut it', async () => {
  const content = contentOf(['a\0b', 'c']);
  const { file, values } = await opened(await written(content, layoutOf(content)));
  expect(values('obs/barcode')).toEqual(['a?b', 'c']);
  file.close();
});
