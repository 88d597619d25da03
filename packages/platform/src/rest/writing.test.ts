import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { slowMs, testedDatabases } from '../database/test-databases.ts';
import { type Library, openLibrary } from './testing/open-library.ts';

const single = 'application/vnd.pgrst.object+json';
const returning = { prefer: 'return=representation' };

describe.each(testedDatabases())('writing rows in a database of kind %s', (_kind, open) => {
  let library: Library;
  let call: Library['call'];
  let read: Library['read'];
  beforeAll(async () => {
    library = await openLibrary(open, { maxRows: 50 });
    ({ call, read } = library);
  }, slowMs);
  afterAll(() => library?.close());

  beforeEach(async () => {
    await library.database.pool.query('delete from public.genres where id > 2');
    await library.database.pool.query(`delete from public."odd ""table"`);
  });
  const genres = () => read('/genres?id=gt.2&order=id');

  test('an insert returns no row unless requested', async () => {
    const quiet = await call('POST', '/genres', { body: { id: 3, name: 'x' } });
    expect(quiet).toMatchObject({ status: 201, text: '', range: '*/*' });
    expect(quiet.headers).not.toHaveProperty('preference-applied');
    const response = await call('POST', '/genres?select=n:name', {
      body: [
        { id: 4, name: 'y' },
        { id: 5, name: 'z' },
      ],
      prefer: 'return=representation,count=exact',
    });
    expect(response).toMatchObject({ status: 201, body: [{ n: 'y' }, { n: 'z' }], range: '*/2' });
    expect(response.headers['preference-applied']).toBe('return=representation, count=exact');
    expect(await genres()).toHaveLength(3);
  });

  test('an insert may return only the Location header', async () => {
    const answer = await call('POST', '/genres', {
      body: { id: 3, name: 'x' },
      prefer: 'return=headers-only',
    });
    expect(answer).toMatchObject({ status: 201, text: '' });
    expect(answer.headers.location).toBe('/genres?id=eq.3');
  });

  test('an inserted row is returned with its embedded rows', async () => {
    const answer = await call('POST', '/books?select=title,price,author_id(name)', {
      body: { title: 'New', author_id: 2 },
      ...returning,
      accept: single,
    });
    expect(answer).toMatchObject({
      status: 201,
      body: { title: 'New', price: 1.5, author_id: { name: 'Bob' } },
    });
    await call('DELETE', '/books?title=eq.New');
  });

  test('listed but missing columns are null, or their default on request', async () => {
    const path = '/books?columns=title,price,copies&select=price,copies&order=title';
    const body = [
      { title: 'A', price: 3 },
      { title: 'B', copies: 7, ignored: true },
    ];
    expect((await call('POST', path, { body, ...returning })).body).toEqual([
      { price: 3, copies: null },
      { price: null, copies: 7 },
    ]);
    await call('DELETE', '/books?title=in.(A,B)');
    const prefer = 'return=representation,missing=default';
    expect((await call('POST', path, { body, prefer })).body).toEqual([
      { price: 3, copies: null },
      { price: 1.5, copies: 7 },
    ]);
    await call('DELETE', '/books?title=in.(A,B)');
  });

  test('an empty array inserts nothing, and an empty object a row of defaults', async () => {
    expect(await call('POST', '/genres', { body: [], ...returning })).toMatchObject({
      status: 201,
      body: [],
    });
    expect(await call('POST', '/genres', { body: {} })).toMatchObject({
      status: 400,
      body: { code: '23502' },
    });
    expect(
      await call('POST', '/authors?columns=name', { body: { name: 'Di', id: 'ignored' } }),
    ).toMatchObject({
      status: 201,
    });
    await call('DELETE', '/authors?name=eq.Di');
  });

  test('an upsert merges or ignores duplicates, by primary key or by the named columns', async () => {
    const put = (prefer: string, body: unknown, query = '') =>
      call('POST', `/genres${query}`, { body, prefer: `return=representation,resolution=${prefer}` });
    expect(await put('merge-duplicates', [{ id: 3, name: 'a' }])).toMatchObject({ status: 201 });
    expect(await put('merge-duplicates', [{ id: 3, name: 'b' }])).toMatchObject({
      status: 200,
      body: [{ id: 3, name: 'b' }],
    });
    expect(
      await put('merge-duplicates', [
        { id: 3, name: 'c' },
        { id: 4, name: 'd' },
      ]),
    ).toMatchObject({
      status: 201,
    });
    expect(await put('ignore-duplicates', [{ id: 3, name: 'e' }], '?on_conflict=id')).toMatchObject({
      status: 201,
      body: [],
    });
    expect(await put('merge-duplicates', [{ id: 3, name: 'f' }], '?on_conflict=name')).toMatchObject({
      status: 400,
      body: { code: '42P10' },
    });
    expect(await put('merge-duplicates', [{ id: 3, name: 'f' }], '?on_conflict=nope')).toMatchObject({
      status: 400,
      body: { code: '42703' },
    });
    expect(
      await put('merge-duplicates', [
        { id: 9, name: 'f' },
        { id: 9, name: 'g' },
      ]),
    ).toMatchObject({
      status: 400,
      body: { code: '21000' },
    });
    expect(await genres()).toEqual([
      { id: 3, name: 'c' },
      { id: 4, name: 'd' },
    ]);
  });

  test('an update reports its range, and answers 204 even for no rows', async () => {
    await call('POST', '/genres', {
      body: [
        { id: 3, name: 'a' },
        { id: 4, name: 'a' },
      ],
    });
    expect(await call('PATCH', '/genres?id=eq.3', { body: { name: 'b' } })).toMatchObject({
      status: 204,
      range: '0-0/*',
      text: '',
    });
    expect(await call('PATCH', '/genres?id=eq.99', { body: { name: 'b' } })).toMatchObject({
      status: 204,
      range: '*/*',
    });
    expect(
      await call('PATCH', '/genres?id=gt.2&order=id.desc&select=id', { body: { name: 'c' }, ...returning }),
    ).toMatchObject({ status: 200, body: [{ id: 4 }, { id: 3 }], range: '0-1/*' });
    expect(await call('PATCH', '/genres?id=gt.2', { body: {}, ...returning })).toMatchObject({
      status: 200,
      body: [],
    });
    expect(await call('PATCH', '/genres?id=gt.2&columns=name', { body: { name: 'd', id: 1 } })).toMatchObject(
      {
        status: 204,
      },
    );
    expect(await genres()).toEqual([
      { id: 3, name: 'd' },
      { id: 4, name: 'd' },
    ]);
  });

  test('a delete returns nothing, or the deleted rows', async () => {
    await call('POST', '/genres', {
      body: [
        { id: 3, name: 'a' },
        { id: 4, name: 'a' },
      ],
    });
    // The client names a content type and sends no body.
    const json = { 'content-type': 'application/json' };
    expect(await call('DELETE', '/genres?id=eq.3', json)).toMatchObject({
      status: 204,
      range: '*/*',
      text: '',
    });
    expect(await call('DELETE', '/genres?id=eq.3', json)).toMatchObject({ status: 204 });
    expect(await call('DELETE', '/genres?id=gt.2', { ...json, ...returning })).toMatchObject({
      status: 200,
      body: [{ id: 4, name: 'a' }],
    });
  });

  test('a write is rolled back if it has too many rows, or not exactly one when requested', async () => {
    await call('POST', '/genres', {
      body: [
        { id: 3, name: 'a' },
        { id: 4, name: 'a' },
      ],
    });
    const before = await genres();
    const one = { ...returning, accept: single };
    for (const refused of [
      await call('PATCH', '/genres?id=gt.2', { body: { name: 'x' }, ...one }),
      await call('DELETE', '/genres?id=gt.2', one),
      await call('POST', '/genres', {
        body: [
          { id: 5, name: 'x' },
          { id: 6, name: 'x' },
        ],
        ...one,
      }),
    ]) {
      expect(refused).toMatchObject({ status: 406, body: { code: 'PGRST116' } });
    }
    expect(
      await call('DELETE', '/genres?id=gt.2', { prefer: 'handling=strict,max-affected=1' }),
    ).toMatchObject({ status: 400, body: { code: 'PGRST124' } });
    expect(await genres()).toEqual(before);
  });

  test('updates and deletes need a filter', async () => {
    for (const refused of [
      await call('PATCH', '/genres', { body: { name: 'x' } }),
      await call('DELETE', '/genres'),
      await call('DELETE', '/genres?select=id'),
    ]) {
      expect(refused).toMatchObject({ status: 400, body: { code: '21000' } });
    }
    expect(await call('DELETE', '/genres?id=gt.0&limit=1')).toMatchObject({
      status: 400,
      body: { code: 'PGRST100' },
    });
    expect(await read('/genres')).toHaveLength(2);
  });

  test('names may contain quotes, dots and hyphens', async () => {
    const path = `/${encodeURIComponent('odd "table')}`;
    expect(await call('POST', path, { body: { 'user-id': 1, 'a.b,c': 'v' }, ...returning })).toMatchObject({
      status: 201,
      body: [{ 'user-id': 1, 'a.b,c': 'v', "it's": 'back\\slash' }],
    });
    const requestPath = `${path}?select=user-id,"it's"&"a.b,c"=eq.v&order="a.b,c".desc,user-id`;
    expect(await read(requestPath)).toEqual([{ 'user-id': 1, "it's": 'back\\slash' }]);
    expect((await call('GET', requestPath, { accept: 'text/csv' })).text).toBe(`user-id,it's\n1,back\\slash`);
    const prefer = 'return=representation,missing=default,resolution=merge-duplicates';
    expect(
      await call('POST', `${path}?columns=user-id,"it's"&select="it's"`, {
        body: [{ 'user-id': 2 }],
        prefer,
      }),
    ).toMatchObject({ status: 201, body: [{ "it's": 'back\\slash' }] });
  });
});
