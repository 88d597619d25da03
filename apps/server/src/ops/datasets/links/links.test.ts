import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { isCategorical } from '@cellfolio/model';
import { FileObjectStore, openDataset, readManifest } from '@cellfolio/store';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { simulatedCounts, writeSmallFile } from '../../../features/uploads/work/work.test-data.ts';
import { readSoft } from '../../../runtime/archives/geo.ts';
import { groupFiles } from '../../../runtime/archives/group-files.ts';
import type { Archives } from '../../../runtime/archives/linked-datasets.ts';
import { tarOf } from '../../../runtime/archives/tar.test-data.ts';
import type { DatasetAddOptions } from '../add-dataset.ts';
import { addedTo } from '../adding.test-data.ts';

const CELLS = 60;
const GENES = 300;
const collection = '0aab1111-2222-3333-4444-555566667777';
const [blood, lung] = ['b1000000-0000-0000-0000-000000000001', 'b1000000-0000-0000-0000-000000000002'];
let folder: string;
let server: Server;
let origin: string;
let archives: Archives;
const pages = new Map<string, Buffer | string | RequestListener>();
let requestedUrls: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cellfolio-links-'));
  server = createServer((request, response) => {
    const { url = '' } = request;
    requestedUrls.push(url);
    const page = pages.get(url);
    if (page === undefined) response.writeHead(404).end();
    else if (typeof page === 'function') page(request, response);
    else
      response
        .writeHead(200, { etag: `"${url.length}"`, 'content-length': Buffer.byteLength(page) })
        .end(page);
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  archives = { discover: `${origin}/curation/v1`, geo: `${origin}/geo/query/acc.cgi`, geoFiles: origin };
  const file = join(folder, 'counts.h5ad');
  await writeSmallFile(file, { rows: simulatedCounts(CELLS, GENES) });
  pages.set(`/${blood}.h5ad`, await readFile(file));
  serveDiscover(origin);
  serveGeo();
});
beforeEach(() => void (requestedUrls = []));
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true, force: true });
});

function serveDiscover(origin: string): void {
  const labels = (...names: string[]) => names.map((label) => ({ label, ontology_term_id: 'X:1' }));
  const dataset = (id: string, title: string, donors: string[]) => ({
    dataset_id: id,
    title,
    assay: labels("10x 3' v3"),
    disease: labels('normal', 'COVID-19'),
    tissue: labels('blood'),
    organism: labels('Homo sapiens'),
    donor_id: donors,
    cell_count: CELLS,
    citation: 'Publication: https://doi.org/10.1/x',
    assets: [
      { filetype: 'RDS', filesize: 1, url: `${origin}/x.rds` },
      { filetype: 'H5AD', filesize: 2 ** 20, url: `${origin}/${id}.h5ad` },
    ],
  });
  const datasets = [
    dataset(blood, 'Blood of <b>patients</b>', ['d1', 'd2', 'pooled']),
    dataset(lung, 'Lung', ['d1']),
  ];
  const answer = { collection_id: collection, name: 'An atlas', doi: '10.1/x', datasets };
  pages.set(`/curation/v1/collections/${collection}`, JSON.stringify(answer));
  pages.set(`/curation/v1/datasets/${blood}/versions`, JSON.stringify([{ collection_id: collection }]));
}

function serveGeo(): void {
  const samples = ['GSM11', 'GSM12'];
  const parts = (sample: string) => ({
    'matrix.mtx.gz': matrixOf(simulatedCounts(sample === 'GSM11' ? CELLS : CELLS - 20, GENES)),
    'barcodes.tsv.gz': Array.from({ length: sample === 'GSM11' ? CELLS : CELLS - 20 }, (_, at) => `C${at}-1`),
    'genes.tsv.gz': Array.from({ length: GENES }, (_, at) => `ENSG${at}\tG${at}`),
  });
  const lines = [
    '^DATABASE = GeoMiame',
    '^SERIES = GSE9',
    '!Series_title = Two donors',
    '!Series_pubmed_id = 7',
  ];
  lines.push('!Series_summary = What was done.', '!Series_geo_accession = GSE9');
  lines.push('!Series_supplementary_file = ftp://ftp.ncbi.nlm.nih.gov/geo/series/GSE9/suppl/GSE9_RAW.tar');
  for (const [at, sample] of samples.entries()) {
    lines.push(
      `^SAMPLE = ${sample}`,
      `!Sample_title = Donor ${at + 1}`,
      '!Sample_organism_ch1 = Homo sapiens',
    );
    lines.push(`!Sample_characteristics_ch1 = Treatment: ${at === 0 ? 'none' : 'drug'}`);
    lines.push('!Sample_characteristics_ch1 = disease: Lupus', '!Sample_characteristics_ch1 = tissue: Blood');
    for (const [nth, [name, content]] of Object.entries(parts(sample)).entries()) {
      const path = `/geo/samples/${sample}/suppl/${sample}_${name}`;
      lines.push(`!Sample_supplementary_file_${nth + 1} = ftp://ftp.ncbi.nlm.nih.gov${path}`);
      pages.set(path, gzipSync(`${content.join('\n')}\n`));
    }
  }
  pages.set('/geo/query/acc.cgi?acc=GSE9&targ=all&form=text&view=brief', lines.join('\r\n'));
  pages.set(
    '/geo/query/acc.cgi?acc=GSE8&targ=all&form=text&view=brief',
    '^SERIES = GSE8\n!Series_relation = SuperSeries of: GSE9\n',
  );
}

function matrixOf(rows: readonly Int32Array[]): string[] {
  const entries = rows.flatMap((row, cell) =>
    Array.from(row.entries()).flatMap(([gene, count]) =>
      count > 0 ? [`${gene + 1} ${cell + 1} ${count}`] : [],
    ),
  );
  return [
    '%%MatrixMarket matrix coordinate integer general',
    `${rows[0]!.length} ${rows.length} ${entries.length}`,
    ...entries,
  ];
}

const added = (source: string, more: Partial<DatasetAddOptions> = {}) =>
  addedTo(folder, source, { compute: false, ...more }, archives);
const combined = { compute: true, doublets: 'keep', integrate: 'none' } as const;
const page = (path: string) => `https://cellxgene.cziscience.com/${path}`;
const manifestOf = (id: string) => readManifest(new FileObjectStore(join(folder, 'objects')), id);
const leftBehind = () => readdir(join(folder, 'downloads'));

describe('a page of CELLxGENE Discover', () => {
  test('a dataset comes with what Discover says of it; options go before that', async () => {
    const { json } = await added(page(`e/${blood}.cxg/`), { subdisease: 'Severe', compute: true });
    expect(json.dataset).toBe('Blood-of-b-patients--b-.h5ad');
    expect((await manifestOf(json.dataset)).catalogue).toMatchObject({
      name: 'Blood of <b>patients</b>',
      disease: 'COVID-19',
      subdisease: 'Severe',
      category1: "10x 3' v3",
      category2: 'Homo sapiens',
      patientCount: 2,
      description: expect.stringMatching(/^An atlas\. Tissue: blood\. .*10\.1\/x\. .*CC BY 4\.0\.$/),
    });
    expect(await leftBehind()).toEqual([]);
  });

  test('a collection of several lists them with their sizes, and is added by number or name', async () => {
    const link = page(`collections/${collection}`);
    await expect(added(link)).rejects.toMatchObject({
      message: expect.stringMatching(
        /^An atlas, CELLxGENE Discover has 2 datasets\. Pick one .*--pick all:$/,
      ),
      lines: ['  1  Blood of <b>patients</b>, 60 cells, 1.05 MB', '  2  Lung, 60 cells, 1.05 MB'],
    });
    const { json } = await added(link, { pick: '1', id: 'picked', dryRun: true });
    expect(json.report).toMatchObject({ cells: CELLS });
    await expect(added(link, { pick: 'Liver' })).rejects.toThrow("has no dataset 'Liver'");
  });

  test('a page that is missing, or of another kind, is refused with the reason', async () => {
    await expect(added(page('e/b1000000-0000-0000-0000-000000000009.cxg/'))).rejects.toThrow(
      'CELLxGENE Discover has no public dataset b1000000-0000-0000-0000-000000000009.',
    );
    await expect(added(page('datasets'))).rejects.toThrow('is not a collection or dataset page');
    pages.set(`/curation/v1/collections/${lung}`, '{"datasets": "none"}');
    await expect(added(page(`collections/${lung}`))).rejects.toThrow('the answer is not as expected');
  });
});

describe('an accession of GEO', () => {
  test('a sample of a series: the three files of its matrix, whatever they are called before', async () => {
    const { json } = await added('https://www.ncbi.nlm.nih.gov/geo/query/acc.cgi?acc=GSE9', {
      pick: 'GSM12',
      id: 'one',
      compute: true,
    });
    expect(json.report.cells).toBe(CELLS - 20);
    expect((await manifestOf('one.h5ad')).catalogue).toMatchObject({
      name: 'Donor 2',
      disease: 'Lupus',
      subdisease: 'Blood',
      gseAccessionNumber: 'GSE9',
      description: expect.stringContaining('which states no license: ask the authors'),
    });
    expect(requestedUrls.some((url) => url.includes('GSM11'))).toBe(false);
    expect(await leftBehind()).toEqual([]);
  });

  test('all samples of a series become one dataset, with their characteristics as columns', async () => {
    const { json, text } = await added('gse9', { ...combined, pick: 'all', id: 'both' });
    expect(text).toContain('Samples from');
    expect(json.report.cells).toBe(2 * CELLS - 20);
    const dataset = await openDataset(new FileObjectStore(join(folder, 'objects')), 'both.h5ad');
    const treatment = await dataset.obs('treatment');
    expect(isCategorical(treatment) && treatment.categories).toEqual(['none', 'drug']);
    const sample = await dataset.obs('sample');
    expect(isCategorical(sample) && sample.categories).toEqual(['GSM11', 'GSM12']);
    expect(await leftBehind()).toEqual([]);
  });

  test('a series without a choice, a series of series and an unknown one say what to do', async () => {
    await expect(added('GSE9')).rejects.toMatchObject({
      message: expect.stringContaining('2 datasets'),
      lines: [
        '  1  GSM11 Donor 1, 3 files',
        '  2  GSM12 Donor 2, 3 files',
        expect.stringContaining('Not readable: GSE9_RAW.tar'),
      ],
    });
    await expect(added('GSE8')).rejects.toThrow('GSE8 is a series of series. Add one of them: GSE9.');
    await expect(added('GSE7')).rejects.toThrow('GEO has no public record GSE7.');
    for (const accession of ['GSE12x', 'GPL570', 'GSE1234567890', 'GSE 9'])
      await expect(added(accession)).rejects.toThrow(`'${accession}' is not a GEO accession`);
  });

  test('the address of one file on the download pages of GEO leads to that file', async () => {
    const path = '/geo/samples/GSM1nnn/GSM1234/suppl/GSM1234_one%20file.h5ad';
    pages.set(path, pages.get(`/${blood}.h5ad`)!);
    const link =
      'https://www.ncbi.nlm.nih.gov/geo/download/?acc=gsm1234&format=file&file=GSM1234%5Fone+file%2Eh5ad';
    const named = { name: 'A', disease: 'B', subdisease: 'C' };
    const { json } = await added(link, { ...named, dryRun: true });
    expect(json.report.cells).toBe(CELLS);
    pages.delete(path);
  });

  test('fields that the catalogue needs and the archive lacks are requested', async () => {
    pages.set(
      '/geo/query/acc.cgi?acc=GSM5&targ=self&form=text&view=brief',
      `^SAMPLE = GSM5\n!Sample_title = A\n!Sample_supplementary_file_1 = ftp://ftp.ncbi.nlm.nih.gov/${blood}.h5ad\n`,
    );
    await expect(added('GSM5')).rejects.toThrow('The catalog needs --disease, --subdisease.');
    const { json } = await added('GSM5', { disease: 'B', subdisease: 'C', dryRun: true });
    expect(json.report.cells).toBe(CELLS);
  });
});

const gunzipped = (content: Buffer) => (content[0] === 0x1f ? gunzipSync(content) : content).toString('utf8');

async function rawTar(): Promise<Buffer> {
  const files = [...pages].flatMap(([path, content]) => {
    const name = /^\/geo\/samples\/.*\/([^/]+)$/.exec(path)?.[1];
    return name === undefined ? [] : [[name, content as Buffer] as const];
  });
  return tarOf([
    ...files,
    ['GSM13_notes.docx', 'x'],
    [{ name: 'GSM14.h5ad', type: 'symlink', linkname: '/etc/passwd' }],
    ['../GSM15.h5ad', 'x'],
  ]);
}
function sendParts(path: string, content: Buffer, etag = '"one"'): void {
  pages.set(path, ({ headers }, response) => {
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
    const changed = headers['if-range'] !== undefined && headers['if-range'] !== etag;
    if (first === undefined || changed)
      return void response.writeHead(200, { etag, 'content-length': content.length }).end(content);
    const part = content.subarray(Number(first), Number(last) + 1);
    const range = `bytes ${first}-${Number(first) + part.length - 1}/${content.length}`;
    response.writeHead(206, { etag, 'content-length': part.length, 'content-range': range }).end(part);
  });
}

describe('an archive of many samples', () => {
  const named = { name: 'A', disease: 'B', subdisease: 'C' };
  const refusal = {
    message: expect.stringMatching(/has 2 datasets\. Pick one /),
    lines: [
      expect.stringMatching(/^ {2}1 {2}GSM11, .*3 files$/),
      expect.stringMatching(/^ {2}2 {2}GSM12, .*3 files$/),
      expect.stringMatching(
        /^Not readable: GSM13_notes\.docx \(no format.*\), GSM14\.h5ad \(a link, not a file\), \.\.\/GSM15\.h5ad \(its name leads out of the archive\)$/,
      ),
    ],
  };

  test.each(['GSE9_RAW.tar', 'GSE9_RAW.tar.gz'])('%s on this machine is looked into', async (name) => {
    const tar = await rawTar();
    const path = join(folder, name);
    await writeFile(path, name.endsWith('.gz') ? gzipSync(tar) : tar);
    await expect(added(path, named)).rejects.toMatchObject(refusal);
    const { json } = await added(path, { ...named, pick: 'GSM12', id: `${name}-one` });
    expect(json.report.cells).toBe(CELLS - 20);
    const both = await added(path, {
      ...named,
      ...combined,
      pick: 'all',
      id: `${name}-both`,
    });
    expect(both.json.report.cells).toBe(2 * CELLS - 20);
    expect(await leftBehind()).toEqual([]);
  });

  test.each(['outs.tar', 'outs.tar.gz'])(
    '%s of Space Ranger is one dataset: the filtered matrix with the positions of its spots',
    async (name) => {
      const trio = [...pages].flatMap(([path, content]) => {
        const part = /GSM11_(matrix.*|barcodes.*|(?:features|genes).*)$/.exec(path)?.[1];
        return part === undefined ? [] : [[part, content as Buffer] as const];
      });
      expect(trio).toHaveLength(3);
      const barcodes = trio.find(([part]) => part.startsWith('barcodes'))!;
      const names = gunzipped(barcodes[1]).trim().split('\n');
      const spots = names.map((spot, at) => `${spot},1,${at},${at},${at},${2 * at}`).join('\n');
      const tar = await tarOf([
        ...['raw', 'filtered'].flatMap((kind) =>
          trio.map(([part, content]) => [`S1/outs/${kind}_feature_bc_matrix/${part}`, content] as const),
        ),
        ['S1/outs/spatial/tissue_positions_list.csv', spots],
        ['S1/outs/metrics_summary.csv', 'a,b\n1,2\n'],
      ]);
      const path = join(folder, name);
      await writeFile(path, name.endsWith('.gz') ? gzipSync(tar) : tar);
      const { json } = await added(path, { ...named, id: `${name}-spots` });
      expect(json.report.cells).toBe(names.length);
      expect(json.report.format.embeddings).toMatchObject([{ name: 'spatial' }]);
    },
  );

  test('of one at an address only the headers and what was picked are fetched', async () => {
    const tar = await tarOf([['GSM10_large.h5', Buffer.alloc(2_000_000, 'x')], ...(await filesOf('GSM12'))]);
    sendParts('/GSE9_RAW.tar', tar);
    const link = `${origin}/GSE9_RAW.tar`;
    const { json } = await added(link, { ...named, pick: 'GSM12', id: 'remote' });
    expect(json.report.cells).toBe(CELLS - 20);
    expect(requestedUrls.filter((url) => url === '/GSE9_RAW.tar').length).toBeLessThan(10);
    expect(await leftBehind()).toEqual([]);
  });

  test('a sample of a table may be an archive of one, packed or not', async () => {
    const names = ['one.tar', 'two.tar.gz'];
    const [first, second] = await Promise.all(
      ['GSM11', 'GSM12'].map(async (sample) => tarOf(await filesOf(sample))),
    );
    await writeFile(join(folder, names[0]!), first!);
    await writeFile(join(folder, names[1]!), gzipSync(second!));
    const samples = join(folder, 'archives.csv');
    await writeFile(samples, `sample,file\n${names.map((name, at) => `S${at + 1},${name}`).join('\n')}\n`);
    const { json } = await addedTo(
      folder,
      undefined,
      { ...named, ...combined, samples, id: 'of-archives' },
      archives,
    );
    expect(json.report.cells).toBe(2 * CELLS - 20);
    expect(await leftBehind()).toEqual([]);
  });

  test('a server that sends no parts, and a missing archive, are reported', async () => {
    pages.set('/whole.tar', await rawTar());
    await expect(added(`${origin}/whole.tar`, named)).rejects.toThrow(
      /sent the whole file instead of a part/,
    );
    await expect(added(`${origin}/none.tar`, named)).rejects.toThrow(/the server answered 404/);
  });

  test('a series whose samples have no files of their own has those of its archive', async () => {
    sendParts('/geo/series/GSE6/suppl/GSE6_RAW.tar', await rawTar());
    pages.set(
      '/geo/query/acc.cgi?acc=GSE6&targ=all&form=text&view=brief',
      [
        '^SERIES = GSE6',
        '!Series_title = Old',
        '!Series_supplementary_file = ftp://ftp.ncbi.nlm.nih.gov/geo/series/GSE6/suppl/GSE6_RAW.tar',
        '^SAMPLE = GSM11',
        '!Sample_title = Donor 1',
        '!Sample_characteristics_ch1 = disease: Lupus',
        '!Sample_characteristics_ch1 = tissue: Blood',
      ].join('\n'),
    );
    await added('GSE6', { pick: 'GSM11', id: 'old' });
    expect((await manifestOf('old.h5ad')).catalogue).toMatchObject({ name: 'Donor 1', disease: 'Lupus' });
  });
});

async function filesOf(sample: string) {
  return [...pages].flatMap(([path, content]) =>
    path.includes(`/${sample}/`) ? [[path.split('/').at(-1)!, content as Buffer] as const] : [],
  );
}

test('an option of links is refused where the source is none', async () => {
  await expect(added(join(folder, 'counts.h5ad'), { pick: '1' })).rejects.toThrow('--pick is for a link');
});

test('files are sorted into matrices with their tables, files of a dataset and others', () => {
  const names = [
    'GSM1_barcodes.tsv.gz',
    'GSM1_matrix.mtx.gz',
    'GSM1_genes.tsv.gz',
    'GSM2_matrix.mtx.gz',
    'all.h5ad',
    'GSE1_RAW.tar',
    'object.rds.gz',
  ];
  const { groups, unreadable } = groupFiles(names.map((name) => ({ name, address: `https://a/${name}` })));
  expect(groups.map(({ name, files }) => [name, files.length])).toEqual([
    ['all.h5ad', 1],
    ['GSM1', 3],
    ['object.rds.gz', 1],
  ]);
  expect(unreadable).toEqual([
    'GSE1_RAW.tar (the files of the samples as one archive)',
    'GSM2 (it lacks barcodes.tsv and features.tsv)',
  ]);
});

test('SOFT is read by records; lines of other forms are passed over', () => {
  const [series, sample] = readSoft(
    'x\n!Lost = 1\n^SERIES = GSE1\n!Series_a = 1 = 2\n!Series_a = 3\n#no\n^SAMPLE = GSM1',
  );
  expect(series).toMatchObject({ kind: 'SERIES', accession: 'GSE1' });
  expect(series!.values.get('a')).toEqual(['1 = 2', '3']);
  expect(sample!.accession).toBe('GSM1');
});
