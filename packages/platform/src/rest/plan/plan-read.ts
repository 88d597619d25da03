import type { MediaType } from '../query/headers.ts';
import type { RequestQuery } from '../query/request-query.ts';
import { RestError } from '../rest-error.ts';
import type { DatabaseSchema, Relation } from '../database-schema.ts';
import { bodyText, type Frame, frameOf, rowText } from './answer-text.ts';
import { type ReadParts, ReadWriter } from './read-parts.ts';
import { qualified, type Statement, Values } from './expressions.ts';

interface ReadRequest {
  schema: DatabaseSchema;
  table: string;
  query: RequestQuery;
  media: MediaType;
  withTotal: boolean;
  maxRows: number;
}

export interface Measured {
  page: number;
  /** Rows without limit and offset; null if not counted. */
  total: number | null;
  /** Approximate bytes of each row, in order. */
  sizes: readonly number[];
}

export interface ReadPlan {
  /** Its result is a `Measured`. */
  measure: Statement;
  /** Returns a short body as a whole, as `"body"`. */
  body: Statement;
  /** Returns the text of each row of a long body, as `"row"`. */
  rows: Statement;
  frame: Frame;
  /** Present if the rows are those of one table, and the response contains nothing else. */
  slices?: Slices;
}

/** Continues a read in later transactions by the storage place of its rows, so that each is the version first seen. */
export interface Slices {
  /** Returns as `"mayBe"` whether the caller may read places. */
  permission: Statement;
  /** Returns as `"places"` the places of the rows, in order. */
  places: Statement;
  /** Returns the text of the rows at places as `"row"`, in order; rows changed since are missing. */
  rowsAt(places: readonly string[]): Statement;
}

/** Throws RestError PGRST205 for an unknown table. */
export function relationOf(schema: DatabaseSchema, table: string): Relation {
  const relation = schema.relations.get(table);
  if (!relation) {
    throw new RestError(
      404,
      'PGRST205',
      `Could not find the table '${schema.name}.${table.slice(0, 200)}' in the schema cache`,
    );
  }
  return relation;
}

/**
 * Statements of a GET or HEAD on a table, both of one snapshot: first the number and sizes of the rows, then the rows,
 * so that a response that is too large is only measured.
 */
export function planRead(request: ReadRequest): ReadPlan {
  const { schema, query, media, maxRows } = request;
  const relation = relationOf(schema, request.table);
  const select = (measures: boolean) => {
    const values = new Values();
    const parts = new ReadWriter({ schema, query, values, maxRows, measures }).root({
      table: relation.name,
      name: relation.name,
      columns: relation.columns,
      text: qualified(relation),
    });
    return { values: values.list, parts, text: selectText(parts) };
  };
  const sizes = select(true);
  const rows = select(false);
  const { names } = rows.parts;
  const total = request.withTotal ? totalText(sizes.parts) : 'null::int';
  return {
    measure: {
      text:
        `select count(*)::int as "page", ${total} as "total", ` +
        `coalesce(json_agg("bytes"), '[]') as "sizes" from (${sizes.text}) as "sizes"`,
      values: sizes.values,
    },
    body: {
      text: `select ${bodyText(media, names)} as "body" from (${rows.text}) as "r"`,
      values: rows.values,
    },
    rows: {
      text: `select ${rowText(media, names)} as "row" from (${rows.text}) as "r"`,
      values: rows.values,
    },
    frame: frameOf(media, names),
    ...(isOneTable(relation, query) && { slices: slicesOf(request, relation, sizes) }),
  };
}

function isOneTable({ isTable, columns }: Relation, { select }: RequestQuery): boolean {
  return (
    isTable &&
    select.every((item) => item.kind === 'all' || (item.kind === 'column' && columns.has(item.field.name)))
  );
}

function slicesOf(
  { schema, query, media, maxRows }: ReadRequest,
  relation: Relation,
  measured: { parts: ReadParts; values: readonly unknown[] },
): Slices {
  const { from, where, tail } = measured.parts;
  const table = qualified(relation);
  return {
    permission: { text: `select has_table_privilege($1, 'select') as "mayBe"`, values: [table] },
    places: {
      text: `select coalesce(json_agg("at"), '[]') as "places" from (select "t1".ctid as "at" from ${from} ${where} ${tail}) as "r"`,
      values: measured.values,
    },
    rowsAt: (places) => {
      const values = new Values();
      const unfiltered = { ...query, scopes: new Map() };
      const { list, names, ...parts } = new ReadWriter({ schema, query: unfiltered, values, maxRows }).root(
        { table: relation.name, name: relation.name, columns: relation.columns, text: table },
        { filtered: false, capped: false },
      );
      const at = values.bind(places);
      return {
        text:
          `select ${rowText(media, names)} as "row" from (select ${list} from ${parts.from} ` +
          `where "t1".ctid = any (${at}::tid[]) order by array_position(${at}::tid[], "t1".ctid)) as "r"`,
        values: values.list,
      };
    },
  };
}

export function selectText({ list, from, where, tail }: ReadParts): string {
  return `select ${list} from ${from} ${where} ${tail}`;
}

export function totalText({ from, where }: ReadParts): string {
  return `(select count(*)::int from (select 1 from ${from} ${where}) as "all")`;
}
