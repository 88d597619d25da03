import type { MediaType } from '../query/media-type.ts';
import type { RequestQuery } from '../query/request-query.ts';
import { RestError } from '../rest-error.ts';
import type { DatabaseSchema, Relation } from '../schema/database-schema.ts';
import { answerSelect, bodyText } from './answer-text.ts';
import { type ReadParts, ReadWriter } from './read-parts.ts';
import { qualified, type Statement, Values } from './statement.ts';

export interface ReadRequest {
  readonly schema: DatabaseSchema;
  readonly table: string;
  readonly query: RequestQuery;
  readonly media: MediaType;
  /** False for HEAD. */
  readonly withBody: boolean;
  readonly withTotal: boolean;
  readonly maxRows: number;
  readonly maxBytes: number;
}

/** Throws RestError PGRST205. */
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

/** The one statement of a GET or HEAD on a table. Its result is an `AnswerRow`. */
export function planRead(request: ReadRequest): Statement {
  const { schema, query, media, maxRows } = request;
  const relation = relationOf(schema, request.table);
  const values = new Values();
  const writer = new ReadWriter({ schema, query, values, maxRows });
  const parts = writer.root({
    table: relation.name,
    name: relation.name,
    columns: relation.columns,
    text: qualified(relation),
  });
  return {
    text: answerSelect({
      body: request.withBody ? bodyText(media, parts.names) : 'null',
      ...(request.withTotal && { total: totalText(parts) }),
      from: `(select ${parts.list} from ${parts.from} ${parts.where} ${parts.tail}) as "r"`,
      maxBytes: request.maxBytes,
    }),
    values: values.list,
  };
}

/** How many rows there are without limit and offset. */
export function totalText({ from, where }: ReadParts): string {
  return `(select count(*)::int from (select 1 from ${from} ${where}) as "all")`;
}
