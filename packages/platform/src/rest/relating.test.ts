import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { slowMs, testedDatabases } from '../database/test-databases.ts';
import { type Library, openLibrary } from './testing/open-library.ts';

describe.each(testedDatabases())('rows with related ones in a database of kind %s', (_kind, open) => {
  let library: Library;
  let call: Library['call'];
  let read: Library['read'];
  beforeAll(async () => {
    library = await openLibrary(open, { maxRows: 50 });
    ({ call, read } = library);
  }, slowMs);
  afterAll(() => library?.close());

  test.each<[string, unknown]>([
    [
      '/books?select=id,author:authors!books_author_id_fkey(name)&order=id',
      [
        { id: 1, author: { name: 'Ada' } },
        { id: 2, author: { name: 'Ada' } },
        { id: 3, author: { name: 'Bob' } },
      ],
    ],
    [
      '/books?select=author_id(name),editor_id(name)&id=eq.2',
      [{ author_id: { name: 'Ada' }, editor_id: null }],
    ],
    [
      '/authors?select=name,books!author_id(id)&order=id&books.order=id.desc',
      [
        { name: 'Ada', books: [{ id: 2 }, { id: 1 }] },
        { name: 'Bob', books: [{ id: 3 }] },
        { name: 'Cy', books: [] },
      ],
    ],
    [
      '/authors?select=name,books!author_id!inner(id)&books.price=gt.15',
      [{ name: 'Ada', books: [{ id: 2 }] }],
    ],
    ['/authors?select=id,b:books!author_id(id)&b.limit=1&b.order=id&id=eq.1', [{ id: 1, b: [{ id: 1 }] }]],
    [
      '/books?select=id,genres(name)&id=eq.1&genres.order=name',
      [{ id: 1, genres: [{ name: 'Notes' }, { name: 'Poems' }] }],
    ],
    [
      '/authors?select=id,mottos(text)&order=id&limit=2',
      [
        { id: 1, mottos: { text: 'Onwards' } },
        { id: 2, mottos: null },
      ],
    ],
    ['/authors?select=id,...mottos(text)&id=eq.1', [{ id: 1, text: 'Onwards' }]],
    ['/authors?select=id,mottos()&mottos=not.is.null', [{ id: 1 }]],
    ['/authors?select=id,books!author_id()&books=is.null', [{ id: 3 }]],
    ['/authors?select=name,books!author_id(count)&id=eq.1', [{ name: 'Ada', books: [{ count: 2 }] }]],
    [
      '/books?select=id,author_id(name)&order=author_id(name).desc,id&limit=1',
      [{ id: 3, author_id: { name: 'Bob' } }],
    ],
    [
      '/books?select=id,a:author_id(name,mentored:authors!mentor_id(name))&id=eq.1&a.mentored.order=name',
      [{ id: 1, a: { name: 'Ada', mentored: [{ name: 'Bob' }, { name: 'Cy' }] } }],
    ],
    [
      '/authors?select=name,authors(name)&id=eq.1&authors.order=name',
      [{ name: 'Ada', authors: [{ name: 'Bob' }, { name: 'Cy' }] }],
    ],
    ['/authors?select=name,mentor_id(name)&id=eq.2', [{ name: 'Bob', mentor_id: { name: 'Ada' } }]],
  ])('%s', async (path, expected) => {
    expect(await read(path)).toEqual(expected);
  });

  test('rows excluded by an inner embed are not counted', async () => {
    const path = '/authors?select=id,books!author_id!inner(id)&limit=1';
    expect(await call('GET', path, { prefer: 'count=exact' })).toMatchObject({
      status: 206,
      range: '0-0/2',
    });
  });

  test('an ambiguous embed lists each relationship and its hint', async () => {
    expect(await call('GET', '/books?select=authors(name)')).toMatchObject({
      status: 300,
      body: {
        code: 'PGRST201',
        message: expect.stringContaining(`'books' and 'authors'`),
        details: [
          {
            cardinality: 'many-to-one',
            embedding: 'books with authors',
            relationship: 'books_author_id_fkey using books(author_id) and authors(id)',
          },
          {
            cardinality: 'many-to-one',
            embedding: 'books with authors',
            relationship: 'books_editor using books(editor_id) and authors(id)',
          },
        ],
        hint: expect.stringContaining(`'authors!books_author_id_fkey', 'authors!books_editor'`),
      },
    });
  });

  test('a table with two references to itself is ambiguous without a column hint', async () => {
    await library.database.pool.query(
      `create table public.people (id int primary key, mother int references public.people (id), father int references public.people (id));
       insert into public.people values (1, null, null), (2, 1, null), (3, null, 1);
       grant select on public.people to authenticated`,
    );
    library.advance(2_100);
    const { status, body } = await call('GET', '/people?select=id,people(id)');
    expect({ status, body }).toMatchObject({
      status: 300,
      body: {
        code: 'PGRST201',
        details: [
          {
            cardinality: 'one-to-many',
            relationship: 'people_father_fkey using people(id) and people(father)',
          },
          {
            cardinality: 'one-to-many',
            relationship: 'people_mother_fkey using people(id) and people(mother)',
          },
        ],
        hint: expect.stringContaining(`'people!people_father_fkey', 'people!people_mother_fkey'`),
      },
    });
    expect(await read('/people?select=people!father(id)&id=eq.1')).toEqual([{ people: [{ id: 3 }] }]);
    expect(await read('/people?select=people!people_mother_fkey(id)&id=eq.1')).toEqual([
      { people: [{ id: 2 }] },
    ]);
    expect(await read('/people?select=mother(id)&id=eq.2')).toEqual([{ mother: { id: 1 } }]);
  });

  test.each([
    ['/books?select=authors(name)', 300, 'PGRST201'],
    ['/books?select=mottos(text)', 400, 'PGRST200'],
    ['/books?select=authors!nope(name)', 400, 'PGRST200'],
    ['/authors?select=...books!author_id(id)', 400, 'PGRST119'],
    ['/books?select=id&authors.name=eq.Ada', 400, 'PGRST108'],
    ['/books?select=id&order=authors(name)', 400, 'PGRST108'],
    ['/authors?select=id,books!author_id(id)&order=books(id)', 400, 'PGRST118'],
    ['/books?select=genres(nope)', 400, '42703'],
    [`/authors?select=${'mottos(text),'.repeat(31)}id`, 400, 'PGRST100'],
  ])('%s is refused with %i %s', async (path, status, code) => {
    expect(await call('GET', path)).toMatchObject({ status, body: { code } });
  });
});
