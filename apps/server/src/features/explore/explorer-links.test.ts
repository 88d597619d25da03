import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createUser, type Database, openDatabase } from '@cellfolio/platform';
import { copyTestDatabase } from '@cellfolio/platform/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ExplorerLinks } from './explorer-links.ts';

let folder: string;
let database: Database;
let links: ExplorerLinks;
const users: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cellfolio-links-'));
  await copyTestDatabase(folder);
  database = await openDatabase({ dataDir: folder });
  links = new ExplorerLinks(database);
  for (const name of ['ada', 'bob']) {
    const user = { email: `${name}@example.org`, password: 'a long password', confirmed: true };
    users.push((await createUser(database, { ...user, passwordCost: { memoryKib: 64, passes: 1 } })).id);
  }
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

const address = (name: string | number) => `/explorer?dataset=${name}`;
const age = (id: string, days: number) =>
  database.pool.query(`update cellfolio.links set used_at = now() - $2 * interval '1 day' where id = $1`, [
    id,
    days,
  ]);
const daysUnused = async (id: string) => {
  const { rows } = await database.pool.query<{ days: number }>(
    'select extract(day from now() - used_at)::int as days from cellfolio.links where id = $1',
    [id],
  );
  return rows[0]?.days;
};

test('of 500 links of a user a new one pushes out the one unused for longest, and nobody else’s', async () => {
  const [ada = '', bob = ''] = users;
  const kept = await links.make(bob, address('bobs'));
  await age(kept.id, 300);
  const opened = await links.make(ada, address('opened'));
  const forgotten = await links.make(ada, address('forgotten'));
  await database.pool.query(
    `insert into cellfolio.links (id, user_id, address)
     select lpad(n::text, 12, '0'), $1, '/explorer?dataset=' || n from generate_series(1, 498) n`,
    [ada],
  );
  await age(opened.id, 100);
  await age(forgotten.id, 50);
  await links.open(opened.id);
  const fresh = await links.make(ada, address('one+more'));
  await expect(links.open(forgotten.id)).rejects.toMatchObject({ status: 404, code: 'link_not_found' });
  for (const { id } of [kept, opened, fresh]) expect((await links.open(id)).id).toBe(id);
  const { rows } = await database.pool.query('select from cellfolio.links where user_id = $1', [ada]);
  expect(rows).toHaveLength(500);
});

test('a link that is made again or followed counts as used', async () => {
  const [, bob = ''] = users;
  const { id } = await links.make(bob, address('again'));
  await age(id, 20);
  expect((await links.make(bob, address('again'))).id).toBe(id);
  expect(await daysUnused(id)).toBe(0);
  await age(id, 20);
  await links.open(id);
  expect(await daysUnused(id)).toBe(0);
});

test('the database itself takes no address elsewhere and none that is too long', async () => {
  const [, bob = ''] = users;
  for (const bad of [
    'https://elsewhere.example',
    '/explorer',
    '/explorer?a b',
    '/explorer?a#b',
    '/explorer?\\',
  ]) {
    await expect(links.make(bob, bad), bad).rejects.toMatchObject({ code: '23514' });
  }
  await expect(links.make(bob, address('d'.repeat(8000)))).rejects.toMatchObject({ code: '23514' });
});

test('links go with their user', async () => {
  const [, bob = ''] = users;
  const { id } = await links.make(bob, address('last'));
  await database.pool.query('delete from auth.users where id = $1', [bob]);
  await expect(links.open(id)).rejects.toMatchObject({ status: 404 });
});
