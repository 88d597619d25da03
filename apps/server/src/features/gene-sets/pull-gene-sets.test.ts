import type { ServerResponse } from 'node:http';
import { geneSetLibraries, pulledGeneSetLibraries } from '@cellfolio/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { enrichrText, type FakePublisher, startPublisher, status } from './testing/fake-publisher.ts';
import { startTestServer, type TestServer } from '../../testing/running-server.ts';

const text = enrichrText([['Cell cycle', 'CDK1', 'PLK1']]);
let publisher: FakePublisher;
let server: TestServer;
let operator: string;
let other: string;

beforeAll(async () => {
  const names = ['KEGG_2021_Human', 'MSigDB_Hallmark_2020', 'GO_Biological_Process_2023'];
  publisher = await startPublisher(new Map(names.map((name) => [name, text])));
  server = await startTestServer({ GENE_SET_URL: publisher.base }, async () => undefined);
  // Whoever tries a demo operates it with this account.
  operator = await server.signIn('professional');
  other = await server.signIn('standard');
});
afterAll(async () => {
  await server?.close();
  await publisher?.close();
});

async function call(token: string, path: string, init: RequestInit = {}) {
  const headers = { ...server.headers(token), ...(init.headers as Record<string, string> | undefined) };
  const answer = await fetch(`${server.siteUrl}${path}`, { ...init, headers });
  return { status: answer.status, body: await answer.text() };
}

const listed = async (token: string) =>
  geneSetLibraries.parse(JSON.parse((await call(token, '/api/gene-set-libraries')).body));
const pull = (token: string, headers: Record<string, string> = {}) =>
  call(token, '/api/gene-set-libraries/pull', { method: 'POST', headers });

test('users who do not operate the server are refused, and learn so beforehand', async () => {
  expect((await listed(other)).may_pull).toBe(false);
  const { status: refused, body } = await pull(other);
  expect({ refused, ...JSON.parse(body) }).toMatchObject({ refused: 403, code: 'not_an_operator' });
  expect(publisher.seen).toEqual([]);
});

test('an operator pulls the libraries, watches how far it is, and hears which failed and why', async () => {
  expect((await listed(operator)).may_pull).toBe(true);
  const watched = fetch(`${server.siteUrl}/api/progress/the-pull`, { headers: server.headers(operator) });
  await watched;
  const { status: code, body } = await pull(operator, { 'x-request-id': 'the-pull' });
  expect(code).toBe(200);
  const { libraries } = pulledGeneSetLibraries.parse(JSON.parse(body));
  expect(libraries.map(({ outcome }) => outcome)).toEqual(['fetched', 'fetched', 'fetched', 'failed']);
  expect(libraries[3]?.reason).toMatch(/Reactome_Pathways_2024 could not be fetched from .*: .*404/);
  const events = await (await watched).text();
  expect(events).toMatch(/"stage":"Fetching KEGG_2021_Human \(1 of 4\)"/);
  expect(events).toContain('event: end');
});

test('what was pulled takes the place of what is built in, for everybody, within seconds', async () => {
  await expect
    .poll(async () =>
      (await listed(other)).libraries.map(({ name, source, set_count }) => [name, source, set_count]),
    )
    .toEqual([
      ['KEGG_2021_Human', 'publisher', 1],
      ['MSigDB_Hallmark_2020', 'publisher', 1],
      ['GO_Biological_Process_2023', 'publisher', 1],
      ['Reactome_Pathways_2024', 'starter', 125],
    ]);
});

test('two operators at once make one pull, and a publisher that refuses changes nothing', async () => {
  const before = publisher.seen.length;
  // The second operator comes while the first pull waits.
  const refuseLater = (response: ServerResponse) =>
    void setTimeout(() => status(403)(response, response.req), 200);
  publisher.answerNext(refuseLater, status(403), status(403), status(403));
  const answers = await Promise.all([pull(operator), pull(operator)]);
  expect(publisher.seen.length - before).toBe(4);
  for (const { body } of answers) {
    const { libraries } = pulledGeneSetLibraries.parse(JSON.parse(body));
    expect(libraries.map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'failed', 'failed']);
  }
  expect((await listed(operator)).libraries[0]?.source).toBe('publisher');
});
