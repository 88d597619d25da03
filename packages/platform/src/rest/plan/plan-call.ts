import type { MediaType } from '../query/headers.ts';
import type { RequestQuery } from '../query/request-query.ts';
import { RestError } from '../rest-error.ts';
import type { DatabaseSchema, Routine } from '../database-schema.ts';
import { answerSelect, bodyText } from './answer-text.ts';
import { selectText, totalText } from './plan-read.ts';
import { ReadWriter } from './read-parts.ts';
import { identifier, qualified, type Statement, Values } from './expressions.ts';

export type CallArguments =
  | { kind: 'json'; text: string; keys: readonly string[] }
  | { kind: 'texts'; texts: ReadonlyMap<string, string> };

interface CallRequest {
  schema: DatabaseSchema;
  routine: Routine;
  callArguments: CallArguments;
  query: RequestQuery;
  media: MediaType;
  withBody: boolean;
  withTotal: boolean;
  maxRows: number;
  maxBytes: number;
}

/** Function of that name that takes exactly these arguments. Throws RestError PGRST202 or PGRST203. */
export function routineFor(schema: DatabaseSchema, name: string, keys: readonly string[]): Routine {
  const fitting = (schema.routines.get(name) ?? []).filter(
    (routine) =>
      keys.every((key) => routine.arguments.some((argument) => argument.name === key)) &&
      routine.arguments.every((argument) => !argument.required || keys.includes(argument.name)),
  );
  const [routine, ...others] = fitting;
  const signature = `${schema.name}.${name.slice(0, 200)}(${keys.join(', ').slice(0, 200)})`;
  if (!routine) {
    throw new RestError(404, 'PGRST202', `Could not find the function ${signature} in the schema cache`);
  }
  if (others.length > 0) {
    throw new RestError(300, 'PGRST203', `Could not choose the best candidate function for ${signature}`, {
      hint: 'Functions of one name must differ in the names of their arguments.',
    });
  }
  return routine;
}

/** Names of arguments of any function of that name: other parameters of a GET are filters. */
export function argumentNames(schema: DatabaseSchema, name: string): ReadonlySet<string> {
  return new Set(
    (schema.routines.get(name) ?? []).flatMap((routine) =>
      routine.arguments.map((argument) => argument.name),
    ),
  );
}

export function planCall(request: CallRequest): Statement {
  const { schema, routine, query, media, maxRows, maxBytes } = request;
  const values = new Values();
  const call = callText(routine, request.callArguments, values);
  if (routine.returns !== 'rows') return { text: valueAnswer(request, call, values), values: values.list };
  const parts = (measures: boolean) =>
    new ReadWriter({ schema, query, values, maxRows, measures }).root({
      table: routine.table ?? undefined,
      name: routine.name,
      columns: routine.columns,
      text: '"called"',
    });
  const sizes = parts(true);
  const rows = request.withBody ? parts(false) : undefined;
  const one = !routine.returnsSet && media.form === 'array';
  return {
    text: answerSelect({
      // Called once, even with counts and embeds.
      source: `"called" as materialized (select * from ${call})`,
      sizes: selectText(sizes),
      body: rows ? bodyText(one ? { ...media, form: 'object' } : media, rows.names) : undefined,
      ...(request.withTotal && { total: totalText(sizes) }),
      from: rows ? `(${selectText(rows)}) as "r"` : '"called" as "r"',
      maxBytes,
    }),
    values: values.list,
  };
}

function valueAnswer({ routine, query, ...request }: CallRequest, call: string, values: Values): string {
  const { maxRows, maxBytes } = request;
  const list = `coalesce(json_agg("r"."value")`;
  // A function without a result is still called once, for its row is counted.
  const one = routine.returns === 'void' ? undefined : `${list} -> 0, 'null')::text`;
  const limit = Math.min(query.scopes.get('')?.limit ?? maxRows, maxRows);
  const from = `(select "value" from "called"${routine.returnsSet ? ` limit ${values.bind(limit)}` : ''}) as "r"`;
  const length = routine.returns === 'void' ? '0' : `coalesce(octet_length("value"::text), 4)`;
  return answerSelect({
    source: `"called"("value") as materialized (select * from ${call} as "f"("value"))`,
    sizes: `select ${length} as "bytes" from ${from}`,
    body: routine.returnsSet ? `${list}, '[]')::text` : one,
    ...(request.withTotal && { total: `(select count(*)::int from "called")` }),
    from,
    maxBytes,
  });
}

function callText(routine: Routine, callArguments: CallArguments, values: Values): string {
  const keys = callArguments.kind === 'json' ? callArguments.keys : [...callArguments.texts.keys()];
  const named = routine.arguments.filter(({ name }) => keys.includes(name));
  if (callArguments.kind === 'texts') {
    const texts = named.map(
      ({ name, type }) =>
        // Two casts: the text is read by the type, and the parameter is a text for everybody.
        `${identifier(name)} => ${values.bind(callArguments.texts.get(name)!)}::text::${type}`,
    );
    return `${qualified(routine)}(${texts.join(', ')})`;
  }
  if (named.length === 0) return `${qualified(routine)}()`;
  const payload = values.bind(callArguments.text);
  const types = named.map(({ name, type }) => `${identifier(name)} ${type}`).join(', ');
  const from = `json_to_record(${payload}::json) as "body"(${types})`;
  return `${qualified(routine)}(${named
    .map(({ name }) => `${identifier(name)} => (select "body".${identifier(name)} from ${from})`)
    .join(', ')})`;
}
