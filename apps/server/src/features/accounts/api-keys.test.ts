import { keyScopeNames } from '@cellfolio/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '@cellfolio/platform';
import { slowMs, type TestDatabase, testedDatabases } from '@cellfolio/platform/testing';
import { callerOfApiKey } from './api-keys.ts';

interface Key {
  id: string;
  name: string;
  prefix: string;
  scopes: string[];
  last_used_at: Date | null;
  expires_at: Date | null;
}

async function createApiKey(
  database: Database,
  user: string,
  name: string,
  days: number | null = null,
  scopes: readonly string[] | null = null,
): Promise<Key & { key: string }> {
  const sql = 'select * from cellfolio.create_api_key($1, $2, $3, $4)';
  return (await database.pool.query(sql, [user, name, days, scopes])).rows[0];
}

async function listApiKeys(database: Database, user: string): Promise<Key[]> {
  return (await database.pool.query('select * from cellfolio.list_api_keys($1)', [user])).rows;
}

async function revokeApiKey(database: Database, user: string, key: string): Promise<boolean> {
  const sql = 'select cellfolio.revoke_api_key($1, $2) as revoked';
  return (await database.pool.query(sql, [user, key])).rows[0].revoked;
}

describe.each(testedDatabases())('personal API keys in a database of kind %s', (_kind, open) => {
  let opened: TestDatabase;
  let database: Database;
  let users = 0;
  beforeAll(async () => {
    opened = await open();
    database = opened.database;
  }, slowMs);
  afterAll(() => opened?.remove());

  async function newUser(): Promise<string> {
    users += 1;
    const { rows } = await database.pool.query<{ id: string }>(
      'insert into auth.users (email) values ($1) returning id',
      [`key${users}@example.org`],
    );
    return rows[0]!.id;
  }
  const lastUsed = async (userId: string) => (await listApiKeys(database, userId))[0]?.last_used_at;

  test('a key stands for its user alone, and is shown only when it is made', async () => {
    const [mine, others] = [await newUser(), await newUser()];
    const newKey = await createApiKey(database, mine, '  my notebook ');
    expect(newKey).toMatchObject({ name: 'my notebook', prefix: newKey.key.slice(0, 10) });
    expect(newKey.key).toMatch(/^cfp_[\w-]{43}$/);
    expect(await callerOfApiKey(database, newKey.key)).toMatchObject({ userId: mine });
    expect(await listApiKeys(database, others)).toEqual([]);
    const listed = await listApiKeys(database, mine);
    expect(listed).toMatchObject([{ id: newKey.id, name: 'my notebook', prefix: newKey.prefix }]);
    expect(JSON.stringify(listed)).not.toContain(newKey.key);
    // Nor is it anywhere in the table.
    const { rows } = await database.pool.query('select k::text as line from cellfolio.api_keys k');
    expect(JSON.stringify(rows)).not.toContain(newKey.key.slice(10));
  });

  test('keys are not made twice', async () => {
    const user = await newUser();
    const keys = new Set<string>();
    for (let time = 0; time < 20; time += 1) keys.add((await createApiKey(database, user, 'k')).key);
    expect(keys.size).toBe(20);
  });

  test.each(['', 'cfp_', `cfp_${'a'.repeat(43)}`, `cfp_${'a'.repeat(42)}'`, 'sb_secret_x', '\u0000'])(
    'the text %j identifies no user',
    async (text) => {
      expect(await callerOfApiKey(database, text)).toBeUndefined();
    },
  );

  test('a key that differs in one character identifies no user', async () => {
    const { key } = await createApiKey(database, await newUser(), 'k');
    const other = key.slice(0, -1) + (key.endsWith('A') ? 'Q' : 'A');
    expect(await callerOfApiKey(database, other)).toBeUndefined();
    expect(await callerOfApiKey(database, key.toLowerCase())).toBeUndefined();
  });

  test('a revoked key stops working at once, and no user can revoke the key of another', async () => {
    const [mine, others] = [await newUser(), await newUser()];
    const { id, key } = await createApiKey(database, mine, 'k');
    expect(await revokeApiKey(database, others, id)).toBe(false);
    expect(await callerOfApiKey(database, key)).toMatchObject({ userId: mine });
    expect(await revokeApiKey(database, mine, id)).toBe(true);
    expect(await callerOfApiKey(database, key)).toBeUndefined();
    expect(await revokeApiKey(database, mine, id)).toBe(false);
  });

  test('a key stops working at its end date, and stays listed until it is revoked', async () => {
    const user = await newUser();
    const { id, key, expires_at } = await createApiKey(database, user, 'k', 30);
    const days = (expires_at!.getTime() - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(29.9);
    expect(days).toBeLessThan(30.1);
    expect(await callerOfApiKey(database, key)).toMatchObject({ userId: user });
    await database.pool.query(`update cellfolio.api_keys set expires_at = now() where id = $1`, [id]);
    expect(await callerOfApiKey(database, key)).toBeUndefined();
    expect(await listApiKeys(database, user)).toMatchObject([{ id, expires_at: expect.any(Date) }]);
    expect(await createApiKey(database, user, 'without an end')).toMatchObject({ expires_at: null });
    for (const wrong of [0, -1, 3651])
      await expect(createApiKey(database, user, 'k', wrong)).rejects.toMatchObject({ code: 'PT400' });
  });

  test('a key has the scopes that were chosen for it, in their order, and all where none were', async () => {
    const user = await newUser();
    const all = await createApiKey(database, user, 'all');
    // The database and the page have the same table.
    expect(all.scopes).toEqual(keyScopeNames);
    expect(await callerOfApiKey(database, all.key)).toMatchObject({ userId: user, scopes: keyScopeNames });
    const few = await createApiKey(database, user, 'few', null, ['export', 'read', 'read']);
    expect(few.scopes).toEqual(['read', 'export']);
    expect(await callerOfApiKey(database, few.key)).toMatchObject({
      userId: user,
      scopes: ['read', 'export'],
    });
    expect((await listApiKeys(database, user)).find(({ id }) => id === few.id)?.scopes).toEqual(few.scopes);
    for (const wrong of [[], ['admin'], ['read', 'admin']])
      await expect(createApiKey(database, user, 'k', null, wrong)).rejects.toMatchObject({ code: 'PT400' });
  });

  test('a key ends with its account, and while that is banned', async () => {
    const user = await newUser();
    const { key } = await createApiKey(database, user, 'k');
    const set = (column: string, value: string | null) =>
      database.pool.query(`update auth.users set ${column} = $2 where id = $1`, [user, value]);
    await set('banned_until', '2999-01-01');
    expect(await callerOfApiKey(database, key)).toBeUndefined();
    await set('banned_until', '2000-01-01');
    expect(await callerOfApiKey(database, key)).toMatchObject({ userId: user });
    await set('deleted_at', '2000-01-01');
    expect(await callerOfApiKey(database, key)).toBeUndefined();
    await database.pool.query('delete from auth.users where id = $1', [user]);
    expect(await callerOfApiKey(database, key)).toBeUndefined();
  });

  test('an account holds at most 20 keys, also when they are requested concurrently', async () => {
    const user = await newUser();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 30 }, () => createApiKey(database, user, 'k')),
    );
    const refused = outcomes.filter((each) => each.status === 'rejected');
    expect(refused).toHaveLength(10);
    expect(refused[0]?.reason).toMatchObject({ code: 'PT409' });
    const listed = await listApiKeys(database, user);
    expect(listed).toHaveLength(20);
    await revokeApiKey(database, user, listed[0]!.id);
    expect(await createApiKey(database, user, 'k')).toMatchObject({ name: 'k' });
  });

  test('a key needs a name that can be shown, and an account', async () => {
    const user = await newUser();
    for (const name of ['', '   ', 'x'.repeat(101)]) {
      await expect(createApiKey(database, user, name)).rejects.toMatchObject({ code: 'PT400' });
    }
    const hostile = `<img src=x onerror=alert(1)>'; drop table x; --`;
    expect(await createApiKey(database, user, hostile)).toMatchObject({ name: hostile });
    await expect(createApiKey(database, '00000000-0000-4000-8000-00000000dead', 'k')).rejects.toMatchObject({
      code: '23503',
    });
  });

  test('its last use is noted at most once a minute', async () => {
    const user = await newUser();
    const { key } = await createApiKey(database, user, 'k');
    expect(await lastUsed(user)).toBeNull();
    await callerOfApiKey(database, key);
    const first = await lastUsed(user);
    expect(first).toBeInstanceOf(Date);
    await callerOfApiKey(database, key);
    expect(await lastUsed(user)).toEqual(first);
    const before = new Date(Date.now() - 61_000);
    await database.pool.query('update cellfolio.api_keys set last_used_at = $2 where user_id = $1', [
      user,
      before,
    ]);
    await callerOfApiKey(database, key);
    expect((await lastUsed(user))!.getTime()).toBeGreaterThan(before.getTime() + 30_000);
  });
});
