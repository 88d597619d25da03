import type { MediaType } from '../query/media-type.ts';
import type { RequestQuery } from '../query/request-query.ts';
import { RestError } from '../rest-error.ts';
import type { DatabaseSchema, Routine } from '../schema/database-schema.ts';
import { answerSelect, bodyText } from './answer-text.ts';
import { totalText } from './plan-read.ts';
import { ReadWriter } from './read-parts.ts';
import { identifier, qualified, type Statement, Values } from './statement.ts';

/** Arguments of a call: a JSON object, or texts of a query string. */
export type CallArguments =
  | { readonly kind: 'json'; readonly text: string; readonly keys: readonly string[] }
  | { readonly kind: 'texts'; readonly texts: ReadonlyMap<string, string> };

export interface CallRequest {
  readonly schema: DatabaseSchema;
  readonly routine: Routine;
  readonly given: CallArguments;
  readonly query: RequestQuery;
  readonly media: MediaType;
  readonly withBody: boolean;
  readonly withTotal: boolean;
  readonly maxRows: number;
  readonly maxBytes: number;
}

/** The function of that name that takes exactly these arguments. Throws RestError PGRST202 or PGRST203. */
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

/** Names that are arguments of some function of that name: the other parameters of a GET are filters. */
export function argumentNames(schema: DatabaseSchema, name: string): ReadonlySet<string> {
  return new Set(
    (schema.routines.get(name) ?? []).flatMap((routine) =>
      routine.arguments.map((argument) => argument.name),
    ),
  );
}

/** The one statement of a call. Its result is an `AnswerRow`. */
export function planCall(request: CallRequest): Statement {
  const { schema, routine, query, media, maxRows, maxBytes } = request;
  const values = new Values();
  const call = callText(routine, request.given, values);
  if (routine.returns !== 'rows') {
    const list = `coalesce(json_agg("r"."value")`;
    // A function without a result is still called once for its row.
    const one = routine.returns === 'void' ? 'null' : `${list} -> 0, 'null')::text`;
    const limit = Math.min(query.scopes.get('')?.limit ?? maxRows, maxRows);
    return {
      text: answerSelect({
        body: routine.returnsSet ? `${list}, '[]')::text` : one,
        from: `(select "value" from ${call} as "f"("value")${routine.returnsSet ? ` limit ${values.bind(limit)}` : ''}) as "r"`,
        maxBytes,
      }),
      values: values.list,
    };
  }
  const writer = new ReadWriter({ schema, query, values, maxRows });
  const parts = writer.root({
    table: routine.table ?? undefined,
    name: routine.name,
    columns: routine.columns,
    text: '"called"',
  });
  const one = !routine.returnsSet && media.form === 'array';
  return {
    text: answerSelect({
      // Called once, whatever counts and embeds read from it.
      source: `with "called" as materialized (select * from ${call}) `,
      body: request.withBody ? bodyText(one ? { ...media, form: 'object' } : media, parts.names) : 'null',
      ...(request.withTotal && { total: totalText(parts) }),
      from: `(select ${parts.list} from ${parts.from} ${parts.where} ${parts.tail}) as "r"`,
      maxBytes,
    }),
    values: values.list,
  };
}

/** Behind `from`: the function with its arguments by name. */
function callText(routine: Routine, given: CallArguments, values: Values): string {
  const keys = given.kind === 'json' ? given.keys : [...given.texts.keys()];
  const named = routine.arguments.filter(({ name }) => keys.includes(name));
  if (given.kind === 'texts') {
    const texts = named.map(
      ({ name, type }) =>
        // Two casts: the text is read by the type, and the parameter is a text for everybody.
        `${identifier(name)} => ${values.bind(given.texts.get(name)!)}::text::${type}`,
    );
    return `${qualified(routine)}(${texts.join(', ')})`;
  }
  if (named.length === 0) return `${qualified(routine)}()`;
  const payload = values.bind(given.text);
  const types = named.map(({ name, type }) => `${identifier(name)} ${type}`).join(', ');
  const from = `json_to_record(${payload}::json) as "body"(${types})`;
  return `${qualified(routine)}(${named
    .map(({ name }) => `${identifier(name)} => (select "body".${identifier(name)} from ${from})`)
    .join(', ')})`;
}
