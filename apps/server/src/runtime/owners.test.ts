import { type Caller as DatabaseCaller, type Database, migrate } from '@cellfolio/platform';
// Test databases are no part of what the platform offers at run time.
// oxlint-disable-next-line no-restricted-imports
import { productMigrations, slowMs, type TestDatabase, testedDatabases } from '@cellfolio/platform/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ada,
  bob,
  countsOfOwners,
  lastBeforeOwners,
  rowsBeforeOwners,
} from '../testing/rows-before-owners.ts';
import { type Action, type Caller, may, ownerOf, ownerOfUser, rights, userOfOwner } from './owners.ts';

const actions = [...new Set(Object.values(rights).flat())] as Action[];

const callers: Record<string, Caller | undefined> = {
  'its own user': { userId: ada },
  'another user': { userId: bob },
  'signed out': undefined,
};

test('a user may do everything with their own things, and no other caller may do anything', () => {
  const thing = { owner: ownerOfUser(ada) };
  for (const action of actions) {
    expect(Object.values(callers).map((caller) => may(caller, action, thing))).toEqual([true, false, false]);
  }
  expect(ownerOf({ userId: ada })).toBe(thing.owner);
  expect(userOfOwner(thing.owner)).toBe(ada);
});

describe.each(testedDatabases())('a database of kind %s', (_kind, open) => {
  let opened: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    opened = await open();
    database = opened.database;
    for (const id of [ada, bob]) await database.pool.query('insert into auth.users (id) values ($1)', [id]);
  }, slowMs);
  afterAll(() => opened?.remove());

  const claimsOf = (caller: Caller | undefined): DatabaseCaller =>
    caller
      ? { role: 'authenticated', claims: { sub: caller.userId, role: 'authenticated' } }
      : { role: 'anon', claims: { role: 'anon' } };

  /** By the function that policies ask, which callers cannot call by name. */
  const databaseSays = (caller: Caller | undefined, action: Action, owner: string): Promise<boolean> =>
    database.transaction(async (client) => {
      await client.query(`select set_config('request.jwt.claims', $1, true)`, [
        JSON.stringify(claimsOf(caller).claims),
      ]);
      const { rows } = await client.query<{ may: boolean }>(
        'select $1::uuid = any (cellfolio.owners_for($2)) as may',
        [owner, action],
      );
      return rows[0]!.may;
    });

  test('gives the same rights to each role as the server', async () => {
    const { rows } = await database.pool.query<{ role: string; actions: string[] }>(
      'select role, array_agg(action) as actions from cellfolio.rights() group by role',
    );
    expect(Object.fromEntries(rows.map((row) => [row.role, row.actions.toSorted()]))).toEqual(
      Object.fromEntries(Object.entries(rights).map(([role, allowed]) => [role, allowed.toSorted()])),
    );
  });

  const cases = actions.flatMap((action) => Object.keys(callers).map((name) => [action, name] as const));
  test.each(cases)('decides as the server whether to %s is for %s', async (action, name) => {
    const caller = callers[name];
    const byServer = may(caller, action, { owner: ownerOfUser(ada) });
    expect(await databaseSays(caller, action, ada)).toBe(byServer);
  });

  test('knows no action that the server does not, and refuses it', async () => {
    expect(await databaseSays({ userId: ada }, 'own' as Action, ada)).toBe(false);
  });

  test('asks who owns a row or a file in one function alone', async () => {
    const { rows } = await database.pool.query<{ name: string; text: string }>(
      `select tablename || '.' || policyname as name, coalesce(qual, '') || ' ' || coalesce(with_check, '') as text
       from pg_policies where schemaname in ('public', 'storage') and permissive = 'PERMISSIVE'
         and tablename <> 'contact_submissions' order by 1`,
    );
    expect(rows.length).toBe(16);
    expect(rows.filter(({ text }) => !/owners_for|may_store_user_file/.test(text))).toEqual([]);
    const { rows: functions } = await database.pool.query<{ text: string }>(
      `select pg_get_functiondef(oid) as text from pg_proc
       where oid in ('public.may_store_user_file(text)'::regprocedure, 'cellfolio.owners_for_new_files()'::regprocedure)`,
    );
    for (const { text } of [...rows, ...functions]) expect(text).not.toMatch(/auth\.uid|\buid\(\)/);
  });

  test('finds the rows that a caller may read by an index of owners', async () => {
    const plan = await database.as(claimsOf({ userId: ada }), async (client) => {
      await client.query('set local enable_seqscan = off');
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        'explain select * from public.user_files order by created_at desc',
      );
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });
    expect(plan).toMatch(/Index Cond: \(user_id = ANY/);
    expect(plan).not.toMatch(/Seq Scan/);
  });

  test('has an owner for each user as long as there is the user', async () => {
    const owners = async () =>
      (await database.pool.query('select id, kind, user_id from cellfolio.owners order by id')).rows;
    const eve = '00000000-0000-4000-8000-000000000003';
    await database.pool.query('insert into auth.users (id) values ($1)', [eve]);
    expect(await owners()).toEqual([ada, bob, eve].map((id) => ({ id, kind: 'user', user_id: id })));
    await database.pool.query('delete from auth.users where id = $1', [eve]);
    expect((await owners()).map(({ id }) => id)).toEqual([ada, bob]);
  });

  test('lets every table with an owner follow it, and no other have a user but who acts', async () => {
    const { rows } = await database.pool.query<{ name: string; of: string }>(
      `select format('%s.%s.%s', n.nspname, t.relname, a.attname) as name,
         case c.confrelid when 'auth.users'::regclass then 'users' else 'owners' end as of
       from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
       join pg_class t on t.oid = c.conrelid join pg_namespace n on n.oid = t.relnamespace
       where c.contype = 'f' and c.confrelid in ('auth.users'::regclass, 'cellfolio.owners'::regclass)
         and c.confdeltype = 'c' and n.nspname <> 'auth' order by n.nspname, t.relname`,
    );
    const namesOf = (table: string) => rows.filter(({ of }) => of === table).map(({ name }) => name);
    expect(namesOf('users')).toEqual([
      'cellfolio.active_datasets.user_id',
      'cellfolio.api_keys.user_id',
      'cellfolio.connected_apps.user_id',
      'cellfolio.owners.user_id',
      'cellfolio.tool_calls.user_id',
    ]);
    expect(namesOf('owners')).toEqual([
      'cellfolio.jobs.owner_id',
      'cellfolio.payment_customers.owner_id',
      'cellfolio.payment_subscriptions.owner_id',
      'cellfolio.test_payment_links.owner_id',
      'cellfolio.user_documents.owner_id',
      'public.generated_images.user_id',
      'public.subscriptions.user_id',
      'public.subset_metadata.user_id',
      'public.user_files.user_id',
    ]);
  });
});

describe.each(testedDatabases({ bare: true }))('an earlier database of kind %s', (_kind, open) => {
  let opened: TestDatabase;
  beforeAll(async () => {
    opened = await open();
  }, slowMs);
  afterAll(() => opened?.remove());

  test('is migrated: what users had belongs to owners, and goes with them', { timeout: slowMs }, async () => {
    const { database } = opened;
    await migrate(database, productMigrations, { until: lastBeforeOwners });
    for (const statement of rowsBeforeOwners) await database.pool.query(statement);
    await migrate(database, productMigrations);

    const one = { plans: 1, images: 1, subsets: 1, files: 1, documents: 1, customers: 1, paid: 1, links: 1 };
    // The build and the inspection that follows from the file.
    expect(await countsOfOwners(database)).toEqual({ ...one, owners: 2, jobs: 2 });
    await database.pool.query('delete from auth.users where id = $1', [ada]);
    const none = Object.fromEntries(Object.keys(one).map((name) => [name, 0]));
    expect(await countsOfOwners(database)).toEqual({ ...none, owners: 1, jobs: 0 });
  });
});
