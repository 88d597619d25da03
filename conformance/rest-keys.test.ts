import type { Database } from '@cellfolio/platform';
import { callerOfApiKey } from '@cellfolio/platform';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases } from './databases.ts';
import { type RestClient, type RestPerson, type RestWorld, restWorld, tokenClients } from './rest-world.ts';

describe.each(databases)('personal API keys on the $name database', ({ open }) => {
  let opened: Awaited<ReturnType<typeof open>>;
  let database: Database;
  let world: RestWorld;
  beforeAll(async () => {
    opened = await open();
    database = opened.database;
    world = await restWorld(database);
  });
  afterAll(async () => {
    await world?.close();
    await opened?.close();
  });

  describe.each(tokenClients)('supabase-js $version', ({ make }) => {
    let owner: RestPerson;
    let mine: RestClient;
    let others: RestClient;
    let visitor: RestClient;
    beforeAll(async () => {
      const { url, keys } = world.server;
      owner = await world.person();
      mine = make(url, keys.publishableKey, owner.token);
      others = make(url, keys.publishableKey, (await world.person()).token);
      visitor = make(url, keys.publishableKey);
    });

    test('personal API keys are made, listed and revoked by calls, each user their own', async () => {
      const made = await mine.rpc('create_api_key', { key_name: 'notebook' }).single();
      expect(made).toMatchObject({
        error: null,
        data: { name: 'notebook', key: expect.stringMatching(/^cfp_/) },
      });
      const listed = await mine.rpc('list_api_keys');
      expect(listed.data).toMatchObject([{ id: made.data!.id, name: 'notebook', last_used_at: null }]);
      expect(JSON.stringify(listed.data)).not.toContain(made.data!.key);
      expect((await others.rpc('list_api_keys')).data).toEqual([]);
      expect((await others.rpc('revoke_api_key', { key_id: made.data!.id })).data).toBe(false);
      expect((await visitor.rpc('list_api_keys')).error?.code).toBe('42501');
      expect((await mine.rpc('create_api_key', { key_name: ' ' })).error).toMatchObject({
        code: 'PT400',
        message: 'The name of an API key needs 1 to 100 characters.',
      });
      expect(await callerOfApiKey(database, made.data!.key)).toBe(owner.id);
      expect((await mine.rpc('revoke_api_key', { key_id: made.data!.id })).data).toBe(true);
      expect(await callerOfApiKey(database, made.data!.key)).toBeUndefined();
      expect((await mine.rpc('list_api_keys')).data).toEqual([]);
    });

    test('a key is not made by a session that has ended, nor past a second factor', async () => {
      const { id, token } = await world.person();
      const client = make(world.server.url, world.server.keys.publishableKey, token);
      await database.pool.query(
        `insert into auth.mfa_factors (user_id, factor_type, status, secret) values ($1, 'totp', 'unverified', 's')`,
        [id],
      );
      expect((await client.rpc('create_api_key', { key_name: 'a' })).error).toBeNull();
      await database.pool.query(`update auth.mfa_factors set status = 'verified' where user_id = $1`, [id]);
      expect(await client.rpc('create_api_key', { key_name: 'b' })).toMatchObject({
        status: 403,
        error: { code: 'PT403' },
      });
      await database.pool.query('delete from auth.mfa_factors where user_id = $1', [id]);
      await database.pool.query('delete from auth.sessions where user_id = $1', [id]);
      expect(await client.rpc('create_api_key', { key_name: 'c' })).toMatchObject({
        status: 401,
        error: { code: 'PT401' },
      });
      expect((await client.rpc('list_api_keys')).data).toMatchObject([{ name: 'a' }]);
    });
  });
});
