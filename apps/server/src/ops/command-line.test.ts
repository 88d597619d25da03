import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeH5ad } from '@cellfolio/ingest';
import { packStrings } from '@cellfolio/model';
import { type FakePublisher, startPublisher } from '../features/gene-sets/testing/fake-publisher.ts';
import { tarOf } from '../runtime/archives/tar.test-data.ts';
import { runCommand } from '../testing/run-command.ts';

let folder: string;
let dataDir: string;
let good: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cellfolio-cli-'));
  dataDir = join(folder, 'data');
  good = join(folder, 'small study.h5ad');
  await writeSmallFile(good);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Three cells and two genes, with cell types and a UMAP; counts by default. */
async function writeSmallFile(path: string, values = Float32Array.of(5, 3, 2)): Promise<void> {
  await writeH5ad(path, {
    obs: {
      rowCount: 3,
      indexName: '_index',
      index: packStrings(['a', 'b', 'c']),
      columns: new Map([
        [
          'cell_type',
          {
            kind: 'categorical',
            codes: Int8Array.of(0, 1, 1),
            categories: ['B cell', 'T cell'],
            categoryType: 'string',
            ordered: false,
          },
        ],
      ]),
    },
    var: { rowCount: 2, indexName: '_index', index: packStrings(['CD79A', 'CD3D']), columns: new Map() },
    X: {
      format: 'csr',
      dtype: 'float32',
      valueCount: 3,
      blocks: [
        {
          indptr: Float64Array.of(0, 1, 2, 3),
          indices: Int32Array.of(0, 1, 1),
          values,
        },
      ],
    },
    obsm: [{ name: 'X_umap', dimensions: 2, values: Float32Array.of(0, 0, 1, 1, 2, 1) }],
  });
}

const run = (words: readonly string[], settings: Record<string, string> = {}) =>
  runCommand(words, { DATA_DIR: dataDir, ...settings });
const cellfolio = (...words: string[]) => run(words);

const catalogued = ['--name', 'Small study', '--disease', 'Healthy', '--subdisease', 'Blood'];

describe('a dataset from a file to the catalogue and out of it', () => {
  test('dataset add prints the preflight report and what was added', async () => {
    const { code, out } = await cellfolio(
      'dataset',
      'add',
      good,
      ...catalogued,
      '--metadata',
      'Type=cell_type',
    );
    expect(code).toBe(0);
    expect(out).toMatch(/Cell type\s+cell_type/);
    expect(out).toContain('Added as small-study.h5ad: 3 cells, 2 genes.');
  });

  test('datasets to choose from are printed line by line, without what would steer a terminal', async () => {
    const path = join(folder, 'samples.tar');
    await writeFile(
      path,
      await tarOf([
        ['one.h5ad', 'x'],
        ['two.h5ad', 'x'],
        ['no\u001b[2Jte.docx', 'x'],
      ]),
    );
    const { code, err } = await cellfolio('dataset', 'add', path, ...catalogued);
    expect({ code, lines: err.trimEnd().split('\n').slice(-3) }).toEqual({
      code: 2,
      lines: [
        expect.stringMatching(/^ {2}1 {2}one/),
        expect.stringMatching(/^ {2}2 {2}two/),
        expect.stringMatching(/^Not readable: no[^\p{Cc}]*te\.docx/u),
      ],
    });
  });

  test('a second dataset of the same name is refused with its own exit code, except with --replace', async () => {
    const again = await cellfolio('dataset', 'add', good, ...catalogued);
    expect(again).toMatchObject({ code: 5, err: expect.stringContaining('small-study.h5ad') });
    expect((await cellfolio('dataset', 'add', good, ...catalogued, '--replace')).code).toBe(0);
  });

  test('values of unknown scale are refused with the evidence, until --expression is given', async () => {
    const path = join(folder, 'open.h5ad');
    await writeSmallFile(path, Float32Array.of(2.5, 1.5, 0.7));
    const refused = await cellfolio('dataset', 'add', path, ...catalogued);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain('log1p, log2, log10, linear or counts. Use the option --expression.');
    expect(refused.err).toContain('Read as ln(1 + x)');
    const wrong = await cellfolio('dataset', 'add', path, ...catalogued, '--expression', 'cpm');
    expect(wrong).toMatchObject({
      code: 2,
      err: expect.stringContaining('log1p, counts, linear, log2, log10'),
    });
    const counts = await cellfolio('dataset', 'add', path, ...catalogued, '--expression', 'counts');
    expect(counts).toMatchObject({ code: 0, out: expect.stringMatching(/counts.*fractions/) });
    await cellfolio('dataset', 'remove', 'open.h5ad');
    const added = await cellfolio('dataset', 'add', path, ...catalogued, '--expression', 'log2');
    expect(added.code).toBe(0);
    expect(added.out).toContain('multiplied by ln 2 = 0.693147');
    await cellfolio('dataset', 'remove', 'open.h5ad');
  });

  test('results are JSON with --json anywhere on the command line', async () => {
    const { out } = await cellfolio('dataset', 'list', '--json');
    expect(JSON.parse(out)).toMatchObject({
      datasets: [{ id: 'small-study.h5ad', name: 'Small study', cells: 3, genes: 2, simulated: false }],
      damaged: [],
    });
    const added = await cellfolio('--json', 'dataset', 'add', good, ...catalogued, '--id', 'second');
    expect(JSON.parse(added.out)).toMatchObject({
      dataset: 'second.h5ad',
      report: { warnings: expect.any(Array) },
    });
  });

  test('a dataset can be downloaded, and an error of its server is reported', async () => {
    const server = createServer(async (request, response) => {
      if (request.url !== '/small.h5ad') return void response.writeHead(404).end();
      response.end(await readFile(good));
    });
    await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const fetched = await cellfolio('dataset', 'add', `${origin}/small.h5ad`, ...catalogued);
    const refused = await cellfolio('dataset', 'add', `${origin}/gone.h5ad`, ...catalogued);
    server.close();
    expect(fetched.out).toContain('Added as small.h5ad');
    expect(refused).toMatchObject({ code: 3, err: expect.stringContaining('404') });
    expect(await readdir(join(dataDir, 'downloads'))).toEqual([]);
  });

  test('verify finds a damaged dataset and the file at fault', async () => {
    await truncate(join(dataDir, 'objects/datasets/second.h5ad/obs/zarr.json'), 5);
    const { code, out } = await cellfolio('dataset', 'verify');
    expect(code).toBe(6);
    expect(out).toMatch(/small-study\.h5ad: sound/);
    expect(out).toMatch(/second\.h5ad: damaged[\s\S]*obs\/zarr\.json/);
  });

  test('removing a dataset again fails, as it does not exist', async () => {
    expect((await cellfolio('dataset', 'remove', 'small-study.h5ad')).code).toBe(0);
    expect(await cellfolio('dataset', 'remove', 'small-study.h5ad')).toMatchObject({ code: 4, out: '' });
  });
});

test('a set of ligand–receptor pairs is added with its release and licence, listed and removed', async () => {
  const file = join(folder, 'My consensus.csv');
  await writeFile(
    file,
    'source_genesymbol,target_genesymbol\nCXCL12,CXCR4\nCXCL12,CXCR4\nIL2,IL2RA_IL2RB_IL2RG\n',
  );
  const stated = ['--release', '2024-05', '--licence', 'CC BY 4.0'];
  expect(await cellfolio('pairs', 'add', file)).toMatchObject({ code: 2, out: '' });
  const added = await cellfolio('pairs', 'add', file, ...stated);
  expect(added.out).toContain('Added as My-consensus: 2 pairs of human genes.\nSkipped 1 rows');
  expect((await cellfolio('pairs', 'add', file, ...stated)).code).toBe(5);
  expect((await cellfolio('pairs', 'list')).out).toMatch(
    /My-consensus +2 +human +2024-05 +CC BY 4\.0\nabridged +100 +human +starter, abridged/,
  );
  await writeFile(file, 'a,b\n1,2\n');
  const refused = await cellfolio('pairs', 'add', file, ...stated, '--replace');
  expect(refused).toMatchObject({ code: 3, err: expect.stringContaining('the column ligand') });
  expect((await cellfolio('pairs', 'remove', 'My-consensus')).code).toBe(0);
  expect((await cellfolio('pairs', 'remove', 'My-consensus')).code).toBe(4);
});

test('a set of markers of cell types is added in the same way', async () => {
  const file = join(folder, 'panglao.tsv');
  await writeFile(file, 'species\tofficial gene symbol\tcell type\nHs\tMS4A1\tB cells\nHs\tCD19\tB cells\n');
  const added = await cellfolio('markers', 'add', file, '--release', '2020', '--licence', 'stated');
  expect(added.out).toContain('Added as panglao: 1 types of human genes.');
  expect((await cellfolio('markers', 'list')).out).toMatch(
    /panglao +1 +human +2020 +stated\nabridged +45 +human/,
  );
  await writeFile(file, 'a,b\n1,2\n');
  const refused = await cellfolio('markers', 'add', file, '--release', '2', '--licence', 's', '--replace');
  expect(refused).toMatchObject({ code: 3, err: expect.stringContaining('the column cell_type') });
  expect((await cellfolio('markers', 'remove', 'panglao')).code).toBe(0);
});

describe('gene-set libraries', () => {
  const sets = 'A\t\tCDK1\tPLK1\t\nB\t\tCDK1\tBAX\t\n';
  let publisher: FakePublisher;
  beforeAll(async () => {
    const names = ['KEGG_2021_Human', 'MSigDB_Hallmark_2020', 'GO_Biological_Process_2023'];
    publisher = await startPublisher(new Map(names.map((name) => [name, sets])));
  });
  afterAll(() => publisher.close());

  test('genesets list prints release, licence and citation, and calls abridged ones so', async () => {
    const { code, out } = await cellfolio('genesets', 'list');
    expect(code).toBe(0);
    expect(out).toMatch(/KEGG_2021_Human +KEGG 2021, abridged +111 /);
    expect(out).toMatch(/Reactome_Pathways_2024 +Reactome 2024, abridged +125 /);
    expect(out).toMatch(
      /MSigDB_Hallmark_2020 +MSigDB Hallmark 7\.0 +50 +4,384 +hallmark gene sets.* CC BY 4\.0\n/,
    );
    expect(out).toMatch(/\nGO_Biological_Process_2023: Ashburner et al\. 2000, .*\n/);
  });

  test('genesets pull downloads the four libraries, reports failures, and has its own exit code', async () => {
    const { code, out } = await withPublisher('genesets', 'pull');
    expect(code).toBe(3);
    expect(out).toMatch(/KEGG_2021_Human +fetched +2 +3\n/);
    expect(out).toMatch(/Reactome_Pathways_2024 +failed/);
    expect(out).toContain('Reactome_Pathways_2024 could not be fetched');
    const again = await withPublisher('genesets', 'pull', '--missing', 'KEGG_2021_Human');
    expect(again).toMatchObject({ code: 0, out: expect.stringContaining('there already') });
  });

  test('orthologues can be added from a file, listed, replaced and removed', async () => {
    const path = join(folder, 'pairs.tsv');
    await writeFile(path, 'mouse\thuman\nGfap\tGFAP\nH2-Aa\tHLA-DQA1\nGm1\t\n');
    const added = await cellfolio('orthologues', 'add', path);
    expect(added.out).toContain(
      'Added 2 pairs of mouse and human genes.\nSkipped 1 rows that name a gene of one species only.',
    );
    expect(await cellfolio('orthologues', 'add', path)).toMatchObject({ code: 5 });
    expect((await cellfolio('orthologues', 'add', path, '--replace')).code).toBe(0);
    expect((await cellfolio('orthologues', 'list')).out).toMatch(/mouse +human +2 +pairs.tsv +\d{4}-/);
    expect((await cellfolio('orthologues', 'remove', 'human', 'mouse')).code).toBe(0);
    expect((await cellfolio('orthologues', 'list')).out).toMatch(
      /human +mouse +17,280 +HCOP of January 2024, one-to-one +built in/,
    );
  });

  test('genesets add adds a file under a name, and remove removes it', async () => {
    const path = join(folder, 'my sets.gmt');
    await writeFile(path, sets);
    expect((await cellfolio('genesets', 'add', path)).out).toContain('Added as my-sets: 2 sets, 3 genes.');
    expect(await cellfolio('genesets', 'add', path)).toMatchObject({ code: 5 });
    expect((await cellfolio('genesets', 'list')).out).toMatch(
      /my-sets +file +2 +3 +file my sets\.gmt, added \d{4}-\d\d-\d\d +not stated/,
    );
    expect((await cellfolio('genesets', 'remove', 'my-sets')).code).toBe(0);
  });

  test('a malformed file is refused with its line', async () => {
    const path = join(folder, 'broken.gmt');
    await writeFile(path, 'A\t\tCDK1\nno tab here\n');
    const { code, err } = await cellfolio('genesets', 'add', path);
    expect(code).toBe(3);
    expect(err).toContain('broken.gmt, line 2');
  });

  function withPublisher(...words: string[]) {
    return run(words, { GENE_SET_URL: publisher.base });
  }
});

describe('errors are one line', () => {
  test.each([
    ['a file that is not there', ['dataset', 'add', '/nowhere.h5ad', ...catalogued], 3, /nowhere\.h5ad/],
    ['an empty name', ['dataset', 'add', 'x', ...catalogued, '--disease', ' '], 2, /must not be empty/],
    ['a missing option', ['dataset', 'add', 'x.h5ad', '--name', 'X'], 2, /--disease/],
    ['a wrong accession', ['dataset', 'add', 'x', ...catalogued, '--gse', 'E-MTAB-1'], 2, /GSE176078/],
    ['a wrong pair', ['dataset', 'add', 'x', ...catalogued, '--metadata', 'age'], 2, /KEY=COLUMN/],
    ['an unencrypted address', ['dataset', 'add', 'http://example.org/a.h5ad', ...catalogued], 2, /https/],
    ['an unknown verb', ['dataset', 'rename'], 2, /rename/],
    [
      'an impossible library name',
      ['genesets', 'remove', '../x'],
      2,
      /not a valid name for a gene-set library/,
    ],
    ['an unknown species', ['orthologues', 'add', 'x', '--from', 'unicorn'], 2, /Unknown species unicorn/],
    ['a table that is not there', ['orthologues', 'remove', 'rat', 'human'], 4, /between rat and human/],
    ['an unknown library', ['genesets', 'remove', 'nothing'], 4, /nothing/],
    ['an unknown dataset', ['dataset', 'verify', 'nothing.h5ad'], 4, /nothing\.h5ad/],
  ])('%s', async (_what, words, code, message) => {
    const ended = await cellfolio(...words);
    expect(ended.code).toBe(code);
    expect(ended.err).toMatch(message);
    expect(ended.err).not.toMatch(/^ +at /m);
  });

  test('the error of a file that is not HDF5 has its name, is JSON with --json, and no files are left', async () => {
    const path = join(folder, 'notes.h5ad');
    await writeFile(path, 'not a matrix');
    const { code, out } = await cellfolio('dataset', 'add', path, ...catalogued, '--json');
    expect(code).toBe(3);
    expect(JSON.parse(out)).toMatchObject({ error: { message: expect.stringContaining('notes.h5ad') } });
    expect(await readdir(join(dataDir, 'objects/datasets'))).not.toContain('notes.h5ad');
  });

  test('errors of options are JSON too', async () => {
    const { code, out, err } = await cellfolio('dataset', 'add', 'x.h5ad', '--json', '--name', 'A');
    expect(code).toBe(2);
    expect(JSON.parse(out)).toMatchObject({ error: { message: expect.stringContaining('--disease') } });
    expect(err).toBe('');
  });

  test('the error of an invalid setting has its name', async () => {
    const { code, err } = await run(['dataset', 'list'], { PORT: 'x' });
    expect(code).toBe(2);
    expect(err).toMatch(/^cellfolio: PORT: .+\n$/);
  });
});
