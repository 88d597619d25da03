import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packStrings, type Column, type CategoricalColumn, type Table } from '@cellfolio/model';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCounts } from '../counts/open-counts.ts';
import { writeH5ad } from '../write-h5ad/write-h5ad.ts';
import { readSamples, mixingCautions } from './read-samples.ts';

const cells = 4;
let folder = '';
const at = (name: string) => join(folder, `${name}.h5ad`);
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cellfolio-samples-'));
  const donors = texts('d1', 'd1', 'd2', 'd2');
  await write(
    'donors',
    new Map([
      ['donor_id', donors],
      ['same', texts('a', 'a', 'a', 'a')],
    ]),
  );
  await write(
    'samples',
    new Map([
      ['donor_id', donors],
      ['Sample ID', texts('x', 'y', 'x', 'z')],
    ]),
  );
  await write('bare', new Map());
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function texts(...values: string[]): Column {
  return { kind: 'string', strings: packStrings(values) };
}

async function write(name: string, obs: ReadonlyMap<string, Column>): Promise<void> {
  const genes = {
    rowCount: 3,
    indexName: '_index',
    index: packStrings(['ENSG00000198888.2', 'ENSG00000075624', 'ENSG00000111640']),
    columns: new Map([
      ['gene_symbols', texts('ND1', 'ACTB', 'GAPDH')],
      ['gene_chr', texts('chrM', 'chr7', 'chr12')],
    ]),
  };
  await writeH5ad(at(name), {
    obs: {
      rowCount: cells,
      indexName: '_index',
      index: packStrings(Array.from({ length: cells }, (_, cell) => `cell-${cell}`)),
      columns: obs,
    },
    var: genes,
    X: { format: 'dense', dtype: 'float32', blocks: [{ values: new Float32Array(cells * 3).fill(2) }] },
  });
}

test('samples are of the column whose name says so, of one that is named, or of none', async () => {
  const sampleColumns = await readSamples(at('samples'));
  expect(sampleColumns).toMatchObject({ column: 'Sample ID', columns: ['Sample ID', 'donor_id'] });
  expect(sampleColumns.samples!.categories).toEqual(['x', 'y', 'z']);
  expect(Array.from(sampleColumns.samples!.codes)).toEqual([0, 1, 0, 2]);
  expect(await readSamples(at('samples'), 'donor_id')).toMatchObject({ column: 'donor_id' });
  expect(await readSamples(at('samples'), null)).toEqual({ columns: ['Sample ID', 'donor_id'] });
  // A column of one value tells no samples apart.
  expect(await readSamples(at('donors'))).toMatchObject({ column: 'donor_id', columns: ['donor_id'] });
  expect(await readSamples(at('bare'))).toEqual({ columns: [] });
});

test('a column that is not there is refused by name', async () => {
  await expect(readSamples(at('samples'), 'lane')).rejects.toMatchObject({ code: 'unknown-column' });
});

test('counts come with the symbols, the ids and the chromosomes of their genes', async () => {
  const counts = await openCounts(at('bare'));
  expect(counts).toMatchObject({
    geneNames: ['ND1', 'ACTB', 'GAPDH'],
    geneIds: ['ENSG00000198888.2', 'ENSG00000075624', 'ENSG00000111640'],
    chromosomes: ['chrM', 'chr7', 'chr12'],
  });
  counts!.close();
});

const mixedCells = 600;

function categories(codeOf: (cell: number) => number, count: number): CategoricalColumn {
  return {
    kind: 'categorical',
    codes: Int8Array.from({ length: mixedCells }, (_, cell) => codeOf(cell)),
    categories: Array.from({ length: count }, (_, at) => String(at)),
    categoryType: 'string',
    ordered: false,
  };
}

function tableOf(columns: Record<string, Column>): Table {
  const index = packStrings(Array.from({ length: mixedCells }, (_, cell) => String(cell)));
  return { rowCount: mixedCells, indexName: '_index', index, columns: new Map(Object.entries(columns)) };
}

const sample = categories((cell) => cell % 3, 3);
const apart = categories((cell) => cell % 6, 6);
const mixed = categories((cell) => Math.floor(cell / 3) % 6, 6);

test('clusters that came with a file and are one sample each are reported', () => {
  const [caution, ...others] = mixingCautions(
    tableOf({ sample, leiden: apart }),
    { chosen: { cluster: 'leiden' } },
    undefined,
  );
  expect(others).toEqual([]);
  expect(caution).toMatchObject({
    code: 'samples-not-mixed',
    numbers: { column: 'sample', clusters: 6, samples: 3, oneSampleClusters: 6 },
  });
});

test('mixed samples, no samples and no clusters are not', () => {
  const chosen = { cluster: 'leiden' };
  expect(mixingCautions(tableOf({ sample, leiden: mixed }), { chosen }, undefined)).toEqual([]);
  expect(mixingCautions(tableOf({ leiden: apart }), { chosen }, undefined)).toEqual([]);
  expect(mixingCautions(tableOf({ sample }), { chosen: {} }, undefined)).toEqual([]);
});

test('patients under a name of their own are looked at too, and neighbours where they were measured', () => {
  const chosen = { cluster: 'leiden', patient: 'who' };
  const near = { column: 'who', neighbours: 14, effectiveSamples: 1.1, expectedSamples: 3 };
  const [caution] = mixingCautions(tableOf({ who: sample, leiden: apart }), { chosen }, { mixing: near });
  expect(caution!.message).toContain("samples of 'who'");
  expect(caution!.numbers).toMatchObject({ effectiveSamples: 1.1, expectedSamples: 3 });
});
