import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { isCategorical, packStrings, unpackStrings, type Column, type Table } from '@cellfolio/model';
import { FileObjectStore, openDataset } from '@cellfolio/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCounts } from '../counts/open-counts.ts';
import { openDatasetFile } from '../formats/open-dataset-file.ts';
import { importH5ad } from '../import-h5ad.ts';
import { fixtureCatalogue } from '../testing/hdf5-fixtures.ts';
import { writeH5ad } from '../write-h5ad/write-h5ad.ts';
import { combineSamples, type SampleFile } from './combine-samples.ts';
import { simulatedCounts, text, writeSimulated } from '../testing/simulated-files.ts';

const GENES = Array.from({ length: 30 }, (_, gene) => `GENE${gene}`);
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cellfolio-combine-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Written {
  genes: readonly string[];
  counts: readonly (readonly number[])[];
  by?: 'cell' | 'gene';
  ids?: readonly string[];
  obs?: Readonly<Record<string, readonly string[]>>;
}

const frame = (rowCount: number, name: string): Table => ({
  rowCount,
  indexName: '_index',
  index: packStrings(Array.from({ length: rowCount }, (_, row) => `${name}${row}`)),
  columns: new Map(),
});

async function written(
  name: string,
  { genes, counts, by = 'cell', ids, obs = {} }: Written,
): Promise<SampleFile> {
  const path = join(folder, `${name}.h5ad`);
  const vectors = by === 'cell' ? counts : genes.map((_, gene) => counts.map((row) => row[gene]!));
  const indptr = [0];
  const indices: number[] = [];
  const values: number[] = [];
  for (const vector of vectors) {
    vector.forEach((value, at) => value !== 0 && (indices.push(at), values.push(value)));
    indptr.push(indices.length);
  }
  await writeH5ad(path, {
    obs: {
      rowCount: counts.length,
      indexName: '_index',
      index: packStrings(counts.map((_, cell) => `CELL${cell}-1`)),
      columns: new Map(Object.entries(obs).map(([column, of]) => [column, texts(of)])),
    },
    var: {
      rowCount: genes.length,
      indexName: '_index',
      index: packStrings(genes),
      columns: new Map(ids && [['gene_ids', { kind: 'string', strings: packStrings(ids) } as Column]]),
    },
    X: {
      format: by === 'cell' ? 'csr' : 'csc',
      dtype: 'float64',
      blocks: [{ indptr, indices: Int32Array.from(indices), values: Float64Array.from(values) }],
    },
  });
  return {
    name,
    path,
    source: `${name}.h5ad`,
    values: new Map([['condition', name === 'a' ? 'well' : 'ill']]),
  };
}

function texts(values: readonly string[]): Column {
  const categories = [...new Set(values)];
  return {
    kind: 'categorical',
    codes: Int8Array.from(values, (value) => categories.indexOf(value)),
    categories,
    categoryType: 'string',
    ordered: false,
  };
}

const rows = (sample: number, cells: number, genes: readonly string[]) =>
  Array.from({ length: cells }, (_, cell) =>
    genes.map((gene) => ((Number(gene.slice(4)) + cell) % 3 === 0 ? 0 : 100 * sample + 10 * cell + 1)),
  );

async function readBack(path: string) {
  const counts = (await openCounts(path))!;
  const dense = Array.from({ length: counts.cellCount }, () => new Array<number>(counts.geneCount).fill(0));
  let cell = 0;
  for (const { pointers, indices, counts: values } of counts.blocks()) {
    for (let row = 0; row + 1 < pointers.length; row++, cell++) {
      for (let at = pointers[row]!; at < pointers[row + 1]!; at++) dense[cell]![indices[at]!] = values[at]!;
    }
  }
  const { geneNames } = counts;
  counts.close();
  const file = await openDatasetFile(path);
  const { table } = file.table(file.obsPath, 'obs');
  file.hdf5.close();
  const valuesOf = (name: string) => {
    const column = table.columns.get(name);
    if (!isCategorical(column)) throw new TypeError(`${name} is no column of categories`);
    return Array.from(column.codes, (code) => column.categories[code]);
  };
  return {
    geneNames,
    dense,
    names: unpackStrings(table.index),
    columns: [...table.columns.keys()],
    valuesOf,
  };
}

test('genes are brought into one order whatever that of each file, by cells or by genes', async () => {
  const turned = GENES.toReversed();
  const a = await written('a', { genes: GENES, counts: rows(1, 3, GENES) });
  const b = await written('b', { genes: turned, counts: rows(2, 2, turned), by: 'gene' });
  const output = join(folder, 'turned.h5ad');
  const combined = await combineSamples([a, b], output, { genes: 'shared' });
  expect(combined).toMatchObject({
    cells: 5,
    genes: 30,
    genesShared: 30,
    genesOfAny: 30,
    matchedBy: 'names',
  });
  const { geneNames, dense, names, valuesOf } = await readBack(output);
  expect(geneNames).toEqual(GENES);
  expect(dense).toEqual([...rows(1, 3, GENES), ...rows(2, 2, GENES)]);
  expect(names).toEqual(['a_CELL0-1', 'a_CELL1-1', 'a_CELL2-1', 'b_CELL0-1', 'b_CELL1-1']);
  expect(valuesOf('sample')).toEqual(['a', 'a', 'a', 'b', 'b']);
  expect(valuesOf('condition')).toEqual(['well', 'well', 'well', 'ill', 'ill']);
});

test('counts that float32 does not hold stay what they are', async () => {
  const large = rows(2, 2, GENES);
  large[1]![4] = 20_000_001;
  const a = await written('small-counts', { genes: GENES, counts: rows(1, 2, GENES) });
  const b = await written('large-counts', { genes: GENES, counts: large });
  const output = join(folder, 'large.h5ad');
  expect(await combineSamples([a, b], output, { genes: 'shared' })).toMatchObject({ sameCells: [] });
  expect((await readBack(output)).dense).toEqual([...rows(1, 2, GENES), ...large]);
  const file = await openDatasetFile(output);
  expect(file.hdf5.dataset('X/data').type).toMatchObject({ dtype: 'float64' });
  file.hdf5.close();
});

test('of genes that some files lack the shared ones are kept, or all without counts where they are missing', async () => {
  const [left, right] = [GENES.slice(0, 28), GENES.slice(2)];
  const a = await written('left', { genes: left, counts: rows(1, 2, left) });
  const b = await written('right', { genes: right, counts: rows(2, 2, right) });
  const output = join(folder, 'some.h5ad');
  expect(await combineSamples([a, b], output, { genes: 'shared' })).toMatchObject({
    genes: 26,
    genesShared: 26,
    genesOfAny: 30,
  });
  expect((await readBack(output)).geneNames).toEqual(GENES.slice(2, 28));
  const all = join(folder, 'all.h5ad');
  expect(await combineSamples([a, b], all, { genes: 'all' })).toMatchObject({ genes: 30 });
  const { geneNames, dense } = await readBack(all);
  expect(geneNames).toEqual(GENES);
  expect(dense[0]!.slice(28)).toEqual([0, 0]);
  expect(dense[2]!.slice(0, 2)).toEqual([0, 0]);
  expect(dense[2]!.slice(2)).toEqual(rows(2, 2, right)[0]);
});

test('Ensembl ids match genes whose names differ; of repeated names the first goes with the first', async () => {
  const ids = GENES.map((_, gene) => `ENSG${String(gene).padStart(11, '0')}`);
  const renamed = GENES.map((name, gene) => (gene === 4 ? 'OLD4' : name));
  const a = await written('ids-a', { genes: GENES, ids, counts: rows(1, 2, GENES) });
  const b = await written('ids-b', { genes: renamed, ids, counts: rows(2, 2, GENES) });
  const output = join(folder, 'ids.h5ad');
  const combined = await combineSamples([a, b], output, { genes: 'shared' });
  expect(combined).toMatchObject({ matchedBy: 'ids', genes: 30 });
  expect((await readBack(output)).geneNames[4]).toBe('GENE4');
  const twice = GENES.map((name, gene) => (gene === 5 ? 'GENE3' : name));
  const c = await written('twice', { genes: twice, counts: rows(1, 2, GENES) });
  const named = await combineSamples([c, { ...c, name: 'again' }], join(folder, 'twice.h5ad'), {
    genes: 'shared',
  });
  expect(named).toMatchObject({ matchedBy: 'names', genes: 30 });
});

test('known types of the files come along; clusters and numbers, which each file has of its own, do not', async () => {
  const a = await written('a', {
    genes: GENES,
    counts: rows(1, 2, GENES),
    obs: { cell_type: ['T', 'B'], leiden: ['0', '1'], score: ['1', '2'] },
  });
  const b = await written('b', { genes: GENES, counts: rows(2, 2, GENES), obs: { cell_type: ['B', 'NK'] } });
  const c = await written('c', { genes: GENES, counts: rows(3, 1, GENES) });
  const output = join(folder, 'types.h5ad');
  const combined = await combineSamples([a, b, c], output, { genes: 'shared' });
  expect(combined.carried).toEqual(['cell_type']);
  expect(combined.left).toEqual(['leiden', 'score']);
  const { valuesOf, columns } = await readBack(output);
  expect(columns).toEqual(['sample', 'condition', 'cell_type']);
  expect(valuesOf('cell_type')).toEqual(['T', 'B', 'B', 'NK', undefined]);
});

async function citeSample(name: string, proteins: readonly string[], seed = 5): Promise<SampleFile> {
  const features = GENES.length + proteins.length;
  const { counts } = simulatedCounts(seed, 4, features);
  const types = [...GENES.map(() => 'Gene Expression'), ...proteins.map(() => 'Antibody Capture')];
  const path = join(folder, `${name}.h5ad`);
  await writeSimulated(path, {
    cellCount: 4,
    geneCount: features,
    values: counts,
    varNames: [...GENES, ...proteins],
    var: new Map([['feature_types', text(types)]]),
  });
  return { name, path, source: `${name}.h5ad`, values: new Map() };
}

async function proteinsIn(path: string) {
  const id = `${basename(path)}-imported.h5ad`;
  const catalogue = fixtureCatalogue('Proteins');
  const { manifest } = await importH5ad({ path, root: folder, id, catalogue, replace: true });
  const { proteins, obs } = await openDataset(new FileObjectStore(folder), id).then((dataset) => ({
    proteins: dataset.proteins,
    obs: (column: string) => dataset.obs(column),
  }));
  const values = new Map<string, number[]>();
  for (const { name, column } of proteins?.columns ?? [])
    values.set(name, Array.from(((await obs(column)) as { values: Float32Array }).values));
  return { scale: proteins?.scale, values, warnings: manifest.warnings };
}

test('proteins are matched by name, with the ratios of each sample and missing values where a sample lacks one', async () => {
  const a = await citeSample('cite-a', ['CD3', 'HLA-DR/DP', 'IgG1', '<b>CD4</b>']);
  const b = await citeSample('cite-b', ['<b>CD4</b>', 'CD8', 'CD3'], 9);
  const none = await written('cite-none', { genes: GENES, counts: rows(1, 2, GENES) });
  const output = join(folder, 'proteins.h5ad');
  const combined = await combineSamples([a, none, b], output, { genes: 'shared' });
  expect(combined.samples.map(({ proteins }) => proteins)).toEqual([4, 0, 3]);
  expect(combined.genes).toBe(30);
  expect(combined.proteins).toEqual([
    '5 proteins were matched by name; 0 of them are in all samples. Cells of a sample without a protein have a missing value of it.',
  ]);
  const [both, ofA, ofB] = await Promise.all([output, a.path, b.path].map(proteinsIn));
  expect(both!.scale).toBe('clr');
  expect([...both!.values.keys()]).toEqual(['CD3', 'HLA-DR/DP', 'IgG1', '<b>CD4</b>', 'CD8']);
  const missing = (cells: number) => Array.from({ length: cells }, () => NaN);
  for (const [name, values] of both!.values) {
    const alone = [ofA!.values.get(name) ?? missing(4), missing(2), ofB!.values.get(name) ?? missing(4)];
    expect(values, name).toEqual(alone.flat());
  }
  expect(both!.values.get('CD3')!.filter((value) => value > 0).length).toBeGreaterThan(2);
  const proteinWarnings = both!.warnings.filter(({ code }) => code.startsWith('proteins'));
  expect(proteinWarnings.map(({ message }) => message)).toEqual([
    '5 of the 5 proteins of obsm/protein_expression are missing (NaN) in some of the 10 cells: HLA-DR/DP in 6, IgG1 in 6, CD8 in 6, CD3 in 2, <b>CD4</b> in 2. These cells have no value of them, rather than 0.',
  ]);
});

test('of samples whose proteins are of another unit than ratios the values are left out and named', async () => {
  const a = await citeSample('units-a', ['CD3', 'CD4']);
  const path = join(folder, 'units-b.h5ad');
  const { counts } = simulatedCounts(3, 4, GENES.length);
  const values = (async function* (): AsyncGenerator<Column> {
    yield { kind: 'numeric', dtype: 'float32', values: Float32Array.of(-1, 0.5, NaN, 2) };
  })();
  await writeH5ad(path, {
    obs: frame(4, 'CELL'),
    var: { ...frame(30, 'GENE'), index: packStrings(GENES) },
    X: { format: 'dense', dtype: 'float32', blocks: [{ values: Float32Array.from(counts) }] },
    proteins: { names: ['CD3'], values },
  });
  const b: SampleFile = { name: 'b', path, source: 'b.h5ad', values: new Map() };
  const output = join(folder, 'units.h5ad');
  const mixed = await combineSamples([a, b], output, { genes: 'all' });
  expect(mixed.samples.map(({ proteins }) => proteins)).toEqual([2, 0]);
  expect(mixed.proteins.at(-1)).toBe(
    'The proteins of b were left out: their values are no counts, and those of other samples are centered log ratios of counts.',
  );
  expect((await proteinsIn(output)).values.get('CD3')!.slice(4)).toEqual([NaN, NaN, NaN, NaN]);
  const alike = await combineSamples([b, { ...b, name: 'again' }], output, { genes: 'all' });
  expect(alike.proteins).toContain('1 protein was matched by name; all samples have it.');
  const stored = await proteinsIn(output);
  expect(stored.scale).toBe('stored');
  expect(stored.values.get('CD3')).toEqual([-1, 0.5, NaN, 2, -1, 0.5, NaN, 2]);
});

test('files without counts or without genes in common are refused by name, and nothing is left', async () => {
  const a = await written('a', { genes: GENES, counts: rows(1, 3, GENES) });
  const mouse = await written('mouse', {
    genes: GENES.map((name) => `mm${name}`),
    counts: rows(1, 3, GENES),
  });
  const logarithms = await written('logarithms', {
    genes: GENES,
    counts: rows(1, 3, GENES).map((row) => row.map((value) => Math.log1p(value / 3))),
  });
  const output = join(folder, 'refused.h5ad');
  const b = await written('b', { genes: GENES, counts: rows(2, 3, GENES) });
  await expect(combineSamples([a, mouse, b], output, { genes: 'all' })).rejects.toThrow(
    'The combined file: it would have 0 genes that all files have by their names, too few. Of the 30 genes of mouse.h5ad 0 are in another file: it begins with mmGENE0, a.h5ad with GENE0. Combine files of one species',
  );
  await expect(combineSamples([a, logarithms], output, { genes: 'all' })).rejects.toThrow(
    'logarithms.h5ad: the file has no raw counts',
  );
  expect(existsSync(output)).toBe(false);
});
