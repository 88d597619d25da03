import { explorerLink } from '@cellfolio/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/running-server.ts';

let server: TestServer;
let ada: string;
let eve: string;
beforeAll(async () => {
  server = await startTestServer({}, async () => undefined);
  ada = await server.signIn('standard');
  eve = await server.signIn('professional');
});
afterAll(() => server.close());

async function call(token: string, path: string, body?: unknown) {
  const answer = await fetch(`${server.siteUrl}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...server.headers(token),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}
const make = (token: string, address: string) => call(token, '/api/links', { address });

test('an address has one short link for each user, which every signed-in user may follow', async () => {
  const address = '/explorer?disease=A+B&dataset=none.h5ad&view=gene-umap%3ACD3D';
  const made = await make(ada, address);
  expect(made.status).toBe(200);
  const { id } = explorerLink.parse(made.body);
  expect(id).toMatch(/^[1-9A-HJ-NP-Za-km-z]{12}$/);
  expect((await make(ada, address)).body).toEqual({ id, address });
  const other = explorerLink.parse((await make(eve, address)).body);
  expect(other.id).not.toBe(id);
  expect(await call(eve, `/api/links/${id}`)).toEqual({ status: 200, body: { id, address } });
  expect(explorerLink.parse((await make(ada, `${address}&view=category-umap`)).body).id).not.toBe(id);
});

test.each([
  'https://elsewhere.example/explorer?dataset=d',
  '//elsewhere.example/explorer?dataset=d',
  '/\\elsewhere.example/explorer?dataset=d',
  '/explorer/../auth?dataset=d',
  '/explorer.elsewhere.example?dataset=d',
  '/explorer@elsewhere.example/?dataset=d',
  '/account?dataset=d',
  'javascript:alert(1)//explorer?dataset=d',
  '/explorer?dataset=d#top',
  '/explorer?dataset=a b',
  '/explorer?dataset=d\r\nlocation: x',
  '/explorer?dataset=\u202ed',
  '/explorer?dataset=',
  '/explorer?view=category-umap',
  '/explorer',
  `/explorer?dataset=${'d'.repeat(8000)}`,
  '',
])('what is no address of the explorer gets no link: %j', async (address) => {
  expect(await make(ada, address)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
});

test('a link that was never made is not there, in words', async () => {
  for (const id of ['zzzzzzzzzzzz', '..%2Fconfig.json', 'x'.repeat(100)]) {
    expect(await call(ada, `/api/links/${id}`)).toMatchObject({
      status: 404,
      body: { code: 'link_not_found' },
    });
  }
});
