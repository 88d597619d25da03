import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import type { CellxgeneChoices } from '@cellfolio/contract';
import { type Dataset, FileObjectStore, openDataset } from '@cellfolio/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkDataset, curatedContent } from '../../cellxgene/index.ts';
import { runWork } from './index.ts';
import { buildOf, datasetId, labels, listening, simulatedCounts, writeSmallFile } from './work.test-data.ts';

const CELLS = 40;
const symbols = ['CD3E', 'MS4A1', 'CD45', 'NOT-A-GENE', 'ENSG00000105369.10', 'CD79A', 'LYZ', 'NKG7'];
const rows = simulatedCounts(CELLS, symbols.length);
const everyCell = Array.from({ length: CELLS }, (_, cell) => cell);
const typeOf = (cell: number) => (cell % 3 === 0 ? 'B cell' : 'T cells');

let folder = '';
let dataset: Dataset;
let version = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cellfolio-cellxgene-'));
  const path = join(folder, 'small.h5ad');
  await writeSmallFile(path, {
    rows,
    obs: new Map([
      ['cell_type', labels(everyCell.map(typeOf))],
      ['patient', labels(everyCell.map((cell) => `P${cell % 2}`))],
      ['__hidden', labels(everyCell.map(() => 'x'))],
    ]),
    obsm: [{ name: 'X_umap', dimensions: 2, values: new Float32Array(2 * CELLS).map((_, at) => at) }],
    geneNames: (gene) => symbols[gene]!,
    cellNames: (cell) => (cell === 1 ? 'cell-0' : `cell-${cell}`),
  });
  const build = buildOf({ path, name: 'small.h5ad' }, join(folder, 'root'), {
    columns: { expression: 'counts' },
  });
  ({ version } = await runWork({ ...build, compute: 'nothing' }, listening(folder).context));
  dataset = await openDataset(new FileObjectStore(join(folder, 'root')), datasetId);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const choices: CellxgeneChoices = {
  title: 'Small',
  organism: 'NCBITaxon:9606',
  fields: {
    tissue_type: { all: 'tissue' },
    tissue_ontology_term_id: { all: 'UBERON:0002048' },
    disease_ontology_term_id: { all: 'PATO:0000461' },
    assay_ontology_term_id: { all: 'EFO:0009922' },
    suspension_type: { all: 'cell' },
    development_stage_ontology_term_id: { all: 'unknown' },
    sex_ontology_term_id: { column: 'patient', values: { P0: 'PATO:0000383', P1: 'unknown' } },
    self_reported_ethnicity_ontology_term_id: { all: 'unknown' },
    is_primary_data: { all: 'True' },
  },
};
const fieldOf = (check: Awaited<ReturnType<typeof checkDataset>>['check'], name: string) =>
  check.fields.find((field) => field.name === name)!;

test('labels become terms by their names, missing values are counted, and choices fill them in', async () => {
  const before = (await checkDataset(dataset, { fields: {} })).check;
  expect(before.ready).toBe(false);
  expect(fieldOf(before, 'cell_type_ontology_term_id')).toMatchObject({
    column: 'cell_type',
    problems: 0,
    values: [
      { label: 'T cells', cells: 26, value: 'CL:0000084', term: 'T cell', isProposed: true, problem: null },
      { label: 'B cell', cells: 14, value: 'CL:0000236' },
    ],
  });
  expect(fieldOf(before, 'donor_id')).toMatchObject({ column: 'patient', problems: 0 });
  expect(fieldOf(before, 'assay_ontology_term_id')).toMatchObject({ column: null, problems: CELLS });
  const { check, genes } = await checkDataset(dataset, choices);
  expect(check).toMatchObject({ ready: true, title: 'Small', organism: { label: 'Homo sapiens' } });
  // CD45 is an alias of PTPRC; the id of CD79A stands there itself, so that its symbol gives no second one.
  expect(genes).toMatchObject({ unknown: ['NOT-A-GENE'], repeated: ['CD79A'] });
  expect(genes!.ids).toHaveLength(6);
  expect(genes!.ids).toContain('ENSG00000081237');
});

test('an assay decides which suspensions cells can be of', async () => {
  const { check } = await checkDataset(dataset, {
    ...choices,
    fields: {
      ...choices.fields,
      assay_ontology_term_id: { all: 'EFO:0700003' },
      suspension_type: { all: 'nucleus' },
    },
  });
  expect(check.ready).toBe(false);
  expect(fieldOf(check, 'suspension_type')).toMatchObject({
    problems: CELLS,
    values: [{ problem: 'The assay EFO:0700003 needs cell' }],
  });
});

test.each([
  ['all cells at once', 2 ** 30],
  ['a few cells at a time', 1600],
])('the file has counts by cell, Ensembl ids and the curated columns: %s', async (_, memoryBytes) => {
  const content = curatedContent(dataset, [], await checkDataset(dataset, choices))!;
  const at = (name: string) => join(folder, `${memoryBytes}-${name}`);
  writeFileSync(at('content'), serialize(content));
  const work = {
    kind: 'cellxgene' as const,
    root: join(folder, 'root'),
    dataset: { id: datasetId, version, name: 'Small' },
    content: at('content'),
    memoryBytes,
    output: at('out.h5ad'),
  };
  const { notes } = await runWork(work, listening(folder).context);
  expect(notes).toEqual([
    '40 cells and 6 genes were written.',
    '2 genes without an Ensembl id of their own in the list of the schema were left out.',
    '1 cells had the name of another one, and got a number.',
  ]);
  const file = { path: work.output, name: 'out.h5ad' };
  const inspected = await runWork({ kind: 'inspect', file }, listening(folder).context);
  expect(inspected.notes).toContain('Organism of all cells: NCBITaxon:9606.');
  await runWork({ ...buildOf(file, at('root'), {}), compute: 'nothing' }, listening(folder).context);
  const written = await openDataset(new FileObjectStore(at('root')), datasetId);
  expect(written.manifest).toMatchObject({ cellCount: CELLS, geneCount: 6, organism: 'NCBITaxon:9606' });
  expect(written.obsColumnNames).toContain('patient');
  for (const name of ['cell_type', '__hidden']) expect(written.obsColumnNames).not.toContain(name);
  const sex = await written.obs('sex_ontology_term_id');
  expect(sex).toMatchObject({ kind: 'categorical', categories: ['PATO:0000383', 'unknown'] });
  expect(await written.obs('is_primary_data')).toMatchObject({ kind: 'boolean' });
  const counts = (await written.storedMatrix('layers/counts'))!;
  const { starts } = counts;
  for (const [gene, row] of content.genes.rows.entries()) {
    const dense = new Float32Array(CELLS);
    const cells = await counts.cells(starts[gene]!, starts[gene + 1]!);
    const values = await counts.values(starts[gene]!, starts[gene + 1]!);
    cells.forEach((cell, entry) => (dense[cell] = values[entry]!));
    expect([...dense]).toEqual(rows.map((ofCell) => ofCell[row]));
  }
});
