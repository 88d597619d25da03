import { expect, test } from 'vitest';
import { chooseMediaType } from '../query/media-type.ts';
import { parseQuery } from '../query/parse-query.ts';
import { parsePayload } from '../query/payload.ts';
import { parsePreferences } from '../query/preferences.ts';
import type { Column, DatabaseSchema } from '../schema/database-schema.ts';
import { planRead } from './plan-read.ts';
import { planDelete, planInsert, planUpdate } from './plan-write.ts';

const columns = (...names: string[]): Map<string, Column> =>
  new Map(names.map((name) => [name, { name, type: 'text', baseType: 'text', defaultExpression: null }]));
const schema: DatabaseSchema = {
  name: 'public',
  relations: new Map([
    ['books', { schema: 'public', name: 'books', columns: columns('id', 'title'), primaryKey: ['id'] }],
  ]),
  foreignKeys: [],
  routines: new Map(),
};
const query = (text: string) => parseQuery(new URLSearchParams(text));
const media = chooseMediaType(undefined);
const read = (text: string) =>
  planRead({
    schema,
    table: 'books',
    query: query(text),
    media,
    withBody: true,
    withTotal: true,
    maxRows: 1000,
    maxBytes: 99,
  });
const write = (text: string, prefer = '') => ({
  schema,
  table: 'books',
  query: query(text),
  media,
  preferences: parsePreferences(prefer),
  maxBytes: 99,
});
const payload = (rows: unknown) => parsePayload(JSON.stringify(rows), { sameKeys: true });

/** The wrapping that keeps oversized bodies inside the database. */
const guarded = (answer: string) =>
  `select case when octet_length("body") <= 99 then "body" end as "body", "page", "total", "inserted", ` +
  `coalesce(octet_length("body") > 99, false) as "oversized" from (${answer}) as "answer"`;

test('a read is one statement with its total, under the cap', () => {
  expect(read('select=n:title&id=eq.7&order=title.desc&limit=5&offset=2')).toEqual({
    text: guarded(
      `select coalesce(json_agg("r".*), '[]')::text as "body", count(*)::int as "page", ` +
        `(select count(*)::int from (select 1 from "public"."books" as "t1" where ("t1"."id" = $1)) as "all") as "total", ` +
        `null::int as "inserted" from (select "t1"."title" as "n" from "public"."books" as "t1" ` +
        `where ("t1"."id" = $1) order by "t1"."title" desc limit $2 offset $3) as "r"`,
    ),
    values: ['7', 5, 2],
  });
  expect(read('limit=5000').values).toEqual([1000]);
});

test('an insert that answers nothing reads no column', () => {
  expect(planInsert(write(''), payload({ id: '1', title: 'x' }))).toEqual({
    text:
      `with "source" as (insert into "public"."books" as "target" ("id", "title") select "id", "title" ` +
      `from json_to_recordset($1::json) as "body"("id" text, "title" text)  returning 1) ` +
      guarded(
        `select null as "body", count(*)::int as "page", null::int as "total", null::int as "inserted" from "source" as "r"`,
      ),
    values: ['[{"id":"1","title":"x"}]'],
  });
});

test('a change reads no more columns than its answer', () => {
  const statement = planUpdate(
    write('id=eq.1&select=title', 'return=representation'),
    payload({ title: 'x' }),
  );
  expect(statement?.text).toContain(
    `update "public"."books" as "target" set "title" = "body"."title" ` +
      `from json_to_recordset($2::json) as "body"("title" text) where ("target"."id" = $1) returning "target"."title")`,
  );
  expect(statement?.values).toEqual(['1', '[{"title":"x"}]']);
});

/** Texts that would be more than a value or a name if any of them reached a statement. */
const hostile = [
  `'; drop table books; --`,
  `"; drop table books; --`,
  `") or true --`,
  `\\'; select pg_sleep(9); --`,
  '$1',
  '{"a"}',
  `E'\\x'`,
  'hidden/**/text',
];

test.each(hostile)('%j is never part of a statement, wherever it stands', (text) => {
  const quoted = `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  const asValue = [
    new URLSearchParams({ title: `eq.${text}` }),
    new URLSearchParams({ title: `in.(${quoted})` }),
    new URLSearchParams({ or: `(title.eq.${quoted},title.like.${quoted})` }),
    new URLSearchParams({ title: `fts.${text}` }),
  ].map((parameters) => read(parameters.toString()));
  for (const statement of asValue) {
    expect(statement.text).not.toContain(text === '$1' ? `'$1'` : text);
    expect(JSON.stringify(statement.values)).toContain(
      JSON.stringify(text)
        .slice(1, -1)
        .split(/["\\]/)
        .find((part) => part !== '') ?? '',
    );
  }
  for (const parameters of [
    { [quoted]: 'eq.1' },
    { select: quoted },
    { order: quoted },
    { select: `title::${text}` },
    { select: `${quoted}(id)` },
    { columns: quoted, id: 'eq.1' },
    { on_conflict: quoted, id: 'eq.1' },
  ]) {
    const asked = new URLSearchParams(parameters as Record<string, string>).toString();
    expect(() => {
      read(asked);
      planInsert(write(asked, 'resolution=merge-duplicates'), payload({ id: '1', title: 'x' }));
      throw new Error('was planned');
    }).toThrowError(expect.objectContaining({ name: 'RestError' }));
  }
  expect(() => planInsert(write(''), payload({ [text]: 1 }))).toThrowError(
    expect.objectContaining({ code: 'PGRST204' }),
  );
});

test('an alias is the one name that a caller makes up, and it is quoted', () => {
  const statement = read(
    new URLSearchParams({ select: String.raw`"a\"; drop table books; --":title` }).toString(),
  );
  expect(statement.text).toContain(`"t1"."title" as "a""; drop table books; --"`);
});

test('a key of a JSON path is a value', () => {
  const statement = read(`select=${encodeURIComponent(`title->"a'b"->>0`)}`);
  expect(statement.text).toContain('to_jsonb("t1"."title")->$1::text->>(0) as "a\'b"');
  expect(statement.values[0]).toBe(`a'b`);
});

test('nothing is deleted without a filter', () => {
  expect(() => planDelete(write(''))).toThrowError(expect.objectContaining({ code: '21000' }));
});
