import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { denseValues, unpackStrings } from '@cellfolio/model';
import { FileObjectStore, openDataset } from '@cellfolio/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { H5adError } from '../../h5ad-error.ts';
import { importH5ad, inspectH5ad } from '../../import-h5ad.ts';
import { TextFileError } from '../../matrix-market/read-text.ts';
import { fixtureCatalogue } from '../../testing/hdf5-fixtures.ts';
import { readableFile } from '../readable-file.ts';

interface Expected {
  genes: string[];
  cells: string[];
  counts: number[][];
  umap: number[][];
  pca: number[][];
  cellType: (string | null)[];
  donor: (string | null)[];
  score: (number | null)[];
  number: number[];
}

const fixtures = join(import.meta.dirname, 'fixtures');
// What R reads of the same files: see fixtures/make-r-fixtures.R.
const expected = JSON.parse(readFileSync(join(fixtures, 'expected.json'), 'utf8')) as Expected;

interface ExpectedProteins {
  file: string;
  scale: string;
  names: string[];
  values: (number | null)[][];
}
const expectedProteins = JSON.parse(
  readFileSync(join(fixtures, 'expected-proteins.json'), 'utf8'),
) as ExpectedProteins[];

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cellfolio-rds-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
async function makeReadable(name: string, content?: Uint8Array) {
  const number = files++;
  const path = content === undefined ? resolve(fixtures, name) : join(folder, `${number}-${name}`);
  if (content !== undefined) writeFileSync(path, content);
  return readableFile({ path, name }, join(folder, `made-${number}.h5ad`));
}

async function imported(name: string) {
  const readable = await makeReadable(name);
  const id = `${files}.h5ad`;
  const root = join(folder, 'store');
  await importH5ad({ path: readable.path, root, id, catalogue: fixtureCatalogue(name) });
  return { readable, dataset: await openDataset(new FileObjectStore(root), id) };
}

test.each([
  'seurat-4.rds',
  'seurat-4-version-2.rds',
  'seurat-5.rds',
  'seurat-5-split.rds',
  'seurat-object-5.rds',
  'seurat-object-5-split.rds',
  'sce.rds',
  'matrix.rds',
  'dense.rds',
  'summarised.rds',
])('%s has the cells, genes and counts that R reads of it', async (name) => {
  const { dataset } = await imported(name);
  const { names } = await dataset.cellRows({ from: 0, to: 10 }, { columns: [], embeddings: [] });
  expect(unpackStrings(names)).toEqual(expected.cells);
  expect(dataset.genes.symbols).toEqual(expected.genes);
  // Normalised as imports do: to ten thousand counts a cell, then log1p.
  for (const [gene, symbol] of expected.genes.entries()) {
    const values = denseValues(await dataset.gene(gene));
    for (const [cell, counts] of expected.counts.entries()) {
      const total = counts.reduce((sum, one) => sum + one, 0);
      expect(values[cell], `${symbol} in cell ${cell}`).toBeCloseTo(
        Math.log1p((counts[gene]! / total) * 1e4),
        5,
      );
    }
  }
});

test('a vector with text that is not UTF-8 is read as Windows-1252 as a whole', async () => {
  // The names end in `_café`, `_cafÃ©` and `_cafè` by turns; the bytes of the second alone are UTF-8.
  const cases = join(import.meta.dirname, '../../../fixtures/cases/text-encodings');
  const { dataset, readable } = await imported(join(cases, 'native.rds'));
  const { names } = await dataset.cellRows({ from: 0, to: 6 }, { columns: [], embeddings: [] });
  expect(unpackStrings(names).map((name) => name.split('_')[1])).toEqual([
    'café',
    'cafÃ©',
    'cafè',
    'café',
    'cafÃ©',
    'cafè',
  ]);
  expect(readable.notes.at(-1)).toContain('not UTF-8; it was read as Windows-1252');
});

const withColumns = [
  'seurat-4.rds',
  'seurat-5.rds',
  'seurat-5-split.rds',
  'seurat-object-5.rds',
  'seurat-object-5-split.rds',
  'sce.rds',
];

test.each(withColumns)(
  '%s has the columns and coordinates that R reads of it, missing values among them',
  async (name) => {
    const { dataset, readable } = await imported(name);
    const texts = async (column: string) => {
      const read = await dataset.obs(column);
      if (read.kind !== 'categorical') throw new Error(`${column} is ${read.kind}`);
      return Array.from(read.codes, (code) => read.categories[code] ?? null);
    };
    expect(await texts('cell_type')).toEqual(expected.cellType);
    expect(await texts('donor')).toEqual(expected.donor);
    // From Idents() alone; an experiment has none.
    expect(dataset.obsColumnNames.includes('active.ident') ? await texts('active.ident') : []).toEqual(
      name === 'sce.rds' ? [] : expected.cells.map((_, cell) => (cell < 5 ? 'Naïve' : 'Memory')),
    );
    const score = await dataset.obs('score');
    const rounded = (one: number | null) => (one === null || Number.isNaN(one) ? null : one.toFixed(6));
    expect(score.kind === 'numeric' && Array.from(score.values, rounded)).toEqual(
      expected.score.map(rounded),
    );
    const number = await dataset.obs('number');
    expect(number.kind === 'numeric' && Array.from(number.values)).toEqual(expected.number);
    for (const [key, places] of [
      ['X_umap', expected.umap],
      ['X_pca', expected.pca],
    ] as const) {
      const { values } = await dataset.embedding(key);
      const apart = places.flat().map((place, at) => Math.abs(place - values[at]!));
      expect(Math.max(...apart), key).toBeLessThan(1e-6);
    }
    expect(readable.madeFrom).toBe('an R object (.rds)');
    expect(readable.notes.join(' ')).toMatch(
      name.endsWith('5-split.rds')
        ? /counts\.p1, counts\.p2 .* joined/
        : name.endsWith('5.rds')
          ? /a Seurat object/
          : /ADT/,
    );
  },
);

test.each(expectedProteins)(
  '$file has the proteins that R has, in the cells that have them',
  async ({ file, scale, names, values: expectedValues }) => {
    const { dataset, readable } = await imported(file);
    expect(dataset.proteins?.scale).toBe(scale);
    const columns = dataset.proteins?.columns ?? [];
    expect(columns.map(({ name }) => name)).toEqual(names);
    for (const [protein, { column }] of columns.entries()) {
      const { values } = (await dataset.obs(column)) as { values: Float32Array };
      const apart = expectedValues.map((row, cell) => Math.abs((row[protein] ?? 0) - (values[cell]! || 0)));
      expect(Math.max(...apart), column).toBeLessThan(1e-6);
      const isMissing = expectedValues.map((row) => row[protein] === null);
      expect(Array.from(values, Number.isNaN), column).toEqual(isMissing);
    }
    expect(dataset.genes.symbols).toEqual(expected.genes);
    expect(readable.notes.join(' ')).toMatch(
      {
        'seurat-5-proteins.rds':
          /RNA was read, and prot as proteins; left: HTO\. .*layers counts\.p1, counts\.p2 of the assay prot were joined/,
        'seurat-4-values.rds':
          /Spliced was read, and CITE as proteins\. .*CITE holds no counts; its “data” was read/,
        'sce-by-type.rds': /second was read as proteins\. Alternative experiments were left: ERCC/,
      }[file] ?? /(?:RNA was read, and ADT|The alternative experiment ADT was read) as proteins\./,
    );
  },
);

test.each([
  ['seurat-4-other-cells.rds', 'assays$ADT@counts has none of the cells of the object.', 'left: ADT.'],
  [
    'sce-unnamed.rds',
    'assays$counts has 4 proteins and no names for them.',
    'were left: ERCC, Antibody Capture.',
  ],
])('of %s the proteins are left with the reason, and the cells are read', async (name, reason, left) => {
  const { dataset, readable } = await imported(name);
  expect(dataset.proteins).toBeUndefined();
  expect(dataset.manifest.cellCount).toBe(10);
  const notes = readable.notes.join(' ');
  expect(notes).toContain(reason);
  expect(notes).toContain(left);
});

test('damaged proteins are refused by their part', async () => {
  const whole = gunzipSync(readFileSync(join(fixtures, 'seurat-4.rds')));
  // Rows of the ADT matrix: 0 and 1 in each of ten cells.
  const rows = Buffer.alloc(80);
  for (let at = 0; at < 20; at++) rows.writeInt32BE(at % 2, 4 * at);
  const at = whole.indexOf(rows);
  expect(at).toBeGreaterThan(0);
  whole.writeInt32BE(7, at + 4);
  const error: unknown = await makeReadable('rows.rds', gzipSync(whole)).catch((one: unknown) => one);
  expect(error).toBeInstanceOf(H5adError);
  expect(error).toMatchObject({
    part: 'assays$ADT@counts',
    problem: 'is damaged at cell 1.',
  });
});

test.each([
  ['seurat-5-twice.rds', 'assays$RNA@layers', 'in the layers counts.p1 and counts.p2'],
  ['list.rds', '', 'a list'],
  ['triplets.rds', '', 'dgTMatrix'],
  ['ascii.rds', '', 'layout that is not read'],
  ['packed-xz.rds', '', 'where gzip is the default'],
  ['several.RData', '', 'load() it'],
])('%s is refused by its part and what to do', async (name, part, says) => {
  const refusal = await makeReadable(name).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(H5adError);
  expect(refusal).toMatchObject({ part, message: expect.stringContaining(says) });
});

const isNamed = (error: unknown) => error instanceof H5adError || error instanceof TextFileError;

test('what archives packed with gzip once more is read as it was', async () => {
  const packed = gzipSync(readFileSync(join(fixtures, 'sce.rds')));
  const [once, twice] = [await makeReadable('sce.rds'), await makeReadable('sce.rds.gz', packed)];
  expect(twice.notes).toEqual(once.notes);
  // Not byte for byte: HDF5 keeps when it was written.
  const [one, other] = await Promise.all([once, twice].map(({ path }) => inspectH5ad(path)));
  expect({ ...other, file: undefined }).toEqual({ ...one, file: undefined });
});

test('a file that ends early anywhere is refused in words, and leaves nothing', async () => {
  const whole = gunzipSync(readFileSync(join(fixtures, 'sce.rds')));
  for (let end = 20; end < whole.length; end += 97) {
    const error: unknown = await makeReadable('cut.rds', gzipSync(whole.subarray(0, end))).catch(
      (one: unknown) => one,
    );
    expect(isNamed(error), `cut at ${end}: ${String(error)}`).toBe(true);
  }
  expect(readdirSync(folder).filter((name) => name.includes('vectors'))).toEqual([]);
});

test('of a hundred damaged files none does more harm than a refusal', async () => {
  const whole = gunzipSync(readFileSync(join(fixtures, 'seurat-4.rds')));
  let seed = 1;
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let round = 0; round < 100; round++) {
    const damaged = Buffer.from(whole);
    const at = 14 + random(damaged.length - 14);
    if (round % 3 === 0) damaged.writeInt32BE(random(2_147_483_647), Math.min(at, damaged.length - 4));
    else damaged[at] = random(256);
    const error: unknown = await makeReadable('damaged.rds', gzipSync(damaged, { level: 1 })).then(
      () => undefined,
      (one: unknown) => one,
    );
    expect(error === undefined || isNamed(error), `round ${round}: ${String((error as Error)?.stack)}`).toBe(
      true,
    );
  }
});
