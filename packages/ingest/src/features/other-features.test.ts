import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { denseValues, packStrings, type Column } from '@cellfolio/model';
import { FileObjectStore, openDataset } from '@cellfolio/store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCounts } from '../counts/open-counts.ts';
import { importH5ad, inspectH5ad } from '../import-h5ad.ts';
import { convertMatrixMarket } from '../matrix-market/convert-matrix-market.ts';
import { reportRows } from '../preflight-report.ts';
import { fixtureCatalogue } from '../testing/hdf5-fixtures.ts';
import {
  normalised,
  simulatedCounts,
  text,
  writeSimulated,
  type SimulatedFile,
  type StoredFormat,
} from '../testing/simulated-files.ts';
import { writeTrio } from '../testing/simulated-trio.ts';
import { featureKind } from './gene-features.ts';

const cells = 90;
const features = 60;
const types = Array.from({ length: features }, (_, feature) =>
  feature % 10 === 3 ? 'Antibody Capture' : feature === 20 ? 'CRISPR Guide Capture' : 'Gene Expression',
);
const isGene = (feature: number) => types[feature] === 'Gene Expression';
const genes = types.flatMap((_, feature) => (isGene(feature) ? [feature] : []));
const simulated = simulatedCounts(2, cells, features);
const counts = simulated.counts.map((count, at) => (isGene(at % features) ? count : 40 * count + (at % 7)));
const expectedValues = geneValues(normalised({ ...simulated, counts }, 1e4, Math.log1p, isGene));

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'other-features-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function geneValues(values: Float64Array): Float64Array {
  return values.filter((_, at) => isGene(at % features));
}

let files = 0;
async function written(file: Partial<SimulatedFile>): Promise<string> {
  const path = join(folder, `file-${files++}.h5ad`);
  await writeSimulated(path, {
    cellCount: cells,
    geneCount: features,
    values: counts,
    var: new Map([['feature_types', text(types)]]),
    ...file,
  });
  return path;
}

async function imported(path: string, keptCells?: Int32Array) {
  const id = `d-${files++}.h5ad`;
  const { manifest, report } = await importH5ad({
    path,
    root: folder,
    id,
    catalogue: fixtureCatalogue('Features'),
    ...(keptCells && { additions: { keptCells } }),
  });
  const dataset = await openDataset(new FileObjectStore(folder), id);
  const { geneCount, cellCount } = manifest;
  const values = new Float64Array(cellCount * geneCount);
  for (let gene = 0; gene < geneCount; gene++) {
    denseValues(await dataset.gene(gene)).forEach((value, cell) => (values[cell * geneCount + gene] = value));
  }
  return { manifest, report, dataset, values };
}

function largestDifference(values: Float64Array, expected: Float64Array): number {
  expect(values.length).toBe(expected.length);
  return expected.reduce((largest, want, at) => Math.max(largest, Math.abs(want - values[at]!)), 0);
}

describe.each(['csr', 'csc', 'dense'] satisfies StoredFormat[])('stored as %s', (format) => {
  test('genes are normalised by the counts of genes alone; proteins are kept apart and guides are counted and left', async () => {
    const { manifest, values, dataset, report } = await imported(await written({ format }));
    expect(largestDifference(values, expectedValues)).toBeLessThan(1e-5);
    expect(manifest.geneCount).toBe(genes.length);
    expect(dataset.proteins?.columns.map(({ name }) => name)).toEqual(
      [3, 13, 23, 33, 43, 53].map((gene) => `GENE${gene}`),
    );
    expect(manifest.otherFeatures).toEqual([
      { type: 'CRISPR Guide Capture', count: 1, examples: ['GENE20'] },
    ]);
    expect(dataset.genes.symbols).toEqual(genes.map((gene) => `GENE${gene}`));
    expect(dataset.genes.find('GENE3')).toBeUndefined();
    expect(manifest.warnings.find(({ code }) => code === 'other-features')?.numbers).toEqual({
      genes: genes.length,
      types: ['CRISPR Guide Capture'],
      counts: [1],
    });
    const rows = new Map(reportRows(report).map(({ label, value }) => [label, value]));
    expect(rows.get('Not genes')).toContain('1 CRISPR Guide Capture (GENE20');
  });

  test('what is processed is the counts of genes alone', async () => {
    const open = (await openCounts(await written({ format })))!;
    const rows = new Float64Array(cells * genes.length);
    let vector = 0;
    for (const { pointers, indices, counts: blockCounts } of open.blocks()) {
      for (let i = 0; i + 1 < pointers.length; i++, vector++) {
        for (let at = pointers[i]!; at < pointers[i + 1]!; at++) {
          const [cell, gene] = open.by === 'cell' ? [vector, indices[at]!] : [indices[at]!, vector];
          rows[cell * genes.length + gene] = blockCounts[at]!;
        }
      }
    }
    open.close();
    expect(open.geneCount).toBe(genes.length);
    expect(open.geneNames).toEqual(genes.map((gene) => `GENE${gene}`));
    expect(vector).toBe(open.by === 'cell' ? cells : genes.length);
    expect(rows).toEqual(geneValues(counts));
  });

  test('cells can be taken away beside', async () => {
    const keptCells = Int32Array.from({ length: cells / 3 }, (_, i) => 3 * i);
    const { values } = await imported(await written({ format }), keptCells);
    const keptValues = expectedValues.filter((_, at) => Math.floor(at / genes.length) % 3 === 0);
    expect(largestDifference(values, keptValues)).toBeLessThan(1e-5);
  });
});

test('values of antibodies say nothing of the scale of those of genes', async () => {
  const logs = normalised({ ...simulated, counts }, 1e4, Math.log1p, isGene);
  // Centred log ratios of antibodies are negative.
  const values = logs.map((value, at) => (isGene(at % features) ? value : value - 2));
  const { manifest, values: got } = await imported(await written({ values }));
  expect(manifest.expression).toMatchObject({ state: 'log-normalised', scale: { read: 'log1p' } });
  expect(largestDifference(got, geneValues(logs))).toBeLessThan(1e-5);
});

test('raw counts without the column are divided by that of var, by name', async () => {
  const { manifest, values } = await imported(
    await written({ values: counts.map((value) => value - 1), raw: { values: counts } }),
  );
  expect(manifest.expression.path).toBe('raw/X');
  expect(manifest.geneCount).toBe(genes.length);
  expect(largestDifference(values, expectedValues)).toBeLessThan(1e-5);
});

test('a layer of counts is divided as X is', async () => {
  const values = normalised({ ...simulated, counts }, 1e4, Math.log1p, isGene);
  const { manifest } = await imported(await written({ values, layers: { counts } }));
  expect(manifest).toMatchObject({ geneCount: genes.length, expression: { path: 'X', hasCounts: true } });
});

test('a file of peaks alone is refused, saying so', async () => {
  const path = await written({ var: new Map([['feature_types', text(types.map(() => 'Peaks'))]]) });
  await expect(inspectH5ad(path)).rejects.toMatchObject({ code: 'no-genes', part: 'var/feature_types' });
  await expect(inspectH5ad(path)).rejects.toThrow(/no feature is a gene: 60 are Peaks/);
});

test.each([
  ['Gene Expression alone', types.map(() => 'Gene Expression')],
  ['an unknown word', types.map(() => 'something')],
  ['nothing', types.map(() => '')],
  ['biotypes', types.map((_, feature) => (feature % 2 ? 'protein_coding' : 'lncRNA'))],
])('a column of %s makes all features genes, without a word', async (_, all) => {
  const report = await inspectH5ad(await written({ var: new Map([['feature_types', text(all)]]) }));
  expect(report.genes).toBe(features);
  expect(report.otherFeatures).toEqual([]);
  expect(report.warnings.map(({ code }) => code)).not.toContain('other-features');
});

test('features without a type are genes, and unknown words are none beside Gene Expression', async () => {
  const mixed = types.map((type, feature) => (feature === 0 ? '' : feature === 1 ? 'Odd Thing' : type));
  const strings: Column = { kind: 'string', strings: packStrings(mixed) };
  const report = await inspectH5ad(await written({ var: new Map([['feature_types', strings]]) }));
  expect(report.otherFeatures.map(({ type, count }) => [type, count])).toEqual([
    ['Odd Thing', 1],
    ['CRISPR Guide Capture', 1],
  ]);
  expect(report.warnings.find(({ code }) => code === 'untyped-features')?.numbers).toEqual({ features: 1 });
  const without = mixed.map((type) => (type === 'Gene Expression' ? 'Odd Thing' : type));
  const other = await inspectH5ad(await written({ var: new Map([['feature_type', text(without)]]) }));
  expect(other.genes).toBe(features - 7);
  expect(other.warnings.find(({ code }) => code === 'unknown-feature-types')?.numbers).toEqual({
    types: ['Odd Thing'],
  });
});

test.each([
  ['rna', 'gene'],
  ['GEX', 'gene'],
  ['protein_coding', 'gene'],
  ['Mt_tRNA', 'gene'],
  ['IG_C_gene', 'gene'],
  ['transcribed_unprocessed_pseudogene', 'gene'],
  ['prot', 'other'],
  ['atac', 'other'],
  ['Multiplexing Capture', 'other'],
  ['spike-in', 'other'],
  ['sgRNA', 'other'],
  ['Negative Control Probe', 'other'],
  ['nan', 'untyped'],
  ['constructor', 'unknown'],
] as const)('%s is %s', (type, kind) => {
  expect(featureKind(type)).toBe(kind);
});

test('genes of two genomes are reported and left together', async () => {
  const varNames = types.map((_, gene) => (gene < 40 ? `GRCh38_G${gene}` : `mm10___g${gene}`));
  const report = await inspectH5ad(await written({ varNames, var: new Map() }));
  expect(report.genes).toBe(features);
  expect(report.warnings.find(({ code }) => code === 'several-genomes')?.numbers).toEqual({
    genomes: ['GRCh38', 'mm10'],
    genes: [40, 20],
  });
});

test('a trio keeps all features in its .h5ad, and the dataset of it is of the genes', async () => {
  const output = join(folder, 'trio.h5ad');
  const named = types.map((type, at) => ({ name: `GENE${at}`, type }));
  const { notes } = await convertMatrixMarket(writeTrio(folder, named, counts), output);
  expect(notes).toContain(
    '53 of the 60 features are genes; 6 are Antibody Capture and 1 is CRISPR Guide Capture. All are in the file, a dataset of it is of the genes, with the proteins as a second modality.',
  );
  const { manifest, values } = await imported(output);
  expect(manifest.otherFeatures?.map(({ count }) => count)).toEqual([1]);
  expect(largestDifference(values, expectedValues)).toBeLessThan(1e-5);
});
