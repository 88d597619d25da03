import type { Database } from '@cellfolio/platform';
import { callerOfApiKey } from '@cellfolio/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientsOn } from './clients.ts';
import { databases } from './databases.ts';
import { mutatedRequests } from './rest-mutations.ts';
import { type RestPerson, type RestWorld, restWorld, tokenClients, type RestClient } from './rest-world.ts';
type Verb = 'select' | 'insert' | 'update' | 'delete';
/** Status, and the number of rows that were read or returned. */
type Outcome = string;
type Who = 'anon' | 'owner' | 'other' | 'basic' | 'service';
type Row = Record<Verb, Outcome>;

const verbs = ['select', 'insert', 'update', 'delete'] as const;
const whos = ['anon', 'owner', 'other', 'basic', 'service'] as const;

const all: Row = { select: '200 1', insert: '201 1', update: '200 1', delete: '200 1' };
const visitor: Row = { select: '401', insert: '401', update: '401', delete: '401' };
/** No rows are read, changed or deleted; inserting for another user is refused. */
const stranger: Row = { select: '200 0', insert: '403', update: '200 0', delete: '200 0' };
const writeOnly = (refused: Outcome): Row => ({
  select: refused,
  insert: '201',
  update: refused,
  delete: refused,
});

/** Expected results for a row of `owner`. `owner` and `other` have the Professional plan, `basic` has none. */
const expected: Record<string, Record<Who, Row>> = {
  contact_submissions: {
    anon: writeOnly('401'),
    owner: writeOnly('403'),
    other: writeOnly('403'),
    basic: writeOnly('403'),
    service: all,
  },
  generated_images: { anon: visitor, owner: all, other: stranger, basic: stranger, service: all },
  subset_metadata: { anon: visitor, owner: all, other: stranger, basic: stranger, service: all },
  subscriptions: {
    anon: visitor,
    owner: { select: '200 1', insert: '403', update: '403', delete: '403' },
    other: { select: '200 0', insert: '403', update: '403', delete: '403' },
    basic: { select: '200 0', insert: '403', update: '403', delete: '403' },
    service: all,
  },
  user_files: {
    anon: visitor,
    owner: { ...all, update: '403' },
    other: { ...stranger, update: '403' },
    basic: { ...stranger, update: '403' },
    service: all,
  },
};

const canary = 'CANARY-7f3a';

/** Seconds on a quiet machine; many times that on a busy one. */
const slowMs = 120_000;

describe.each(databases)('access to rows on the $name database', ({ name, malformedRequests, open }) => {
  let opened: Awaited<ReturnType<typeof open>>;
  let database: Database;
  let world: RestWorld;
  let owner: RestPerson;
  let other: RestPerson;
  let basic: RestPerson;
  beforeAll(async () => {
    opened = await open();
    database = opened.database;
    world = await restWorld(database);
    owner = await world.person('Professional');
    other = await world.person('Professional');
    basic = await world.person();
  });
  afterAll(async () => {
    await world?.close();
    await opened?.close();
  });

  const rowOf = (table: string, { id }: RestPerson): { row: Record<string, unknown>; change: object } => {
    switch (table) {
      case 'contact_submissions':
        return { row: { name: canary, email: 'e', message: 'm' }, change: { message: 'x' } };
      case 'generated_images':
        return {
          row: { user_id: id, title: canary, image_data: 'data:,', image_type: 'gene' },
          change: { title: 'x' },
        };
      case 'subset_metadata':
        return { row: { user_id: id, subset_name: canary }, change: { subset_name: 'x' } };
      case 'user_files':
        return {
          row: { user_id: id, file_name: canary, original_filename: 'f.h5ad', file_path: `${id}/1_f.h5ad` },
          change: { file_name: 'x' },
        };
      case 'subscriptions':
        return { row: { user_id: id, tier: 'Professional' }, change: { tier: 'Standard' } };
      default:
        throw new Error(`The matrix has no row for ${table}.`);
    }
  };

  const empty = (table: string) =>
    database.pool.query(
      `delete from public.${table}${table === 'subscriptions' ? ' where user_id = $1' : ''}`,
      table === 'subscriptions' ? [owner.id] : [],
    );
  async function put(table: string): Promise<void> {
    const { row } = rowOf(table, owner);
    const names = Object.keys(row);
    await database.pool.query(
      `insert into public.${table} (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')})`,
      Object.values(row),
    );
  }

  async function outcome(table: string, verb: Verb, who: Who): Promise<Outcome> {
    const { row, change } = rowOf(table, owner);
    await empty(table);
    if (verb !== 'insert') await put(table);
    const service = world.server.keys.secretKey;
    const token = { anon: undefined, owner: owner.token, other: other.token, basic: basic.token, service }[
      who
    ];
    // Roles without read access must not request the inserted row.
    const quiet = table === 'contact_submissions' && who !== 'service' && verb === 'insert';
    const [column, value] = Object.entries(row)[0]!;
    const filter = `?${column}=eq.${encodeURIComponent(String(value))}`;
    const answer = await world.raw(
      { select: 'GET', insert: 'POST', update: 'PATCH', delete: 'DELETE' }[verb],
      `/${table}${verb === 'insert' ? '' : filter}`,
      {
        token,
        ...(who === 'service' && { key: service }),
        ...(verb === 'insert' && { body: JSON.stringify(row) }),
        ...(verb === 'update' && { body: JSON.stringify(change) }),
        headers: quiet ? {} : { prefer: 'return=representation' },
      },
    );
    const body = answer.text === '' ? undefined : (JSON.parse(answer.text) as unknown);
    return Array.isArray(body) ? `${answer.status} ${body.length}` : String(answer.status);
  }

  test.each(Object.keys(expected))(
    'of %s each caller gets exactly the listed answer to each verb',
    async (table) => {
      const outcomes: Partial<Record<Who, Row>> = {};
      for (const who of whos) {
        const row: Partial<Row> = {};
        for (const verb of verbs) row[verb] = await outcome(table, verb, who);
        outcomes[who] = row as Row;
      }
      await empty(table);
      if (table === 'subscriptions') await put(table);
      expect(outcomes).toEqual(expected[table]);
    },
  );

  test('a table without a row in the matrix fails', async () => {
    const { rows } = await database.pool.query<{ name: string }>(
      `select relname as name from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'm', 'p', 'f') order by relname`,
    );
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(expected).sort());
  });

  test('only intended functions can be called', async () => {
    const { rows } = await database.pool.query<{ name: string; anon: boolean }>(
      `select proname as name, has_function_privilege('anon', oid, 'execute') as anon
       from pg_proc where pronamespace = 'public'::regnamespace order by proname`,
    );
    const reachable = rows.filter(({ name }) => name !== 'may_store_user_file').map(({ name }) => name);
    expect(reachable).toEqual(['create_api_key', 'list_api_keys', 'revoke_api_key']);
    expect(rows.filter(({ anon }) => anon)).toEqual([]);
  });

  test(
    `${malformedRequests} mutated requests are refused or harmless, and disclose no data of others`,
    async () => {
      for (const table of Object.keys(expected)) {
        await empty(table);
        await put(table);
      }
      const before = await snapshot();
      const statuses = new Map<number, number>();
      for (const { method, path, headers, body } of mutatedRequests(malformedRequests, 'rest', {
        owner: owner.id,
        other: other.id,
      })) {
        const token = headers['x-as'] === 'anon' ? undefined : other.token;
        const answer = await world.raw(method, path, { token, headers, ...(body !== undefined && { body }) });
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        expect(answer.status, `${method} ${path} ${body ?? ''}: ${answer.text}`).toBeLessThan(500);
        // Names in the request may be repeated in a message.
        const echoed = `${path}${body ?? ''}`.includes(canary);
        expect(!echoed && answer.text.includes(canary), `${method} ${path}: ${answer.text}`).toBe(false);
      }
      expect(await snapshot()).toEqual(before);
      const refused = [...statuses]
        .filter(([status]) => status >= 400)
        .reduce((sum, [, count]) => sum + count, 0);
      // Otherwise the mutations would test nothing.
      expect(refused).toBeGreaterThan(malformedRequests / 2);
      const alive = await world.raw('GET', '/subset_metadata?select=subset_name', { token: owner.token });
      expect(JSON.parse(alive.text)).toEqual([{ subset_name: canary }]);
    },
    slowMs,
  );

  async function snapshot(): Promise<unknown> {
    const parts: unknown[] = [];
    for (const table of Object.keys(expected)) {
      const where = table === 'contact_submissions' ? `name = '${canary}'` : `user_id = '${owner.id}'`;
      const { rows } = await database.pool.query(
        `select t::text as line from public.${table} t where ${where}`,
      );
      parts.push([table, rows]);
    }
    return parts;
  }

  test('rows of others and missing rows get the same response', async () => {
    await empty('subset_metadata');
    await put('subset_metadata');
    const { rows } = await database.pool.query<{ id: string }>('select id from public.subset_metadata');
    const answers = async (id: string) => {
      const shapes: unknown[] = [];
      for (const [method, body] of [
        ['GET', undefined],
        ['HEAD', undefined],
        ['PATCH', '{"subset_name":"x"}'],
        ['DELETE', undefined],
      ] as const) {
        for (const prefer of ['count=exact', 'count=planned', 'return=representation,count=estimated']) {
          const answer = await world.raw(method, `/subset_metadata?id=eq.${id}`, {
            token: other.token,
            headers: { prefer },
            ...(body !== undefined && { body }),
          });
          shapes.push([method, answer.status, answer.text, answer.headers.get('content-range')]);
        }
      }
      return shapes;
    };
    expect(await answers(rows[0]!.id)).toEqual(await answers('00000000-0000-4000-8000-00000000dead'));
  });

  test(
    'twenty concurrent users see their own rows only',
    async () => {
      const { url, keys } = world.server;
      const people = await Promise.all(Array.from({ length: 20 }, () => world.person()));
      const rounds = 3;
      await Promise.all(
        people.map(async ({ id, token }, place) => {
          const client = tokenClients[place % 2]!.make(url, keys.publishableKey, token);
          for (let round = 0; round < rounds; round += 1) {
            const inserted = await client
              .from('subset_metadata')
              .insert({ user_id: id, subset_name: `${id} ${round}` })
              .select('user_id, subset_name')
              .single();
            expect(inserted).toMatchObject({
              error: null,
              data: { user_id: id, subset_name: `${id} ${round}` },
            });
            const { data, error } = await client.from('subset_metadata').select('user_id, subset_name');
            expect(error).toBeNull();
            expect(data).toHaveLength(round + 1);
            expect(data!.every((row) => row.user_id === id && row.subset_name.startsWith(id))).toBe(true);
            const changed = await client
              .from('subset_metadata')
              .update({ percentile: round })
              .neq('percentile', -1)
              .select('user_id');
            expect(changed.error).toBeNull();
            expect(changed.data!.every((row) => row.user_id === id)).toBe(true);
          }
        }),
      );
      const { rows } = await database.pool.query<{ n: string }>(
        'select count(*) as n from public.subset_metadata where user_id = any($1)',
        [people.map(({ id }) => id)],
      );
      expect(rows[0]?.n).toBe(String(20 * rounds));
    },
    slowMs,
  );

  test(
    'a user keeps 30 images, also after concurrent inserts',
    async () => {
      const { id, token } = await world.person();
      const image = (title: string) => ({ user_id: id, title, image_data: 'data:,', image_type: 'gene' });
      const insert = (rows: object) =>
        world.raw('POST', '/generated_images', { token, body: JSON.stringify(rows) });
      await Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          insert(Array.from({ length: 5 }, (__, m) => image(`${n} ${m}`))),
        ),
      );
      const imageCount = async () => {
        const { rows } = await database.pool.query<{ n: string }>(
          'select count(*) as n from public.generated_images where user_id = $1',
          [id],
        );
        return Number(rows[0]?.n);
      };
      expect(await imageCount()).toBe(30);
      await insert(Array.from({ length: 45 }, (_, n) => image(`late ${n}`)));
      expect(await imageCount()).toBe(30);
      // The newest were kept.
      const listed = await world.raw('GET', '/generated_images?select=title&title=like.late*', { token });
      expect(JSON.parse(listed.text)).toHaveLength(30);
    },
    slowMs,
  );

  describe.each(clientsOn(name, tokenClients))('personal API keys with supabase-js $version', ({ make }) => {
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

    test('users can create, list and revoke their own personal API keys', async () => {
      const created = await mine.rpc('create_api_key', { key_name: 'notebook' }).single();
      expect(created).toMatchObject({
        error: null,
        data: { name: 'notebook', expires_at: null, key: expect.stringMatching(/^cfp_/) },
      });
      const listed = await mine.rpc('list_api_keys');
      expect(listed.data).toMatchObject([{ id: created.data!.id, name: 'notebook', last_used_at: null }]);
      expect(JSON.stringify(listed.data)).not.toContain(created.data!.key);
      expect((await others.rpc('list_api_keys')).data).toEqual([]);
      expect((await others.rpc('revoke_api_key', { key_id: created.data!.id })).data).toBe(false);
      expect((await visitor.rpc('list_api_keys')).error?.code).toBe('42501');
      expect((await mine.rpc('create_api_key', { key_name: ' ' })).error).toMatchObject({
        code: 'PT400',
        message: 'The name of an API key needs 1 to 100 characters.',
      });
      expect(await callerOfApiKey(database, created.data!.key)).toMatchObject({ userId: owner.id });
      const wishes = { key_name: 'for a month', valid_days: 30, key_scopes: ['read'] };
      const ending = await mine.rpc('create_api_key', wishes).single();
      expect(ending.data!.scopes).toEqual(['read']);
      expect(Date.parse(ending.data!.expires_at!)).toBeGreaterThan(Date.now());
      await mine.rpc('revoke_api_key', { key_id: ending.data!.id });
      expect((await mine.rpc('revoke_api_key', { key_id: created.data!.id })).data).toBe(true);
      expect(await callerOfApiKey(database, created.data!.key)).toBeUndefined();
      expect((await mine.rpc('list_api_keys')).data).toEqual([]);
    });

    test('a key cannot be created in an ended session, nor without a required second step', async () => {
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
        error: { code: 'insufficient_aal' },
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
