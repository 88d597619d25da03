import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Caller, Database } from './database.ts';
import { NestedTransactionError, TransactionAbortedError, TransactionEndedError } from './errors.ts';
import { slowMs, testedDatabases, type TestDatabase } from './test-databases.ts';

const kinds = testedDatabases();

describe.each(kinds)('a database of kind %s', (kind, open) => {
  let opened: TestDatabase;
  let database: Database;
  const owner = crypto.randomUUID();
  const other = crypto.randomUUID();
  const as = (sub: string): Caller => ({ role: 'authenticated', claims: { sub, role: 'authenticated' } });
  const anon: Caller = { role: 'anon' };
  const service: Caller = { role: 'service_role' };

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

  async function session(): Promise<{ user: string; role: string; claims: string | null }> {
    const { rows } = await database.pool.query(
      `select current_user as user, current_setting('role') as role,
         nullif(current_setting('request.jwt.claims', true), '') as claims`,
    );
    return rows[0];
  }

  test('says its kind', () => {
    expect(database.kind).toBe(kind);
  });

  test('runs as the caller with the claims of the token, then as the owner again', async () => {
    const before = await session();
    const inside = await database.as(as(owner), async (client) => {
      const { rows } = await client.query(
        'select current_user as user, auth.uid() as uid, auth.role() as role',
      );
      return rows[0];
    });
    expect(inside).toEqual({ user: 'authenticated', uid: owner, role: 'authenticated' });
    const after = await session();
    expect(after).toEqual({ ...before, claims: null });
    expect(after.role).toBe('none');
  });

  test('resets the caller and rolls back after an error', async () => {
    const failing = database.as(as(owner), async (client) => {
      await client.query(
        `insert into public.subset_metadata (user_id, subset_name) values ('${owner}', 'to be undone')`,
      );
      throw new Error('of the work');
    });
    await expect(failing).rejects.toThrow('of the work');
    expect(await session()).toMatchObject({ role: 'none', claims: null });
    const { rows } = await database.pool.query(
      `select 1 from public.subset_metadata where subset_name = 'to be undone'`,
    );
    expect(rows).toEqual([]);
  });

  test('takes claims with quotes, backslashes, line ends and non-Latin text as they are', async () => {
    const claims = { sub: owner, name: `O'Brien \\ "x" $$ \n '); drop table auth.users; -- 名前 \u0000` };
    const actual = await database.as({ role: 'authenticated', claims }, async (client) => {
      const { rows } = await client.query(`select current_setting('request.jwt.claims') as claims`);
      return JSON.parse(rows[0].claims as string) as unknown;
    });
    expect(actual).toEqual(claims);
  });

  test('refuses an unknown role', async () => {
    const invented = { role: 'postgres' } as unknown as Caller;
    await expect(database.as(invented, async () => 1)).rejects.toThrow('No role named postgres');
  });

  test('refuses to write in a read-only transaction', async () => {
    const writing = database.as(
      as(owner),
      (client) =>
        client.query(`insert into public.subset_metadata (user_id, subset_name) values ('${owner}', 'x')`),
      { readOnly: true },
    );
    await expect(writing).rejects.toMatchObject({ code: '25006' });
  });

  // The embedded database has no concurrent writer.
  test.runIf(kind === 'postgres')('sees one snapshot throughout a read-only transaction', async () => {
    const counted = Promise.withResolvers<void>();
    const written = Promise.withResolvers<void>();
    const reading = database.as(
      as(owner),
      async (client) => {
        const count = async () => (await client.query('select from public.subset_metadata')).rowCount;
        const before = await count();
        counted.resolve();
        await written.promise;
        return [before, await count()];
      },
      { readOnly: true },
    );
    await counted.promise;
    await database.as(as(owner), (client) =>
      client.query(`insert into public.subset_metadata (user_id, subset_name) values ('${owner}', 'late')`),
    );
    written.resolve();
    const [before, after] = await reading;
    expect(after).toBe(before);
  });

  test('keeps 50 concurrent calls of mixed callers apart', async () => {
    await database.as(as(owner), (client) =>
      client.query(`insert into public.subset_metadata (user_id, subset_name) values ('${owner}', 'mine')`),
    );
    const callers: [Caller, unknown][] = [
      [as(owner), [owner]],
      [as(other), []],
      [service, [owner]],
      [anon, '42501'],
    ];
    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const [caller, expected] = callers[index % callers.length]!;
        const answer = await database
          .as(caller, (client) => client.query('select distinct user_id from public.subset_metadata'))
          .then(
            ({ rows }) => rows.map((row) => row.user_id as string),
            (error: { code: string }) => error.code,
          );
        return { answer, expected };
      }),
    );
    for (const { answer, expected } of answers) expect(answer).toEqual(expected);
    expect(await session()).toMatchObject({ role: 'none', claims: null });
  });

  test('refuses a second connection inside a transaction immediately', async () => {
    await database.transaction(async (client) => {
      await expect(database.pool.query('select 1')).rejects.toThrow(NestedTransactionError);
      await expect(database.pool.connect()).rejects.toThrow(NestedTransactionError);
      await expect(database.transaction(async () => 1)).rejects.toThrow(NestedTransactionError);
      await expect(database.as(anon, async () => 1)).rejects.toThrow(NestedTransactionError);
      await client.query('select 1');
    });
  });

  test('background work started in a transaction may use the database afterwards', async () => {
    let later: Promise<unknown> | undefined;
    await database.transaction(async () => {
      later = new Promise((resolve) => setTimeout(resolve, 50)).then(() => database.pool.query('select 1'));
    });
    await expect(later).resolves.toMatchObject({ rowCount: 1 });
  });

  test('throws if the work swallowed an error and the commit failed', async () => {
    const work = database.transaction(async (client) => {
      await client.query('select 1/0').catch(() => {});
    });
    await expect(work).rejects.toThrow(TransactionAbortedError);
  });

  test('throws if the work ended the transaction, and resets the role', async () => {
    const work = database.as(as(owner), async (client) => {
      await client.query('commit');
      await client.query('set role authenticated');
    });
    await expect(work).rejects.toThrow(TransactionEndedError);
    expect(await session()).toMatchObject({ role: 'none' });
  });

  test('rolls back the open transaction of a released client', async () => {
    const client = await database.pool.connect();
    await client.query('begin');
    await client.query(
      `insert into public.subset_metadata (user_id, subset_name) values ('${owner}', 'abandoned')`,
    );
    client.release();
    const { rows } = await database.pool.query(
      `select 1 from public.subset_metadata where subset_name = 'abandoned'`,
    );
    expect(rows).toEqual([]);
    await database.pool.query(
      `insert into public.subset_metadata (user_id, subset_name) values ('${owner}', 'kept')`,
    );
    const storedRows = await database.pool.query(
      `select 1 from public.subset_metadata where subset_name = 'kept'`,
    );
    expect(storedRows.rowCount).toBe(1);
  });

  test('rolls back the open transaction of a destroyed client, also during a statement', async () => {
    const client = await database.pool.connect();
    client.on('error', () => {});
    await client.query('begin');
    await client.query(`set local role authenticated`);
    const running = client.query('select count(*) from generate_series(1, 100000)').catch(() => 'cut off');
    client.release(new Error('destroy it'));
    expect(await running).toBe('cut off');
    expect(await session()).toMatchObject({ role: 'none', claims: null });
  });

  test('returns values as the driver parses them', async () => {
    const { rows } = await database.pool.query(`
      select 9007199254740993::bigint as big, 1.50::numeric as exact, 0.1::float8 as double, true as yes,
        '2026-01-02T03:04:05.678Z'::timestamptz as time, '{"a":[1]}'::jsonb as json, array['x','y'] as list,
        '\\xdeadbeef'::bytea as bytes, null::text as nothing, current_setting('TimeZone') as zone`);
    expect(rows[0]).toEqual({
      big: '9007199254740993',
      exact: '1.50',
      double: 0.1,
      yes: true,
      time: new Date('2026-01-02T03:04:05.678Z'),
      json: { a: [1] },
      list: ['x', 'y'],
      bytes: Buffer.from('deadbeef', 'hex'),
      nothing: null,
      zone: 'UTC',
    });
  });

  test('continues after an error in a statement with parameters', async () => {
    const client = await database.pool.connect();
    await expect(client.query('select $1::int', ['x'])).rejects.toMatchObject({ code: '22P02' });
    await expect(client.query('select nonsense from nowhere where a = $1', [1])).rejects.toMatchObject({
      code: '42P01',
    });
    const { rows } = await client.query('select $1::int + 1 as sum', [41]);
    expect(rows).toEqual([{ sum: 42 }]);
    const named = { name: 'twice', text: 'select $1::int * 2 as twice' };
    expect((await client.query({ ...named, values: [4] })).rows).toEqual([{ twice: 8 }]);
    expect((await client.query({ ...named, values: [5] })).rows).toEqual([{ twice: 10 }]);
    client.release();
  });

  test('carries 10 MB of text in and out unchanged', async () => {
    const large = 'QUJDRA=='.repeat(1_250_000);
    await database.pool.query(
      `insert into auth.audit_log_entries (action, payload) values ('large', jsonb_build_object('text', $1::text))`,
      [large],
    );
    const { rows } = await database.pool.query<{ text: string }>(
      `select payload ->> 'text' as text from auth.audit_log_entries where action = 'large'`,
    );
    expect(rows[0]?.text === large).toBe(true);
  });

  test('every function and table of the accounts and the private schema is closed to callers', async () => {
    const { rows } = await database.pool.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('auth', 'cellfolio')`,
    );
    expect(rows.length).toBeGreaterThan(8);
    for (const { name } of rows) {
      for (const caller of [anon, as(owner)]) {
        const reading = database.as(caller, (client) => client.query(`select * from ${name}`));
        await expect(reading).rejects.toMatchObject({ code: '42501' });
      }
    }
  });
});
