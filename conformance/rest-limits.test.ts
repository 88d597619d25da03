import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Caller, Database } from '@cellfolio/platform';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases } from './databases.ts';
import { type RestWorld, restWorld } from './rest-world.ts';

const slowMs = 300_000;

describe.each(databases)('limits of storage per user on the $name database', ({ open }) => {
  let opened: Awaited<ReturnType<typeof open>>;
  let database: Database;
  let world: RestWorld;
  beforeAll(async () => {
    opened = await open();
    database = opened.database;
    world = await restWorld(database);
  }, slowMs);
  afterAll(async () => {
    await world?.close();
    await opened?.close();
  });

  const post = async (path: string, body: unknown, token?: string) => {
    const answer = await world.raw('POST', path, { token, body: JSON.stringify(body) });
    return { status: answer.status, body: answer.text === '' ? null : (JSON.parse(answer.text) as unknown) };
  };
  const count = async (sql: string, values: unknown[] = []): Promise<number> => {
    const { rows } = await database.pool.query<{ n: string }>(`select (${sql}) as n`, values);
    return Number(rows[0]?.n);
  };
  const whileOpen = async <T>(caller: Caller, sql: string, call: () => Promise<T>): Promise<T> => {
    let called: Promise<T> | undefined;
    await database.as(caller, async (client) => {
      await client.query(sql);
      called = call();
      // Long enough for a response if the call did not wait.
      await delay(500);
    });
    return called!;
  };
  const message = (more: object = {}) => ({ name: 'N', email: 'n@example.org', message: 'm', ...more });

  describe('messages of visitors', () => {
    test('a call may insert one message only: thirty arrays of 780 insert nothing', async () => {
      const size = () => count(`pg_total_relation_size('public.contact_submissions')`);
      const before = await size();
      const rows = Array.from({ length: 780 }, () => message());
      for (let round = 0; round < 30; round += 1) {
        expect(await post('/contact_submissions', rows)).toMatchObject({
          status: 400,
          body: {
            code: 'PT400',
            message: 'One call may bring one row of contact_submissions.',
            hint: 'Send the others in calls of their own.',
          },
        });
      }
      expect(await count('select count(*) from public.contact_submissions')).toBe(0);
      // One row of each call was written before the second was refused; 780 each would be 4 MB.
      expect((await size()) - before).toBeLessThan(64 * 1024);
      expect((await post('/contact_submissions', [message()])).status).toBe(201);
    });

    test('a signed-in user may insert one per call too, the operator any number', async () => {
      const { token } = await world.person();
      const two = [message(), message()];
      expect((await post('/contact_submissions', two, token)).status).toBe(400);
      const key = world.server.keys.secretKey;
      const imported = await world.raw('POST', '/contact_submissions', { key, body: JSON.stringify(two) });
      expect(imported.status).toBe(201);
    });

    test('a body longer than any message is refused before it is read', async () => {
      const large = await post('/contact_submissions', message({ message: 'x'.repeat(300_000) }));
      expect(large).toMatchObject({
        status: 413,
        body: { hint: 'Visitors can send at most 262144 bytes.' },
      });
      const { url, keys } = world.server;
      const unsaid = await fetch(`${url}/rest/v1/contact_submissions`, {
        method: 'POST',
        headers: { apikey: keys.publishableKey, 'content-type': 'application/json' },
        body: new Blob([JSON.stringify(message())]).stream(),
        duplex: 'half',
      } as RequestInit);
      expect(unsaid.status).toBe(411);
      // The longest allowed message, in characters of four bytes.
      const longest = await post('/contact_submissions', message({ message: '🧬'.repeat(10_000) }));
      expect(longest.status).toBe(201);
    });

    test('of two concurrent messages at the hourly limit one is accepted, the other gets Retry-After', async () => {
      await database.pool.query('delete from public.contact_submissions');
      await database.pool.query(
        `insert into public.contact_submissions (name, email, message)
         select 'N', 'E', 'M' from generate_series(1, 199)`,
      );
      const second = await whileOpen(
        { role: 'anon' },
        `insert into public.contact_submissions (name, email, message) values ('N', 'E', 'M')`,
        () => post('/contact_submissions', message()),
      );
      expect(second).toMatchObject({
        status: 429,
        body: {
          code: 'PT429',
          message: '200 messages have come within an hour, and no more are taken.',
          hint: 'Send yours again in an hour.',
        },
      });
      expect(await count('select count(*) from public.contact_submissions')).toBe(200);
      await database.pool.query(
        `update public.contact_submissions set created_at = now() - interval '61 minutes'`,
      );
      expect((await post('/contact_submissions', message())).status).toBe(201);
    });
  });

  describe('saved subsets', () => {
    const fill = (user: string, rows: number, config?: string) =>
      database.pool.query(
        `insert into public.subset_metadata (user_id, subset_name, filter_config)
         select $1, 'old ' || n, $3::jsonb from generate_series(1, $2) n`,
        [user, rows, config ?? null],
      );
    const subset = (user: string, more: object = {}) => ({ user_id: user, subset_name: 'S', ...more });

    test('of two concurrent inserts at the limit one is saved, the other gets an error with advice', async () => {
      const { id, token } = await world.person();
      await fill(id, 499);
      const second = await whileOpen(
        { role: 'authenticated', claims: { sub: id, role: 'authenticated' } },
        `insert into public.subset_metadata (user_id, subset_name) values ('${id}', 'S')`,
        () => post('/subset_metadata', subset(id, { subset_name: 'T' }), token),
      );
      expect(second).toMatchObject({
        status: 409,
        body: {
          code: 'PT409',
          message: 'There is room for 500 saved subsets.',
          hint: 'Delete subsets that are no longer needed, then save it again.',
        },
      });
      expect(await count('select count(*) from public.subset_metadata where user_id = $1', [id])).toBe(500);
      // The limit is per user, and deleting one makes room.
      const other = await world.person();
      expect((await post('/subset_metadata', subset(other.id), other.token)).status).toBe(201);
      expect((await world.raw('DELETE', '/subset_metadata?subset_name=eq.S', { token })).status).toBe(204);
      expect((await post('/subset_metadata', subset(id), token)).status).toBe(201);
    });

    test('names are unique per dataset', async () => {
      const { id, token } = await world.person();
      const on = (dataset_name: string, subset_name: string) =>
        post('/subset_metadata', subset(id, { dataset_name, disease_name: 'D', subset_name }), token);
      expect((await on('a.h5ad', 'T cells')).status).toBe(201);
      expect(await on('a.h5ad', ' T cells ')).toMatchObject({ status: 409, body: { code: '23505' } });
      expect((await on('b.h5ad', 'T cells')).status).toBe(201);
      expect((await on('a.h5ad', 'x'.repeat(1000))).status).toBe(201);
    });

    test('their total is limited to 20 MB: growth beyond it is refused, shrinking is not', async () => {
      const { id, token } = await world.person();
      // Random letters, which cannot be compressed.
      const config = JSON.stringify({ filler: randomBytes(700_000).toString('base64') });
      await fill(id, 22, config);
      const full = {
        status: 409,
        body: { code: 'PT409', message: 'Saved subsets may take 20 MB together.' },
      };
      expect(await post('/subset_metadata', subset(id), token)).toMatchObject(full);
      const patch = async (name: string, body: object) => {
        const answer = await world.raw('PATCH', `/subset_metadata?subset_name=eq.${name}`, {
          token,
          body: JSON.stringify(body),
        });
        return answer.status;
      };
      expect(await patch('old%201', { gene_symbol: 'x'.repeat(100) })).toBe(409);
      expect(await patch('old%201', { filter_config: {} })).toBe(204);
      const { rows } = await database.pool.query<{ bytes: number }>(
        'select bytes::float8 as bytes from cellfolio.subset_use where user_id = $1',
        [id],
      );
      expect(rows[0]!.bytes).toBeGreaterThan(19_000_000);
      for (const place of [2, 3]) expect(await patch(`old%20${place}`, { filter_config: {} })).toBe(204);
      expect((await post('/subset_metadata', subset(id), token)).status).toBe(201);
    });

    test('a subset has at most 5,000 cell types, and a call at most 500 subsets', async () => {
      const { id, token } = await world.person();
      const types = Array.from({ length: 5_001 }, (_, n) => `t${n}`);
      expect(await post('/subset_metadata', subset(id, { selected_cell_types: types }), token)).toMatchObject(
        {
          status: 400,
          body: { message: 'A subset names at most 5,000 cell types.' },
        },
      );
      const many = Array.from({ length: 501 }, (_, n) => subset(id, { subset_name: `S ${n}` }));
      expect(await post('/subset_metadata', many, token)).toMatchObject({
        status: 400,
        body: { message: 'One call may bring 500 rows of subset_metadata.' },
      });
      expect((await post('/subset_metadata', many.slice(1), token)).status).toBe(201);
    });
  });

  test('a too long text is refused with the name of the limit', async () => {
    const { id, token } = await world.person('Professional');
    const image = { user_id: id, title: 'T', image_data: 'data:,', image_type: 'gene' };
    const path = `${id}/1_f.h5ad`;
    const file = { user_id: id, file_name: 'F', original_filename: 'f.h5ad', file_path: path };
    const cases = [
      ['/generated_images', { ...image, title: 'x'.repeat(2_001) }, 'title takes 2,000 characters at most'],
      [
        '/generated_images',
        { ...image, image_data: 'x'.repeat(4_194_305) },
        'image_data takes 4 MiB at most',
      ],
      [
        '/generated_images',
        { ...image, figure_source: { x: 'x'.repeat(1_048_576) } },
        'figure_source takes 1 MiB at most',
      ],
      [
        '/subset_metadata',
        { user_id: id, subset_name: 'S', gene_symbol: 'x'.repeat(100_001) },
        'gene_symbol takes 100,000 characters at most',
      ],
      [
        '/subset_metadata',
        { user_id: id, subset_name: 'S', filter_config: { x: 'x'.repeat(1_048_576) } },
        'filter_config takes 1 MiB at most',
      ],
      [
        '/user_files',
        { ...file, description: 'x'.repeat(20_001) },
        'description takes 20,000 characters at most',
      ],
    ] as const;
    for (const [table, row, limit] of cases) {
      expect(await post(table, row, token), limit).toMatchObject({
        status: 400,
        body: { code: '23514', hint: `Shorten it: ${limit}.` },
      });
    }
    const visitor = await post('/contact_submissions', message({ message: 'x'.repeat(20_001) }));
    expect(visitor.body).toMatchObject({ hint: 'Shorten it: message takes 20,000 characters at most.' });
  });

  test('files that are created and deleted repeatedly leave no jobs', async () => {
    const { id, token } = await world.person('Professional');
    const file = { user_id: id, file_name: 'f', original_filename: 'f.h5ad', file_path: `${id}/f.h5ad` };
    for (let round = 0; round < 3; round += 1) {
      expect((await post('/user_files', file, token)).status).toBe(201);
      expect((await world.raw('DELETE', `/user_files?user_id=eq.${id}`, { token })).status).toBe(204);
    }
    const { rowCount } = await database.pool.query('select from cellfolio.jobs where owner_id = $1', [id]);
    expect(rowCount).toBe(0);
  });

  test(
    'an account has at most 50 sessions: the least recently used ones end when more start',
    async () => {
      const auth = async (path: string, body: object) => {
        const answer = await fetch(`${world.server.url}/auth/v1${path}`, {
          method: 'POST',
          headers: { apikey: world.server.keys.publishableKey, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        return (await answer.json()) as { refresh_token: string; error_code?: string; user: { id: string } };
      };
      const account = { email: `${randomUUID()}@example.org`, password: 'correct horse' };
      const first = await auth('/signup', account);
      const signIn = () => auth('/token?grant_type=password', account);
      const refresh = ({ refresh_token }: { refresh_token: string }) =>
        auth('/token?grant_type=refresh_token', { refresh_token });
      const second = await signIn();
      for (let round = 0; round < 48; round += 1) await signIn();
      const sessions = () => count('select count(*) from auth.sessions where user_id = $1', [first.user.id]);
      expect(await sessions()).toBe(50);
      // Use the first one again, so that the second one is the oldest.
      const renewed = await refresh(first);
      const [last] = await Promise.all([signIn(), signIn(), signIn(), signIn(), signIn()]);
      expect(await sessions()).toBe(50);
      expect(await refresh(second)).toMatchObject({ error_code: 'session_not_found' });
      for (const alive of [renewed, last]) expect((await refresh(alive)).error_code).toBeUndefined();
    },
    slowMs,
  );
});
