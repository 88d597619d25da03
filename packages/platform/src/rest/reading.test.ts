import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { slowMs, testedDatabases } from '../database/test-databases.ts';
import { type Library, openLibrary } from './testing/open-library.ts';

const single = 'application/vnd.pgrst.object+json';

describe.each(testedDatabases())('reading rows in a database of kind %s', (_kind, open) => {
  let library: Library;
  let call: Library['call'];
  let read: Library['read'];
  beforeAll(async () => {
    library = await openLibrary(open, { maxRows: 50 });
    ({ call, read } = library);
  }, slowMs);
  afterAll(() => library?.close());

  test.each<[string, unknown]>([
    ['/books?select=id&order=id', [{ id: 1 }, { id: 2 }, { id: 3 }]],
    ['/books?select=id&order=id.desc&limit=1&offset=1', [{ id: 2 }]],
    ['/books?select=n:title&id=eq.1', [{ n: 'One' }]],
    ['/books?select=&id=eq.1', [{}]],
    ['/books?select=price::text,copies::text&id=eq.1', [{ price: '10.00', copies: '9007199254740993' }]],
    ['/books?select=id&title=in.("Two, or ""2""",x)&order=id', []],
    [String.raw`/books?select=id&title=in.("Two, or \"2\"",One)&order=id`, [{ id: 1 }, { id: 2 }]],
    ['/books?select=id&id=in.()', []],
    ['/books?select=id&id=not.in.(1,2)', [{ id: 3 }]],
    ['/books?select=id&title=ilike.*two*', [{ id: 2 }]],
    ['/books?select=id&title=like.Three_3%25', [{ id: 3 }]],
    ['/books?select=id&title=like(any).{One,T*}&order=id', [{ id: 1 }, { id: 2 }, { id: 3 }]],
    ['/books?select=id&title=match.^O', [{ id: 1 }]],
    ['/books?select=id&title=not.like.One&id=lt.3', [{ id: 2 }]],
    ['/books?select=id&price=gt.5&price=lte.10', [{ id: 1 }]],
    ['/books?select=id&price=is.null', [{ id: 3 }]],
    ['/books?select=id&price=not.is.null&order=id', [{ id: 1 }, { id: 2 }]],
    ['/books?select=id&price=isdistinct.10&order=id', [{ id: 2 }, { id: 3 }]],
    ['/books?select=id&tags=cs.{a}', [{ id: 1 }]],
    ['/books?select=id&tags=ov.{a,x}', [{ id: 1 }]],
    ['/books?select=id&pages=sl.[15,30)', [{ id: 1 }]],
    ['/books?select=id&or=(id.eq.1,and(price.gt.15,tags.cs.{b}))&order=id', [{ id: 1 }, { id: 2 }]],
    ['/books?select=id&not.or=(id.eq.1,id.eq.2)', [{ id: 3 }]],
    ['/books?select=id&title=plfts(english).two', [{ id: 2 }]],
    ['/authors?select=born:facts->born,second:facts->langs->>1&id=eq.1', [{ born: 1815, second: 'fr' }]],
    ['/authors?select=facts->>"odd key"&facts->born=gt.1800', [{ 'odd key': 'true' }]],
    ['/authors?select=id&order=facts->born.desc.nullslast,id.desc', [{ id: 1 }, { id: 3 }, { id: 2 }]],
    ['/books?select=tags->0&id=eq.1', [{ tags: 'a' }]],
    ['/titles?select=title&title=eq.One', [{ title: 'One' }]],
  ])('%s', async (path, expected) => {
    expect(await read(path)).toEqual(expected);
  });

  test('numbers, dates and times have the format of a hosted project', async () => {
    const { text } = await call('GET', '/books?id=eq.1');
    expect(text).toContain('"copies":9007199254740993');
    expect(text).toContain('"price":10.00');
    expect(text).toContain('"added_at":"2026-01-01T00:00:00+00:00"');
  });

  test.each([
    ['GET', '/books?limit=2&order=id', {}, 200, '0-1/*'],
    ['GET', '/books?limit=2&order=id', { prefer: 'count=exact' }, 206, '0-1/3'],
    ['GET', '/books?limit=2&offset=2', { prefer: 'count=exact' }, 206, '2-2/3'],
    ['GET', '/books', { prefer: 'count=exact' }, 200, '0-2/3'],
    ['GET', '/books', { prefer: 'count=planned' }, 200, '0-2/3'],
    ['GET', '/books?limit=2', { prefer: 'count=planned' }, 206, '0-1/3'],
    ['GET', '/books?limit=2', { prefer: 'count=estimated' }, 206, '0-1/3'],
    ['HEAD', '/books', { prefer: 'count=estimated' }, 200, '0-2/3'],
    ['GET', '/books?id=eq.0', {}, 200, '*/*'],
    ['GET', '/books?id=eq.0', { prefer: 'count=exact' }, 200, '*/0'],
    ['GET', '/books?offset=3', { prefer: 'count=exact' }, 206, '*/3'],
    ['GET', '/books?offset=4', { prefer: 'count=exact' }, 416, '*/3'],
    ['GET', '/books?offset=4', {}, 200, '*/*'],
    ['GET', '/books', { range: '1-1' }, 200, '1-1/*'],
    ['GET', '/books?limit=3', { range: '1-1' }, 200, '0-2/*'],
    ['HEAD', '/books?limit=1', { prefer: 'count=exact' }, 206, '0-0/3'],
    ['HEAD', '/books', {}, 200, '0-2/*'],
  ] as const)('%s %s with %j is %i and %s', async (method, path, headers, status, range) => {
    const answer = await call(method, path, headers);
    expect(answer).toMatchObject({ status, range });
    expect(answer.text === '').toBe(method === 'HEAD');
  });

  test('a single row is an object on request, and any other count is refused', async () => {
    expect(await call('GET', '/books?select=id&id=eq.1', { accept: single })).toMatchObject({
      status: 200,
      body: { id: 1 },
    });
    for (const [path, rows] of [
      ['/books?id=eq.0', 0],
      ['/books', 3],
    ] as const) {
      expect(await call('GET', path, { accept: single })).toMatchObject({
        status: 406,
        body: { code: 'PGRST116', details: `The result contains ${rows} rows`, hint: null },
      });
    }
  });

  test('nulls are omitted on request', async () => {
    const accept = 'application/vnd.pgrst.array+json;nulls=stripped';
    const answer = await call('GET', '/books?select=id,price&id=eq.3', { accept });
    expect(answer.body).toEqual([{ id: 3 }]);
  });

  test('rows are returned as CSV, quoted where necessary', async () => {
    const answer = await call('GET', '/books?select=id,title,"x\\"y":tags&order=id', {
      accept: 'text/csv',
    });
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(answer.text).toBe('id,title,"x""y"\n1,One,"{a,b}"\n2,"Two, or ""2""",{b}\n3,Three_3%,');
  });

  test('CSV quotes an empty text, so that it is no missing value, and texts with spaces or brackets', async () => {
    await library.database.pool.query(
      `insert into public.genres values (1000, ''), (1001, 'a b'), (1002, '(a)'), (1003, 'a\tb'), (1004, 'plain')`,
    );
    const answer = await call('GET', '/genres?id=gte.1000&order=id', { accept: 'text/csv' });
    await library.database.pool.query('delete from public.genres where id >= 1000');
    expect(answer.text).toBe('id,name\n1000,""\n1001,"a b"\n1002,"(a)"\n1003,"a\tb"\n1004,plain');
  });

  test('a list without a limit ends at the maximum', async () => {
    expect(await read('/rpc/words?many=80')).toHaveLength(50);
    await library.database.pool.query(
      `insert into public.genres select n, 'g' from generate_series(1000, 1079) n`,
    );
    expect(await read('/genres?id=gte.1000')).toHaveLength(50);
    expect(await read('/genres?id=gte.1000&limit=70')).toHaveLength(50);
    await library.database.pool.query('delete from public.genres where id >= 1000');
  });
});
