import { createHash } from 'node:crypto';
import type { Database } from '@cellfolio/platform';
import { slowMs, type TestDatabase, testedDatabases } from '@cellfolio/platform/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '../../runtime/limits/limits.ts';
import { callerOfApiKey } from '../accounts/index.ts';
import { pruneRows } from '../quotas/index.ts';
import type { CheckedRequest } from './authorization-request.ts';
import { ConnectedApps } from './connected-apps.ts';

const verifier = 'v'.repeat(43);
const request: CheckedRequest = {
  client: { id: 'https://app.example/app.json', name: 'App', redirectUris: ['https://app.example/back'] },
  redirectUri: 'https://app.example/back',
  resource: 'https://cells.example/mcp',
  challenge: createHash('sha256').update(verifier).digest('base64url'),
  scopes: ['read', 'analyse'],
  answerAddress: () => '',
};
const grant = { clientId: request.client.id, redirectUri: request.redirectUri, verifier };

describe.each(testedDatabases())('connected apps in a database of kind %s', (_kind, open) => {
  let opened: TestDatabase;
  let database: Database;
  let apps: ConnectedApps;
  let users = 0;
  beforeAll(async () => {
    opened = await open();
    database = opened.database;
    apps = new ConnectedApps(database);
  }, slowMs);
  afterAll(() => opened?.remove());

  async function newUser(): Promise<string> {
    users += 1;
    const { rows } = await database.pool.query<{ id: string }>(
      'insert into auth.users (email) values ($1) returning id',
      [`app${users}@example.org`],
    );
    return rows[0]!.id;
  }
  const connect = async (user: string) =>
    apps.redeem({ ...grant, code: await apps.allow(user, request, ['read', 'analyse']) });
  const change = (sql: string, values: unknown[] = []) => database.pool.query(sql, values);

  test('no code and no token is in the tables', async () => {
    const user = await newUser();
    const code = await apps.allow(user, request, ['read']);
    const tokens = await apps.redeem({ ...grant, code });
    const { rows } = await change(
      'select a::text as line from cellfolio.connected_apps a union all select t::text from cellfolio.app_tokens t',
    );
    for (const secret of [code, tokens.access_token, tokens.refresh_token])
      expect(JSON.stringify(rows)).not.toContain(secret.slice(4));
    expect(await callerOfApiKey(database, tokens.access_token)).toEqual({
      userId: user,
      name: 'App',
      scopes: ['read'],
      toolsOnly: true,
    });
    expect(await callerOfApiKey(database, tokens.refresh_token)).toBeUndefined();
  });

  test('a code is good for a minute, and for one of two that come at once', async () => {
    const user = await newUser();
    const late = await apps.allow(user, request, ['read']);
    await change(`update cellfolio.connected_apps set code_expires_at = now() where user_id = $1`, [user]);
    await expect(apps.redeem({ ...grant, code: late })).rejects.toMatchObject({ error: 'invalid_grant' });
    const code = await apps.allow(user, request, ['read']);
    const outcomes = await Promise.allSettled([1, 2].map(() => apps.redeem({ ...grant, code })));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('an access token ends after an hour, and while its user is banned', async () => {
    const user = await newUser();
    const { access_token: token } = await connect(user);
    const { rows } = await change(
      `select kind, round(extract(epoch from expires_at - now()) / 3600) as hours from cellfolio.app_tokens t
       join cellfolio.connected_apps a on a.id = t.app_id where a.user_id = $1 order by kind`,
      [user],
    );
    expect(rows.map(({ kind, hours }) => [kind, Number(hours)])).toEqual([
      ['access', 1],
      ['refresh', 720],
    ]);
    await change(`update auth.users set banned_until = '2999-01-01' where id = $1`, [user]);
    expect(await callerOfApiKey(database, token)).toBeUndefined();
    await change(`update auth.users set banned_until = null where id = $1`, [user]);
    expect(await callerOfApiKey(database, token)).toMatchObject({ userId: user });
    await change(`update cellfolio.app_tokens set expires_at = now()`);
    expect(await callerOfApiKey(database, token)).toBeUndefined();
    expect(await apps.list(user)).toEqual([]);
  });

  test('a refresh token may be repeated within seconds, and ends the app when it comes back later', async () => {
    const user = await newUser();
    const first = await connect(user);
    const renew = (token: string) => apps.refresh({ token, clientId: grant.clientId });
    const second = await renew(first.refresh_token);
    const again = await renew(first.refresh_token);
    expect(await callerOfApiKey(database, again.access_token)).toMatchObject({ userId: user });
    const third = await renew(second.refresh_token);
    await change(`update cellfolio.app_tokens set used_at = used_at - interval '1 minute'`);
    await expect(renew(first.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' });
    expect(await callerOfApiKey(database, third.access_token)).toBeUndefined();
    await expect(renew(third.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' });
    expect(await apps.list(user)).toEqual([]);
  });

  test('a user has a limited number of apps: the one used longest ago makes room', async () => {
    const user = await newUser();
    const first = await connect(user);
    const second = await connect(user);
    await change(
      `update cellfolio.connected_apps set last_used_at = now() - interval '1 day' where user_id = $1`,
      [user],
    );
    await callerOfApiKey(database, first.access_token);
    for (let count = 2; count <= limits.connectedApps.value; count++) await connect(user);
    expect(await apps.list(user)).toHaveLength(limits.connectedApps.value);
    expect(await callerOfApiKey(database, first.access_token)).toBeDefined();
    expect(await callerOfApiKey(database, second.access_token)).toBeUndefined();
  });

  test('apps go with their account, and a day after their last token has ended', async () => {
    const [user, gone] = [await newUser(), await newUser()];
    await connect(user);
    await connect(gone);
    await change('delete from auth.users where id = $1', [gone]);
    const left = async () =>
      (await change('select user_id from cellfolio.connected_apps where user_id in ($1, $2)', [user, gone]))
        .rows;
    expect(await left()).toEqual([{ user_id: user }]);
    await pruneRows(database);
    expect(await left()).toHaveLength(1);
    const later = new Date(Date.now() + 40 * 86_400_000);
    await pruneRows(database, later);
    await pruneRows(database, later);
    expect(await left()).toEqual([]);
  });
});
