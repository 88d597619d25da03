import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FileObjectStore } from '@cellfolio/store';
import { ForbiddenRedirect, openAnswer, isPrivateAddress } from '../../runtime/remote/open-answer.ts';
import { type FakePublisher, startPublisher, status } from './testing/fake-publisher.ts';
import { StoredLibraries } from './stored-libraries.ts';
import { hostile, writeAnalysisDataset } from '../../testing/analysis-dataset.ts';
import { apiClient } from '../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../testing/shared-server.ts';

let publisher: FakePublisher;
let port: string;

beforeAll(async () => {
  publisher = await startPublisher(new Map([['Small', 'A\t\tCDK1\n']]));
  port = new URL(publisher.base).port;
});
afterAll(() => publisher.close());

async function through(
  location: string,
  isPrivate: (address: string) => boolean,
): Promise<number | undefined> {
  publisher.answerNext(status(302, { location }));
  const signal = new AbortController().signal;
  const address = new URL(`${publisher.base}/geneSetLibrary?mode=text&libraryName=Small`);
  const { answer } = await openAnswer(address, { headers: {}, signal, isPrivate });
  answer.resume();
  return answer.statusCode;
}

describe('a redirect', () => {
  const path = '/Enrichr/geneSetLibrary?mode=text&libraryName=Small';

  test('stays on the host of the publisher, wherever that is', async () => {
    expect(await through(path, () => false)).toBe(200);
    expect(await through(path, () => true)).toBe(200);
  });

  test('of a private publisher may lead to another private host', async () => {
    expect(await through(`http://localhost:${port}${path}`, isPrivateAddress)).toBe(200);
  });

  test('of a public publisher never leads to a private address', async () => {
    const requestCount = publisher.seen.length;
    const followed = through(`http://127.0.0.2:${port}${path}`, (address) => address === '127.0.0.2');
    await expect(followed).rejects.toThrow(ForbiddenRedirect);
    expect(publisher.seen.length).toBe(requestCount + 1);
  });

  test('of a public publisher never leads to a name with a private address', async () => {
    const requestCount = publisher.seen.length;
    // The publisher counts as public under its own address, and as private under the name.
    let callCount = 0;
    const followed = through(`http://localhost:${port}${path}`, () => callCount++ > 0);
    await expect(followed).rejects.toThrow(/localhost, which is a private address/);
    expect(publisher.seen.length).toBe(requestCount + 1);
  });

  test('that leads in a circle is given up', async () => {
    publisher.answerNext(...Array.from({ length: 5 }, () => status(302, { location: path })));
    await expect(through(path, () => false)).rejects.toThrow(/after 5 other redirects/);
  });
});

describe('an address', () => {
  test.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.31.255.255',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    '[::1]',
    'fe80::1',
    '::7f00:1',
    '[::8.8.8.8]',
    'fd00::1',
    '::ffff:127.0.0.1',
    '::ffff:a00:1',
    '64:ff9b::a00:1',
    '64:ff9b:1::a00:1',
    '2002:a00:1::',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2001:db8::1',
    '203.0.113.9',
    'localhost',
    '',
  ])('%j is private', (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  });

  test.each([
    '8.8.8.8',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700::1111',
    '2001:4860:4860::8888',
    '::ffff:8.8.8.8',
  ])('%j is public', (address) => {
    expect(isPrivateAddress(address)).toBe(false);
  });
});

let server: SharedServer;
let api: ReturnType<typeof apiClient>;

const gmt = [
  [hostile, '', 'GENE1', 'GENE2', 'GENE3'],
  ['=HYPERLINK("http://x")', '', 'GENE1', 'GENE4'],
  ['A, "B"', '', 'GENE1', '=cmd|calc'],
]
  .map((line) => `${line.join('\t')}\n`)
  .join('');

beforeAll(async () => {
  server = await shareTestServer(async ({ objectRoot }) => {
    await writeAnalysisDataset(objectRoot, 'analysis.h5ad');
    await new StoredLibraries(new FileObjectStore(objectRoot)).put({
      name: 'Hostile',
      bytes: new TextEncoder().encode(gmt),
      source: 'file',
      origin: 'hostile.gmt',
      replace: false,
    });
  });
  api = apiClient(server, await server.signIn('standard'), 'hostile');
  await api.get('/api/dataset_analysis/analysis.h5ad');
});

test('hostile set and gene names are harmless in table, preview and figure', async () => {
  const { status, body } = await api.post('/api/perform-pathway-analysis', {
    pathway_genes: ['GENE1', 'GENE2', '=cmd|calc'],
    library_name: 'Hostile',
    minimum_overlap: 1,
  });
  expect(status).toBe(200);
  const csv = body.analysis_csv as string;
  expect(csv).toContain(`"'=HYPERLINK(""http://x"")"`);
  expect(csv).toContain('"A, ""B"""');
  expect(csv).toContain('"<script>alert(""x"")</script>"');
  expect(body.analysis_preview_table_html).not.toContain('<script');
  expect(body.analysis_preview_table_html).toContain('&lt;script&gt;');
  expect(body.library).toMatchObject({ name: 'Hostile', source: 'file', title: 'Hostile', set_count: 3 });
  const svg = await api.post('/api/render-figure', { source: body.source, format: 'svg' });
  expect(new TextDecoder().decode(svg.body)).not.toContain('<script');
});
