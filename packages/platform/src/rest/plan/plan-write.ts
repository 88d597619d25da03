import type { MediaType, Preferences } from '../query/headers.ts';
import type { Payload } from '../query/payload.ts';
import type { RequestQuery, SelectItem } from '../query/request-query.ts';
import { RestError, unreadable } from '../rest-error.ts';
import type { Column, DatabaseSchema, Relation } from '../database-schema.ts';
import { answerSelect, bodyText } from './answer-text.ts';
import { conditionText, identifier, qualified, type Statement, textLiteral, Values } from './expressions.ts';
import { relationOf, selectText } from './plan-read.ts';
import { ReadWriter } from './read-parts.ts';
import { findRelationship } from './relationships.ts';

interface WriteRequest {
  schema: DatabaseSchema;
  table: string;
  query: RequestQuery;
  media: MediaType;
  preferences: Preferences;
  maxBytes: number;
}

/** Whether a written row is new: the system column reveals it for an upsert. */
const isNew = '"row is new"';

/** Statement of a POST on a table; undefined if there is nothing to insert. */
export function planInsert(request: WriteRequest, payload: Payload): Statement | undefined {
  const { schema, query, preferences } = request;
  const relation = relationOf(schema, request.table);
  const columns = payloadColumns(relation, query.columns ?? payload.keys);
  const values = new Values();
  if (payload.length === 0) return undefined;
  if (columns.length === 0 && payload.length > 1) {
    throw new RestError(400, 'PGRST102', 'Rows without any column can only be inserted one by one');
  }
  const names = columns.map(({ name }) => identifier(name)).join(', ');
  const rows =
    columns.length === 0
      ? 'default values'
      : `(${names}) select ${names} from ${payloadRows(columns, values.bind(payload.text), preferences.missing === 'default')}`;
  const conflict = conflictText(relation, columns, query.onConflict, preferences.resolution);
  const merges = conflict.includes('do update');
  const text = `insert into ${qualified(relation)} as "target" ${rows} ${conflict}`;
  return withAnswer(request, relation, text, values, merges);
}

/** Statement of a PATCH. Throws RestError 21000 without a filter. */
export function planUpdate(request: WriteRequest, payload: Payload): Statement | undefined {
  const { schema, query } = request;
  const relation = relationOf(schema, request.table);
  if (payload.length !== 1) {
    throw new RestError(400, 'PGRST102', 'An update takes one object with the new values');
  }
  const columns = payloadColumns(relation, query.columns ?? payload.keys);
  const values = new Values();
  const where = whereText('UPDATE', request, relation, values);
  if (columns.length === 0) return undefined;
  const set = columns.map(({ name }) => `${identifier(name)} = "body".${identifier(name)}`).join(', ');
  const rows = payloadRows(columns, values.bind(payload.text), false);
  const text = `update ${qualified(relation)} as "target" set ${set} from ${rows} where ${where}`;
  return withAnswer(request, relation, text, values, false);
}

/** Statement of a DELETE. Throws RestError 21000 without a filter. */
export function planDelete(request: WriteRequest): Statement {
  const relation = relationOf(request.schema, request.table);
  const values = new Values();
  const where = whereText('DELETE', request, relation, values);
  return withAnswer(
    request,
    relation,
    `delete from ${qualified(relation)} as "target" where ${where}`,
    values,
    false,
  );
}

function payloadColumns(relation: Relation, names: readonly string[]): Column[] {
  return names.map((name) => {
    const column = relation.columns.get(name);
    if (column) return column;
    throw new RestError(
      400,
      'PGRST204',
      `Could not find the '${name.slice(0, 200)}' column of '${relation.name}' in the schema cache`,
    );
  });
}

/** Rows of the payload as `"body"`, each value parsed as its column's type. */
function payloadRows(columns: readonly Column[], payload: string, withDefaults: boolean): string {
  const types = columns.map(({ name, type }) => `${identifier(name)} ${type}`).join(', ');
  const defaults = columns.filter(({ defaultExpression }) => defaultExpression !== null);
  if (!withDefaults || defaults.length === 0) {
    return `json_to_recordset(${payload}::json) as "body"(${types})`;
  }
  const defaultPairs = defaults.map(
    ({ name, defaultExpression }) => `${textLiteral(name)}, ${defaultExpression!}`,
  );
  // The defaults of each row are computed for it alone; what the row gives goes before.
  return (
    `jsonb_array_elements(${payload}::jsonb) as "given"("row"), ` +
    `lateral jsonb_to_record(jsonb_build_object(${defaultPairs.join(', ')}) || "given"."row") as "body"(${types})`
  );
}

function conflictText(
  relation: Relation,
  columns: readonly Column[],
  onConflict: readonly string[] | undefined,
  resolution: Preferences['resolution'],
): string {
  if (resolution === undefined) return '';
  const target = onConflict ?? relation.primaryKey;
  for (const name of target) {
    if (!relation.columns.has(name)) {
      throw new RestError(400, '42703', `column ${relation.name}.${name} does not exist`);
    }
  }
  // Without a key there are no duplicates.
  if (target.length === 0) return '';
  const on = `on conflict (${target.map(identifier).join(', ')})`;
  if (resolution === 'ignore-duplicates' || columns.length === 0) return `${on} do nothing`;
  const others = columns.filter(({ name }) => !target.includes(name));
  const set = (others.length > 0 ? others : columns).map(
    ({ name }) => `${identifier(name)} = excluded.${identifier(name)}`,
  );
  return `${on} do update set ${set.join(', ')}`;
}

function whereText(verb: string, { query }: WriteRequest, relation: Relation, values: Values): string {
  const scope = query.scopes.get('');
  if (scope && (scope.limit !== undefined || scope.offset > 0)) {
    throw unreadable('limit', String(scope.limit ?? scope.offset), `${verb} takes no limit and no offset`);
  }
  if (!scope || scope.conditions.length === 0) {
    throw new RestError(400, '21000', `${verb} requires a WHERE clause`, {
      hint: 'Add a filter that selects the rows.',
    });
  }
  const source = { name: relation.name, alias: 'target', columns: relation.columns };
  return scope.conditions.map((each) => conditionText(each, source, values)).join(' and ');
}

function withAnswer(
  request: WriteRequest,
  relation: Relation,
  write: string,
  values: Values,
  merges: boolean,
): Statement {
  const { schema, query, media, preferences, maxBytes } = request;
  const represents = preferences.return === 'representation';
  const located = preferences.return === 'headers-only' ? relation.primaryKey : [];
  const returned = represents ? neededColumns(schema, relation, query) : located;
  const returning = [
    ...returned.map((name) => `"target".${identifier(name)}`),
    ...(merges ? [`"target".xmax = 0 as ${isNew}`] : []),
  ];
  // Without a column no read permission is needed: a constant is returned.
  const source = `"source" as (${write} returning ${returning.length > 0 ? returning.join(', ') : '1'})`;
  const inserted = merges ? `(select count(*)::int from "source" where ${isNew})` : 'null::int';
  const total = preferences.count === undefined ? 'null::int' : '"page"';
  if (!represents) {
    for (const key of query.scopes.keys()) {
      if (key !== '') throw unreadable('filter', key, 'related tables have a part in returned rows only');
    }
    const body =
      located.length > 0
        ? `(json_agg(json_build_object(${located.map((name) => `${textLiteral(name)}, "r".${identifier(name)}`).join(', ')})) -> 0)::text`
        : undefined;
    return {
      text: answerSelect({
        source,
        // Only keys, which an index keeps short.
        sizes: 'select 0 as "bytes" from "source"',
        body,
        total,
        inserted,
        from: '"source" as "r"',
        maxBytes,
      }),
      values: values.list,
    };
  }
  const parts = (measures: boolean) =>
    new ReadWriter({ schema, query, values, maxRows: Number.MAX_SAFE_INTEGER, measures }).root(
      {
        table: relation.name,
        name: relation.name,
        columns: relation.columns,
        text: '"source"',
        namedColumns: true,
      },
      { filtered: false, capped: false },
    );
  const sizes = parts(true);
  const rows = parts(false);
  return {
    text: answerSelect({
      source,
      sizes: selectText(sizes),
      body: bodyText(media, rows.names),
      total,
      inserted,
      from: `(${selectText(rows)}) as "r"`,
      maxBytes,
    }),
    values: values.list,
  };
}

/** Columns of the written table that the response reads: a caller may have access to those alone. */
function neededColumns(schema: DatabaseSchema, relation: Relation, query: RequestQuery): string[] {
  const needed = new Set<string>();
  const read = (item: SelectItem): void => {
    if (item.kind === 'all') for (const name of relation.columns.keys()) needed.add(name);
    else if (item.kind === 'column') needed.add(item.field.name);
    else for (const [name] of findRelationship(schema, relation.name, item).join) needed.add(name);
  };
  query.select.forEach(read);
  for (const term of query.scopes.get('')?.order ?? []) {
    if (term.relation === undefined) needed.add(term.field.name);
  }
  for (const name of needed) {
    if (!relation.columns.has(name)) {
      throw new RestError(400, '42703', `column ${relation.name}.${name} does not exist`);
    }
  }
  return [...needed];
}
