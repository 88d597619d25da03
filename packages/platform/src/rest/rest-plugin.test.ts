import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { slowMs, testedDatabases } from '../database/test-databases.ts';
import { ada, type Library, openLibrary } from './testing/open-library.ts';

const single = 'application/vnd.pgrst.object+json';
const returning = { prefer: 'return=representation' };

describe.each(testedDatabases())('the REST service over a database of kind %s', (_kind, open) => {
  let library: Library;
  let call: Library['call'];
  let read: Library['read'];
  beforeAll(async () => {
    library = await openLibrary(open, {
      maxRows: 50,
      bodyBytes: 100_000,
      answerBytes: 20_000,
      builtBytes: 20_000,
      statementTimeoutMs: 3_000,
    });
    ({ call, read } = library);
  }, slowMs);
  afterAll(() => library?.close());

  describe('functions', () => {
    test.each<[string, unknown, unknown]>([
      ['/rpc/add', { a: 1, b: 2 }, 3],
      ['/rpc/add', { a: 1 }, 2],
      ['/rpc/words', { many: 2 }, ['a', 'b']],
      ['/rpc/pair?x=gt.1&select=y', undefined, [{ y: 'two' }]],
      ['/rpc/pair?order=x.desc&limit=1', {}, [{ x: 2, y: 'two' }]],
      ['/rpc/first_author?select=name', {}, { name: 'Ada' }],
      [
        '/rpc/books_of?select=id,author_id(name)&limit=1',
        { author: 1 },
        [{ id: 1, author_id: { name: 'Ada' } }],
      ],
      ['/rpc/total', { numbers: [1, 2], 'odd name': { a: 1 } }, '3{"a": 1}'],
    ])('POST %s with %j', async (path, body, expected) => {
      expect(await call('POST', path, { body })).toMatchObject({ status: 200, body: expected });
    });

    test.each<[string, unknown]>([
      ['/rpc/add?a=1&b=2', 3],
      ['/rpc/books_of?author=1&select=id&id=gt.1', [{ id: 2 }]],
      ['/rpc/total?numbers={1,2}&odd%20name=[7]', '3[7]'],
    ])('GET %s', async (path, expected) => {
      expect(await read(path)).toEqual(expected);
    });

    test('a function without a result answers 204, and only POST may write', async () => {
      expect(await call('GET', '/rpc/add_genre?id=7&name=x')).toMatchObject({
        status: 405,
        body: { code: '25006' },
      });
      expect(await call('POST', '/rpc/add_genre', { body: { id: 7, name: 'x' } })).toMatchObject({
        status: 204,
        range: '0-0/*',
        text: '',
      });
      expect(await read('/genres?id=eq.7')).toHaveLength(1);
      await call('DELETE', '/genres?id=eq.7');
    });

    test('the rows of a function are counted like those of a table', async () => {
      expect(await call('GET', '/rpc/pair?limit=1', { prefer: 'count=exact' })).toMatchObject({
        status: 206,
        range: '0-0/2',
      });
      expect(await call('HEAD', '/rpc/pair', { prefer: 'count=exact' })).toMatchObject({
        range: '0-1/2',
        text: '',
      });
    });

    test.each([
      ['POST', '/rpc/add', { a: 1 }, undefined, 200, '0-0/*'],
      ['POST', '/rpc/add', { a: 1 }, 'count=exact', 200, '0-0/1'],
      ['GET', '/rpc/add?a=1', undefined, 'count=planned', 200, '0-0/1'],
      ['HEAD', '/rpc/add?a=1', undefined, 'count=exact', 200, '0-0/1'],
      ['POST', '/rpc/first_author', {}, 'count=exact', 200, '0-0/1'],
      ['POST', '/rpc/words', { many: 2 }, 'count=exact', 200, '0-1/2'],
      ['POST', '/rpc/words?limit=2', { many: 3 }, 'count=exact', 206, '0-1/3'],
    ] as const)(
      '%s %s with %j and %s says how many: %i %s',
      async (method, path, body, prefer, status, range) => {
        const answer = await call(method, path, { body, ...(prefer && { prefer }) });
        expect(answer).toMatchObject({ status, range });
        expect(answer.text === '').toBe(method === 'HEAD');
      },
    );

    test('a function can set the status', async () => {
      expect(await call('POST', '/rpc/refuse')).toMatchObject({
        status: 418,
        body: { code: 'PT418', message: 'short and stout', details: 'd', hint: 'h' },
      });
    });

    test('a function can read the request without its credentials', async () => {
      const { body } = await call('GET', '/rpc/request?select=x', { 'x-mine': 'ü"\\', cookie: 'c=1' });
      expect(body).toMatchObject({ method: 'GET', path: '/rpc/request', role: 'authenticated' });
      const { headers } = body as { headers: Record<string, string> };
      expect(headers['x-mine']).toBe('ü"\\');
      expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['authorization']));
      expect(JSON.stringify(headers)).not.toMatch(/authorization|apikey|cookie/);
    });

    test.each([
      ['POST', '/rpc/nope', {}, 404, 'PGRST202'],
      ['POST', '/rpc/add', { c: 1 }, 404, 'PGRST202'],
      ['POST', '/rpc/add', { b: 1 }, 404, 'PGRST202'],
      ['POST', '/rpc/add', { a: 'x' }, 400, '22P02'],
      ['POST', '/rpc/hidden', {}, 403, '42501'],
      ['POST', '/rpc/keep_newest_images', {}, 404, 'PGRST202'],
      ['PATCH', '/rpc/add', {}, 405, 'PGRST117'],
      ['DELETE', '/rpc/add', undefined, 405, 'PGRST117'],
    ] as const)('%s %s with %j is %i %s', async (method, path, body, status, code) => {
      expect(await call(method, path, { body })).toMatchObject({ status, body: { code } });
    });
  });

  describe('refusals', () => {
    test.each<[string, string, Record<string, unknown>, number, string]>([
      ['GET', '/nope', {}, 404, 'PGRST205'],
      ['GET', '/users', {}, 404, 'PGRST205'],
      ['GET', '/auth.users', {}, 404, 'PGRST205'],
      ['GET', '/books;drop table books', {}, 404, 'PGRST205'],
      ['GET', '/', {}, 404, 'PGRST125'],
      ['GET', '/a/b', {}, 404, 'PGRST125'],
      ['GET', '/books?nope=eq.1', {}, 400, '42703'],
      ['GET', '/books?select=nope', {}, 400, '42703'],
      ['GET', '/books?order=nope', {}, 400, '42703'],
      ['GET', '/books?id=eq.x', {}, 400, '22P02'],
      ['GET', '/books?id=in.(1,x)', {}, 400, '22P02'],
      ['GET', '/books?id=like.1', {}, 404, '42883'],
      ['GET', '/books?id=is.true', {}, 400, '42804'],
      ['GET', '/books?title=eq.%00', {}, 400, '22021'],
      ['GET', '/books?select=id::regclass', {}, 400, '42704'],
      ['GET', '/books?title=fts(nope).x', {}, 400, '42704'],
      ['GET', '/books', { 'accept-profile': 'auth' }, 406, 'PGRST106'],
      ['POST', '/genres', { 'content-profile': 'auth', body: {} }, 406, 'PGRST106'],
      ['GET', '/books', { accept: 'text/html' }, 406, 'PGRST107'],
      ['GET', '/locked', {}, 403, '42501'],
      ['GET', '/locked', { as: 'nobody' }, 401, '42501'],
      ['POST', '/books', { as: 'nobody', body: { title: 'x' } }, 401, '42501'],
      ['POST', '/genres', { body: { id: 1, name: 'x' } }, 409, '23505'],
      ['POST', '/books', { body: { title: 'x', author_id: 99 } }, 409, '23503'],
      ['POST', '/genres', { body: { id: 9 } }, 400, '23502'],
      ['POST', '/genres', { body: { id: 9, nope: 1 } }, 400, 'PGRST204'],
      ['POST', '/genres', { body: '{"id":9,"name":"\\u0000"}' }, 400, '22P05'],
      ['POST', '/genres', { body: '{"id":9,"name":"\\ud800"}' }, 400, '22P02'],
      ['POST', '/genres', { body: 'x' }, 400, 'PGRST102'],
      ['POST', '/genres', { body: '' }, 400, 'PGRST102'],
      ['POST', '/genres', { body: `{"id":${'['.repeat(40_000)}` }, 400, 'PGRST102'],
      ['POST', '/genres', { body: { id: 9, name: 'x'.repeat(100_001) } }, 413, 'PGRST102'],
      [
        'POST',
        '/genres',
        { body: 'id=9', 'content-type': 'application/x-www-form-urlencoded' },
        415,
        'PGRST102',
      ],
      ['PATCH', '/genres?id=eq.1', { body: [{ name: 'a' }, { name: 'b' }] }, 400, 'PGRST102'],
      ['PUT', '/genres?id=eq.1', { body: { id: 1, name: 'x' } }, 405, 'PGRST117'],
    ])('%s %s with %j is %i %s', async (method, path, options, status, code) => {
      const answer = await call(method as 'GET', path.replaceAll(' ', '%20'), options);
      expect(answer).toMatchObject({ status, body: { code } });
      expect(Object.keys(answer.body as object).sort()).toEqual(['code', 'details', 'hint', 'message']);
    });

    test('an unknown key is refused with the error of the gateway', async () => {
      const answer = await call('GET', '/books', { apikey: 'other' });
      expect(answer).toMatchObject({ status: 401, body: { message: 'Invalid API key', hint: 'Check it.' } });
    });
  });

  test('an answer above the size limit is refused and its write rolled back', async () => {
    const body = [{ id: 50, name: 'x'.repeat(15_000) }];
    expect(await call('POST', '/genres', { body })).toMatchObject({ status: 201 });
    expect(await call('GET', '/genres?id=eq.50')).toMatchObject({ status: 200 });
    const refused = { status: 413, body: { code: '54000' } };
    expect(await call('GET', '/genres?id=eq.50&select=name,again:name')).toMatchObject(refused);
    expect(
      await call('PATCH', '/genres?id=eq.50&select=name,again:name', { body: { id: 51 }, ...returning }),
    ).toMatchObject(refused);
    expect(await read('/genres?id=gte.50&select=id')).toEqual([{ id: 50 }]);
    expect(await call('POST', '/rpc/words?limit=9', { body: { many: 9 } })).toMatchObject({ status: 200 });
    await call('DELETE', '/genres?id=eq.50');
  });

  test(
    'a statement that takes too long is stopped, and no other caller is refused for it',
    async () => {
      const slow = call('POST', '/rpc/slow');
      const others = Array.from({ length: 5 }, () => call('GET', '/books?id=eq.1&select=id'));
      expect(await slow).toMatchObject({ status: 500, body: { code: '57014' } });
      for (const other of await Promise.all(others)) {
        expect(other).toMatchObject({ status: 200, body: [{ id: 1 }] });
      }
    },
    slowMs,
  );

  test('a pattern looks at the first 2,000 characters of a text, so that none is searched for long', async () => {
    const name = `${'a'.repeat(1_999)}b${'a'.repeat(90_000)}c`;
    expect(await call('POST', '/genres', { body: { id: 60, name } })).toMatchObject({ status: 201 });
    const readMatching = (condition: string) => read(`/genres?select=id&id=eq.60&name=${condition}`);
    expect(await readMatching('like.*ab')).toEqual([{ id: 60 }]);
    expect(await readMatching('match.b$')).toEqual([{ id: 60 }]);
    expect(await readMatching('like(any).{x,*ab}')).toEqual([{ id: 60 }]);
    expect(await readMatching('imatch.c')).toEqual([]);
    expect(await readMatching('not.ilike.*c')).toEqual([{ id: 60 }]);
    await call('DELETE', '/genres?id=eq.60');
  });

  test('rows are not cacheable, and other origins may read the headers that clients need', async () => {
    const answer = await call('GET', '/books', { origin: 'https://other.example' });
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': expect.stringContaining('content-range'),
    });
    const preflight = await call('OPTIONS', '/books', { origin: 'https://other.example', apikey: '' });
    expect(preflight.status).toBe(204);
  });

  test('added tables, columns and functions are found, and dropped ones are not', async () => {
    const { pool } = library.database;
    // Past the minimum cache age of the schema.
    const later = () => library.advance(2_100);
    await read('/books?limit=1');
    await pool.query(
      `create table public.late (id int); grant select, insert on public.late to authenticated;
       create function public.late_sum() returns int language sql as 'select 5'`,
    );
    later();
    expect(await read('/late')).toEqual([]);
    expect(await read('/rpc/late_sum')).toBe(5);
    await pool.query('alter table public.late add column more text');
    later();
    expect(await call('POST', '/late', { body: { more: 'x' } })).toMatchObject({ status: 201 });
    await pool.query('drop table public.late; drop function public.late_sum()');
    expect(await call('GET', '/late')).toMatchObject({ status: 404 });
  });

  test('concurrent calls keep their own role and claims', async () => {
    const roles = ['ada', 'nobody', 'service'];
    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_, place) => {
        const { body } = await call('GET', '/rpc/request', { as: roles[place % 3]! });
        return (body as { role: string }).role;
      }),
    );
    expect(answers).toEqual(
      Array.from({ length: 60 }, (_, place) => ['authenticated', 'anon', 'service_role'][place % 3]),
    );
  });

  test('the 31st image replaces the oldest, also with concurrent inserts', async () => {
    const image = (title: string, more: object = {}) => ({
      user_id: ada,
      title,
      image_data: 'data:,',
      image_type: 'gene',
      ...more,
    });
    const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
    await call('POST', '/generated_images', {
      body: Array.from({ length: 30 }, (_, n) => image(`old ${n}`, { created_at: at(n) })),
    });
    await Promise.all(
      Array.from({ length: 5 }, (_, n) => call('POST', '/generated_images', { body: image(`new ${n}`) })),
    );
    const images = (await read('/generated_images?select=title&order=created_at.asc')) as { title: string }[];
    expect(images).toHaveLength(30);
    expect(images[0]?.title).toBe('old 5');
    expect(images.filter(({ title }) => title.startsWith('new'))).toHaveLength(5);
    await call('DELETE', `/generated_images?user_id=eq.${ada}`);
  });

  test('an update of a subset sets its modification time', async () => {
    const created = await call('POST', '/subset_metadata', {
      body: { user_id: ada, subset_name: 's', updated_at: '2020-01-01' },
      ...returning,
      accept: single,
    });
    const { id } = created.body as { id: string };
    const changed = await call('PATCH', `/subset_metadata?id=eq.${id}`, {
      body: { filter_config: { api_payload: {} }, updated_at: '2020-01-01' },
      ...returning,
      accept: single,
    });
    const { updated_at: at } = changed.body as { updated_at: string };
    expect(Date.parse(at)).toBeGreaterThan(Date.parse('2025-01-01'));
  });
});
