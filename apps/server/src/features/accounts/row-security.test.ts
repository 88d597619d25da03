import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Caller, Database } from '@cellfolio/platform';
import { slowMs, type TestDatabase, testedDatabases } from '@cellfolio/platform/testing';

const kinds = testedDatabases();

const owner = '00000000-0000-4000-8000-000000000001';
const other = '00000000-0000-4000-8000-000000000002';

type Verb = 'select' | 'insert' | 'update' | 'delete';
/** Number of rows that a verb affected, or `denied` for SQLSTATE 42501. */
type Outcome = number | 'denied';
type Row = Record<Verb, Outcome>;

const tables: Record<string, { row: Record<string, string>; change: string }> = {
  contact_submissions: {
    row: { name: 'N', email: 'e@example.org', message: 'M' },
    change: `message = 'changed'`,
  },
  generated_images: {
    row: { user_id: owner, title: 'T', image_data: 'data:,', image_type: 'gene' },
    change: `title = 'changed'`,
  },
  subset_metadata: { row: { user_id: owner, subset_name: 'S' }, change: `subset_name = 'changed'` },
  user_files: {
    row: { user_id: owner, file_name: 'F', original_filename: 'f.h5ad', file_path: `${owner}/1_f.h5ad` },
    change: `file_name = 'changed'`,
  },
  subscriptions: { row: { user_id: owner, tier: 'Standard' }, change: `tier = 'Professional'` },
};

const closed: Row = { select: 'denied', insert: 'denied', update: 'denied', delete: 'denied' };
const full: Row = { select: 1, insert: 1, update: 1, delete: 1 };
/** Granted but filtered by policy: nothing can be read, changed or inserted. */
const hidden: Row = { select: 0, insert: 'denied', update: 0, delete: 0 };

const expected: Record<string, Record<'anon' | 'owner' | 'other' | 'service', Row>> = {
  contact_submissions: {
    anon: { ...closed, insert: 1 },
    owner: { ...closed, insert: 1 },
    other: { ...closed, insert: 1 },
    service: full,
  },
  generated_images: { anon: closed, owner: full, other: hidden, service: full },
  subset_metadata: { anon: closed, owner: full, other: hidden, service: full },
  user_files: {
    anon: closed,
    owner: { ...full, update: 'denied' },
    other: { ...hidden, update: 'denied' },
    service: full,
  },
  subscriptions: {
    anon: closed,
    owner: { ...closed, select: 1 },
    other: { ...closed, select: 0 },
    service: full,
  },
};

const callers: Record<'anon' | 'owner' | 'other' | 'service', Caller> = {
  anon: { role: 'anon', claims: { role: 'anon' } },
  owner: { role: 'authenticated', claims: { sub: owner, role: 'authenticated' } },
  other: { role: 'authenticated', claims: { sub: other, role: 'authenticated' } },
  service: { role: 'service_role', claims: { role: 'service_role' } },
};

describe.each(kinds)('row security in a database of kind %s', (_kind, open) => {
  let opened: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    opened = await open();
    database = opened.database;
    for (const id of [owner, other]) {
      await database.pool.query('insert into auth.users (id, email) values ($1, $2)', [
        id,
        `${id}@example.org`,
      ]);
    }
  }, slowMs);
  afterAll(() => opened?.remove());

  function insertion(table: string): [string, string[]] {
    const { row } = tables[table]!;
    const columns = Object.keys(row);
    const places = columns.map((_, index) => `$${index + 1}`);
    return [
      `insert into public.${table} (${columns.join(', ')}) values (${places.join(', ')})`,
      Object.values(row),
    ];
  }

  async function givePlan(tier: string | null, until: string | null = null): Promise<void> {
    await database.pool.query('delete from public.subscriptions');
    await database.pool.query('insert into public.subscriptions (user_id, tier, until) values ($1, $2, $3)', [
      owner,
      tier,
      until,
    ]);
  }

  async function outcome(caller: Caller, sql: string, values: string[] = []): Promise<Outcome> {
    try {
      return await database.as(caller, async (client) => (await client.query(sql, values)).rowCount ?? 0);
    } catch (error) {
      if ((error as { code?: string }).code === '42501') return 'denied';
      throw error;
    }
  }

  test.each(Object.keys(tables))('of %s gives each caller each verb exactly as listed', async (table) => {
    const { change } = tables[table]!;
    const actual: Record<string, Row> = {};
    // Files are recorded by subscribers who may upload.
    await givePlan('Professional');
    for (const [name, caller] of Object.entries(callers)) {
      const fresh = async (withRow: boolean): Promise<void> => {
        await database.pool.query(`delete from public.${table}`);
        if (withRow) await database.pool.query(...insertion(table));
      };
      await fresh(false);
      const insert = await outcome(caller, ...insertion(table));
      await fresh(true);
      const select = await outcome(caller, `select * from public.${table}`);
      const update = await outcome(caller, `update public.${table} set ${change}`);
      await fresh(true);
      const remove = await outcome(caller, `delete from public.${table}`);
      actual[name] = { select, insert, update, delete: remove };
    }
    expect(actual).toEqual(expected[table]);
  });

  test('covers every table that callers can reach', async () => {
    const { rows } = await database.pool.query<{ name: string; secured: boolean }>(
      `select relname as name, relrowsecurity as secured from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'm', 'p') order by relname`,
    );
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(tables).sort());
    expect(rows.filter(({ secured }) => !secured)).toEqual([]);
  });

  test.each(['generated_images', 'subset_metadata'])(
    'never lets a row of %s be handed to another user',
    async (table) => {
      await database.pool.query(`delete from public.${table}`);
      await database.pool.query(...insertion(table));
      expect(await outcome(callers.owner, `update public.${table} set user_id = '${other}'`)).toBe('denied');
    },
  );

  test('never lets a caller choose the id or the time of a contact message', async () => {
    const sql = `insert into public.contact_submissions (name, email, message, created_at) values ('N', 'E', 'M', now())`;
    expect(await outcome(callers.anon, sql)).toBe('denied');
  });

  test.each([
    ['no plan', null, null, 'denied'],
    ['Standard', 'Standard', null, 'denied'],
    ['a Professional plan that is over', 'Professional', '2026-01-01', 'denied'],
    ['a Professional plan that runs', 'Professional', '2999-01-01', 1],
    ['Professional without end', 'Professional', null, 1],
  ])('with %s a file record is decided by the plan', async (_case, tier, until, decided) => {
    await givePlan(tier, until);
    await database.pool.query('delete from public.user_files');
    expect(await outcome(callers.owner, ...insertion('user_files'))).toBe(decided);
  });

  test.each([
    ['path', 'f.h5ad', `${owner}/1_f.exe`],
    ['path', 'f.h5ad', `${owner}/../x/1_f.h5ad`],
    ['path', 'f.h5ad', `${owner}//1_f.h5ad`],
    ['original name', 'f.exe', `${owner}/1_f.h5ad`],
  ])('refuses a file record whose %s is of no use here: %s at %s', async (_case, original, path) => {
    await givePlan('Professional');
    const sql = `insert into public.user_files (user_id, file_name, original_filename, file_path) values ($1, 'F', $2, $3)`;
    await expect(outcome(callers.owner, sql, [owner, original, path])).rejects.toMatchObject({
      code: '23514',
    });
  });

  test('gives no caller the rules or the keys that the product keeps to itself', async () => {
    for (const caller of Object.values(callers)) {
      for (const table of [
        'api_keys',
        'connected_apps',
        'app_tokens',
        'tool_calls',
        'jobs',
        'job_cells',
        'file_reports',
        'custom_datasets',
        'combined_files',
        'copied_files',
        'subclusterings',
      ]) {
        expect(await outcome(caller, `select * from cellfolio.${table}`)).toBe('denied');
      }
      expect(await outcome(caller, `select * from cellfolio.list_api_keys('${owner}')`)).toBe('denied');
      expect(await outcome(caller, `select * from cellfolio.subscription_of('${owner}', 7)`)).toBe('denied');
    }
  });

  test('never lets a file record point into the folder of another user', async () => {
    await givePlan('Professional');
    const sql = `insert into public.user_files (user_id, file_name, original_filename, file_path)
                 values ('${owner}', 'F', 'f.h5ad', '${other}/1_f.h5ad')`;
    await expect(outcome(callers.owner, sql)).rejects.toMatchObject({ code: '23514' });
  });

  test('keeps callers from making objects of their own', async () => {
    for (const caller of Object.values(callers)) {
      expect(await outcome(caller, 'create table public.mine (a int)')).toBe('denied');
    }
  });

  test('shows nothing to a caller whose claims name no user', async () => {
    await database.pool.query('delete from public.subset_metadata');
    await database.pool.query(...insertion('subset_metadata'));
    const callerWithoutUser: Caller = { role: 'authenticated', claims: { role: 'authenticated' } };
    expect(await outcome(callerWithoutUser, 'select * from public.subset_metadata')).toBe(0);
  });

  test('queues the inspection of each file that is added, and deletes it with the file, regardless of the user', async () => {
    await givePlan('Professional');
    await database.pool.query('delete from public.user_files');
    const jobs = async () =>
      (await database.pool.query('select kind, state, owner_id from cellfolio.jobs')).rows;
    await outcome(callers.owner, ...insertion('user_files'));
    expect(await jobs()).toEqual([{ kind: 'inspect', state: 'queued', owner_id: owner }]);
    await outcome(callers.owner, 'delete from public.user_files');
    expect(await jobs()).toEqual([]);
  });

  test('takes the rows of a user with the account', async () => {
    for (const table of Object.keys(tables)) await database.pool.query(`delete from public.${table}`);
    for (const table of Object.keys(tables)) await database.pool.query(...insertion(table));
    await database.pool.query('delete from auth.users where id = $1', [owner]);
    const { rows } = await database.pool.query(
      `select (select count(*) from public.generated_images) + (select count(*) from public.subset_metadata)
         + (select count(*) from public.user_files) + (select count(*) from public.subscriptions) as left`,
    );
    expect(rows[0]).toEqual({ left: '0' });
    await database.pool.query('insert into auth.users (id, email) values ($1, $2)', [
      owner,
      'again@example.org',
    ]);
  });

  test('answers each listed query from an index', async () => {
    const listed = [
      `select * from public.generated_images where user_id = '${owner}' order by created_at desc limit 30`,
      `select * from public.subset_metadata where user_id = '${owner}' and dataset_name = 'd' and disease_name = 'x'
         order by created_at desc`,
      `select * from public.user_files where user_id = '${owner}' order by created_at desc`,
      `select * from cellfolio.api_keys where user_id = '${owner}' order by created_at desc`,
      `select * from auth.sessions where user_id = '${owner}' order by created_at desc`,
      `select * from cellfolio.jobs where owner_id = '${owner}' order by created_at desc limit 50`,
    ];
    await database.transaction(async (client) => {
      // On empty tables the planner would read them whole: ask what it can do, not what is cheaper.
      await client.query(
        'set local enable_seqscan = off; set local enable_bitmapscan = off; set local enable_sort = off',
      );
      for (const sql of listed) {
        const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${sql}`);
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
        expect(plan).toMatch(/Index Scan/);
        expect(plan).not.toMatch(/Seq Scan|Sort/);
      }
    });
  });
});
