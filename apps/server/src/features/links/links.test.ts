import { type Owner, ownerOfUser } from '../../runtime/owners.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createUser, type Database, openDatabase } from '@cellfolio/platform';
import { copyTestDatabase } from '@cellfolio/platform/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { explorerLink } from '@cellfolio/contract';
import { ExplorerLinks } from './explorer-links.ts';
import { storedLabels, storeDocument } from '../../testing/stored-documents.ts';
import { type SharedServer, shareTestServer } from '../../testing/shared-server.ts';

let folder: string;
let database: Database;
let links: ExplorerLinks;
let owners: [Owner, Owner];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cellfolio-links-'));
  await copyTestDatabase(folder);
  database = await openDatabase({ dataDir: folder });
  links = new ExplorerLinks(database);
  owners = [await addUser('ada'), await addUser('bob')];
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

async function addUser(name: string): Promise<Owner> {
  const user = { email: `${name}@example.org`, password: 'a long password', confirmed: true };
  const { id } = await createUser(database, { ...user, passwordCost: { memoryKib: 64, passes: 1 } });
  return ownerOfUser(id);
}
const address = (name: string | number) => `/explorer?dataset=${name}`;
const age = (id: string, days: number) =>
  database.pool.query(
    `update cellfolio.user_documents set used_at = now() - $2 * interval '1 day' where id = $1`,
    [id, days],
  );
const daysUnused = async (id: string) => {
  const { rows } = await database.pool.query<{ days: number }>(
    'select extract(day from now() - used_at)::int as days from cellfolio.user_documents where id = $1',
    [id],
  );
  return rows[0]?.days;
};

test('of 500 links of a user a new one replaces the one unused for longest, and no link of another user', async () => {
  const [ada, bob] = owners;
  const bobsLink = await links.make(bob, address('bobs'));
  await age(bobsLink.id, 300);
  const opened = await links.make(ada, address('opened'));
  const forgotten = await links.make(ada, address('forgotten'));
  await database.pool.query(
    `with made as (
       insert into cellfolio.user_documents (id, owner_id, kind, name)
       select lpad(n::text, 12, '0'), $1, 'link', n from generate_series(1, 498) n returning id)
     insert into cellfolio.user_document_revisions (document_id, revision, body) select id, 1, '{}' from made`,
    [ada],
  );
  await age(opened.id, 100);
  await age(forgotten.id, 50);
  await links.open(opened.id);
  const fresh = await links.make(ada, address('one+more'));
  await expect(links.open(forgotten.id)).rejects.toMatchObject({ status: 404, code: 'link_not_found' });
  for (const { id } of [bobsLink, opened, fresh]) expect((await links.open(id)).id).toBe(id);
  const { rows } = await database.pool.query('select from cellfolio.user_documents where owner_id = $1', [
    ada,
  ]);
  expect(rows).toHaveLength(500);
});

test('a link that is made again or followed counts as used', async () => {
  const [, bob] = owners;
  const { id } = await links.make(bob, address('again'));
  await age(id, 20);
  expect((await links.make(bob, address('again'))).id).toBe(id);
  expect(await daysUnused(id)).toBe(0);
  await age(id, 20);
  await links.open(id);
  expect(await daysUnused(id)).toBe(0);
});

test('a link brings the subsets of its maker that it names, and those of no other user', async () => {
  const [ada, bob] = owners;
  const subset = async (userId: string, name: string, config: object | null) => {
    const { rows } = await database.pool.query<{ id: string }>(
      `insert into public.subset_metadata (user_id, subset_name, filter_config) values ($1, $2, $3) returning id`,
      [userId, name, config],
    );
    return rows[0]!.id;
  };
  const config = { cells: { version: 'v1', places: 'AAEC' } };
  const mine = await subset(ada, 'by lasso', config);
  const older = await subset(ada, 'without a configuration', null);
  const others = await subset(bob, 'of Bob', config);
  await subset(ada, 'not in the link', config);
  const map = encodeURIComponent(JSON.stringify({ selection: { subset: others } }));
  const { id } = await links.make(ada, address(`d&subset=${mine}&view=${older}&map=${map}`));
  expect((await links.open(id)).subsets).toEqual([
    { id: mine, subset_name: 'by lasso', filter_config: config },
  ]);
  await database.pool.query('delete from public.subset_metadata where id = $1', [mine]);
  expect((await links.open(id)).subsets).toEqual([]);
});

test('shared labels beyond the room of a user go with the links unused for longest first, and the links stay', async () => {
  const [, bob] = owners;
  const small = new ExplorerLinks(database, { sharedBytes: 1500 });
  const bytes = Buffer.alloc(400);
  const annotations = [
    await storeDocument(database, bob, { ...storedLabels, dataset: 'd', name: 'mine', bytes }),
  ];
  const made: string[] = [];
  for (const days of [3, 5, 0]) {
    const { id } = await small.make(bob, address(`room${days}`), { annotations, share_labels: true });
    await age(id, days);
    made.push(id);
  }
  const { rows: left } = await database.pool.query<{ link_id: string }>(
    'select link_id from cellfolio.shared_labels where annotation_id = $1',
    annotations,
  );
  expect(left.map((row) => row.link_id).toSorted()).toEqual([made[0], made[2]].toSorted());
  expect((await links.open(made[1]!)).labels).toEqual(['mine']);
});

test('links go with their user', async () => {
  const [, bob] = owners;
  const bytes = Buffer.from('x');
  const annotations = [
    await storeDocument(database, bob, { ...storedLabels, dataset: 'd', name: 'bobs', bytes }),
  ];
  const { id } = await links.make(bob, address('last'), { annotations, share_labels: true });
  const copies = 'select from cellfolio.shared_labels where link_id = $1';
  expect((await database.pool.query(copies, [id])).rowCount).toBe(1);
  await database.pool.query('delete from auth.users where id = $1', [bob]);
  await expect(links.open(id)).rejects.toMatchObject({ status: 404 });
  expect((await database.pool.query(copies, [id])).rowCount).toBe(0);
});

let server: SharedServer;
let ada: string;
let eve: string;
beforeAll(async () => {
  server = await shareTestServer(async () => undefined);
  ada = await server.signIn('standard');
  eve = await server.signIn('professional');
});

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
  const response = await make(ada, address);
  expect(response.status).toBe(200);
  const { id } = explorerLink.parse(response.body);
  expect(id).toMatch(/^[1-9A-HJ-NP-Za-km-z]{12}$/);
  expect((await make(ada, address)).body).toEqual({ id, address });
  const other = explorerLink.parse((await make(eve, address)).body);
  expect(other.id).not.toBe(id);
  expect(await call(eve, `/api/links/${id}`)).toEqual({
    status: 200,
    body: { id, address, subsets: [], labels: [] },
  });
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
