import { expect, test } from 'vitest';
import { chooseMediaType, parsePreferences } from '../query/headers.ts';
import { parseQuery } from '../query/parse-query.ts';
import { parsePayload } from '../query/payload.ts';
import type { Column, DatabaseSchema } from '../database-schema.ts';
import { planRead } from './plan-read.ts';
import { planDelete, planInsert, planUpdate } from './plan-write.ts';

const columns = (...names: string[]): Map<string, Column> =>
  new Map(names.map((name) => [name, { name, type: 'text', baseType: 'text', defaultExpression: null }]));
const schema: DatabaseSchema = {
  name: 'public',
  relations: new Map([
    [
      'books',
      { schema: 'public', name: 'books', columns: columns('id', 'title'), primaryKey: ['id'], isTable: true },
    ],
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
    withTotal: true,
    maxRows: 1000,
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

test('a read is measured first, with the same conditions, order and limit', () => {
  const where = `from "public"."books" as "t1" where ("t1"."id" = $1)`;
  const tail = `order by "t1"."title" desc limit $2 offset $3`;
  const values = ['7', 5, 2];
  expect(read('select=n:title&id=eq.7&order=title.desc&limit=5&offset=2')).toEqual({
    measure: {
      text:
        `select count(*)::int as "page", (select count(*)::int from (select 1 ${where}) as "all") as "total", ` +
        `coalesce(json_agg("bytes"), '[]') as "sizes" from ` +
        `(select 13::int8 + 1::int8 * coalesce(octet_length("t1"."title"), 4) as "bytes" ${where} ${tail}) as "sizes"`,
      values,
    },
    body: {
      text: `select coalesce(json_agg("r".*), '[]')::text as "body" from (select "t1"."title" as "n" ${where} ${tail}) as "r"`,
      values,
    },
    rows: {
      text: `select row_to_json("r".*)::text as "row" from (select "t1"."title" as "n" ${where} ${tail}) as "r"`,
      values,
    },
    frame: { head: '[', between: ', \n ', tail: ']' },
    slices: {
      permission: {
        text: `select has_table_privilege($1, 'select') as "mayBe"`,
        values: ['"public"."books"'],
      },
      places: {
        text: `select coalesce(json_agg("at"), '[]') as "places" from (select "t1".ctid as "at" ${where} ${tail}) as "r"`,
        values,
      },
      rowsAt: expect.any(Function),
    },
  });
  expect(read('select=n:title&id=eq.7&order=title.desc&limit=5').slices!.rowsAt(['(0,2)', '(0,1)'])).toEqual({
    text:
      `select row_to_json("r".*)::text as "row" from (select "t1"."title" as "n" from "public"."books" as "t1" ` +
      `where "t1".ctid = any ($1::tid[]) order by array_position($1::tid[], "t1".ctid)) as "r"`,
    values: [['(0,2)', '(0,1)']],
  });
  expect(read('limit=5000').rows.values).toEqual([1000]);
});

test('a column under many names is measured once', () => {
  const { measure } = read('select=title,a:title,b:title::text,c:title->x');
  expect(measure.text.match(/octet_length/g)).toHaveLength(1);
  expect(measure.text).toContain('4::int8 * coalesce(octet_length("t1"."title"), 4)');
  // A value that nothing refers to would be refused by the database.
  expect(measure.values).toEqual([1000]);
});

test('an insert that returns nothing reads no column', () => {
  expect(planInsert(write(''), payload({ id: '1', title: 'x' }))).toEqual({
    text:
      `with "source" as (insert into "public"."books" as "target" ("id", "title") select "id", "title" ` +
      `from json_to_recordset($1::json) as "body"("id" text, "title" text)  returning 1)` +
      `, "measured" as materialized (select count(*)::int as "page", coalesce(sum("bytes"), 0) as "bytes" ` +
      `from (select 0 as "bytes" from "source") as "sizes") ` +
      `select case when octet_length("body") <= 99 then "body" end as "body", "page", "total", "inserted", ` +
      `"bytes" > 99 or coalesce(octet_length("body") > 99, false) as "oversized" from (select null::text as "body", ` +
      `"page", "bytes", null::int as "total", null::int as "inserted" from "measured" offset 0) as "answer"`,
    values: ['[{"id":"1","title":"x"}]'],
  });
});

test('an update reads only the columns it returns', () => {
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

/** Injection attempts: texts that would act as more than a value or name if any reached a statement. */
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

test.each(hostile)('%j never becomes part of a statement', (text) => {
  const quoted = `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  const asValue = [
    new URLSearchParams({ title: `eq.${text}` }),
    new URLSearchParams({ title: `in.(${quoted})` }),
    new URLSearchParams({ or: `(title.eq.${quoted},title.like.${quoted})` }),
    new URLSearchParams({ title: `fts.${text}` }),
  ].map((parameters) => read(parameters.toString()).rows);
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
    const queryText = new URLSearchParams(parameters as Record<string, string>).toString();
    expect(() => {
      read(queryText);
      planInsert(write(queryText, 'resolution=merge-duplicates'), payload({ id: '1', title: 'x' }));
      throw new Error('was planned');
    }).toThrowError(expect.objectContaining({ name: 'RestError' }));
  }
  expect(() => planInsert(write(''), payload({ [text]: 1 }))).toThrowError(
    expect.objectContaining({ code: 'PGRST204' }),
  );
});

test('aliases are the only names from the caller, and are quoted', () => {
  const { rows: statement } = read(
    new URLSearchParams({ select: String.raw`"a\"; drop table books; --":title` }).toString(),
  );
  expect(statement.text).toContain(`"t1"."title" as "a""; drop table books; --"`);
});

test('a key of a JSON path is a value', () => {
  const { rows: statement } = read(`select=${encodeURIComponent(`title->"a'b"->>0`)}`);
  expect(statement.text).toContain('to_jsonb("t1"."title")->$1::text->>(0) as "a\'b"');
  expect(statement.values[0]).toBe(`a'b`);
});

test('nothing is deleted without a filter', () => {
  expect(() => planDelete(write(''))).toThrowError(expect.objectContaining({ code: '21000' }));
});
