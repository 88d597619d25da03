import { scopeKey } from '../query/parse-query.ts';
import type {
  OrderTerm,
  RequestQuery,
  Scope,
  SelectColumn,
  SelectEmbed,
  SelectItem,
  Test,
} from '../query/request-query.ts';
import { RestError } from '../rest-error.ts';
import type { Column, DatabaseSchema } from '../database-schema.ts';
import {
  castType,
  columnExpression,
  type Source,
  conditionText,
  identifier,
  qualified,
  type Values,
} from './expressions.ts';
import { findRelationship, type Relationship } from './relationships.ts';
import { RowSizes } from './answer-text.ts';

interface ReadFrom {
  /** Name in the schema, for relationships; undefined if the rows belong to no table. */
  table: string | undefined;
  name: string;
  columns: ReadonlyMap<string, Column>;
  text: string;
  /** List every column for `*`: there are others that are not part of the response. */
  namedColumns?: boolean;
}

/** Parts of one select, so that rows and their total use the same conditions. */
export interface ReadParts {
  list: string;
  names: readonly string[];
  from: string;
  where: string;
  tail: string;
}

export interface ReadOptions {
  schema: DatabaseSchema;
  query: RequestQuery;
  values: Values;
  /** Maximum number of rows, also of embedded ones. */
  maxRows: number;
  /** Return only each row's approximate size as JSON, as `"bytes"`, without building anything long. */
  measures?: boolean;
}

interface Level {
  from: ReadFrom;
  items: readonly SelectItem[];
  path: readonly string[];
  where: readonly string[];
  /** Whether conditions and limits of the request apply here; when written rows are read back, they already have. */
  filtered: boolean;
  capped: boolean;
}

/** Writes the select of a request: pure, so that tests compare its text. */
export class ReadWriter {
  readonly #options: ReadOptions;
  readonly #usedScopes = new Set<string>();
  #aliases = 0;

  constructor(options: ReadOptions) {
    this.#options = options;
  }

  /** Select of the request's own table. Throws RestError if names do not fit the schema. */
  root(
    from: ReadFrom,
    { filtered, capped }: { filtered: boolean; capped: boolean } = {
      filtered: true,
      capped: true,
    },
  ): ReadParts {
    const { query } = this.#options;
    const parts = this.#parts({ from, items: query.select, path: [], where: [], filtered, capped });
    for (const key of query.scopes.keys()) {
      if (this.#usedScopes.has(key)) continue;
      const name = key.split(scopeKey(['', '']))[0]!;
      throw new RestError(400, 'PGRST108', `'${name}' is not an embedded resource in this request`, {
        hint: `Verify that '${name}' is included in the 'select' query parameter.`,
      });
    }
    return parts;
  }

  #parts(level: Level): ReadParts {
    const { values } = this.#options;
    const { from, path } = level;
    const source: Source = { name: from.name, alias: this.#alias(), columns: from.columns };
    const scope = this.#scope(path);
    const list: string[] = [];
    const names: string[] = [];
    const joins: string[] = [];
    const sizes = new RowSizes(source);
    const embedded = new Map<string, { isMissing: string; relationship: Relationship }>();
    const add = (text: string, name: string) => {
      list.push(`${text} as ${identifier(name)}`);
      names.push(name);
    };

    for (const item of level.items) {
      if (item.kind === 'all') {
        const columns = [...source.columns.keys()].map(
          (name) => `${identifier(source.alias)}.${identifier(name)}`,
        );
        // Else the star itself, so that a column the cache has not seen yet is there as well.
        list.push(...(from.namedColumns ? columns : [`${identifier(source.alias)}.*`]));
        names.push(...source.columns.keys());
        for (const name of source.columns.keys()) sizes.addColumn(name);
      } else if (item.kind === 'column') {
        const last = item.field.path.findLast(({ key }) => typeof key === 'string');
        const name = item.alias ?? (last ? String(last.key) : item.field.name);
        const counted = isCount(item, source) ? `count(${identifier(source.alias)}.*)` : undefined;
        if (this.#options.measures) {
          names.push(name);
          // A JSON path result is no longer than the value.
          if (counted === undefined) sizes.addColumn(item.field.name);
          else sizes.add(`${counted} * 0 + 20`);
          continue;
        }
        const text = counted ?? columnExpression(source, item.field, values);
        add(item.cast === undefined ? text : `cast(${text} as ${castType(item.cast)})`, name);
      } else {
        const joined = this.#embed(item, source, level);
        joins.push(joined.join);
        for (const [name, text] of joined.outputs) add(text, name);
        if (joined.outputs.length > 0) sizes.add(`coalesce(${joined.bytes}, 0)`);
        const entry = { isMissing: joined.isMissing, relationship: joined.relationship };
        embedded.set(item.alias ?? item.target, entry);
        if (!embedded.has(item.target)) embedded.set(item.target, entry);
      }
    }

    const where = [...level.where];
    if (level.filtered) {
      const special = ({ name, path: steps }: { name: string; path: readonly unknown[] }, test: Test) =>
        steps.length === 0 && test.kind === 'is' && !source.columns.has(name)
          ? missingText(embedded.get(name)?.isMissing, test.value)
          : undefined;
      where.push(...scope.conditions.map((each) => conditionText(each, source, values, special)));
    }
    return {
      list: this.#options.measures ? `${sizes.text(names)} as "bytes"` : list.join(', '),
      names,
      from: [`${from.text} as ${identifier(source.alias)}`, ...joins].join(' '),
      where: where.length === 0 ? '' : `where ${where.join(' and ')}`,
      tail: this.#tail(scope, source, level, embedded),
    };
  }

  #tail(
    scope: Scope,
    source: Source,
    level: Level,
    embedded: ReadonlyMap<string, { relationship: Relationship }>,
  ): string {
    const { maxRows, values } = this.#options;
    const order = scope.order.map((term) => {
      const text =
        term.relation === undefined
          ? columnExpression(source, term.field, values)
          : this.#relatedColumn(term, source, embedded.get(term.relation)?.relationship);
      return `${text}${term.descending ? ' desc' : ' asc'}${term.nulls ? ` nulls ${term.nulls}` : ''}`;
    });
    const limit = level.capped ? Math.min(scope.limit ?? maxRows, maxRows) : scope.limit;
    return [
      order.length > 0 ? `order by ${order.join(', ')}` : '',
      limit === undefined ? '' : `limit ${values.bind(limit)}`,
      scope.offset > 0 ? `offset ${values.bind(scope.offset)}` : '',
    ]
      .filter((text) => text !== '')
      .join(' ');
  }

  #embed(item: SelectEmbed, parent: Source, level: Level) {
    const { schema } = this.#options;
    if (level.from.table === undefined) {
      throw new RestError(
        400,
        'PGRST200',
        `Could not find a relationship between '${level.from.name}' and '${item.target}' in the schema cache`,
      );
    }
    const relationship = findRelationship(schema, level.from.table, item);
    const name = item.alias ?? item.target;
    const { target, toOne, through } = relationship;
    if (item.spread && !toOne) {
      throw new RestError(400, 'PGRST119', `A spread operation on '${item.target}' is not possible`, {
        details: `'${level.from.name}' and '${item.target}' do not form a many-to-one or one-to-one relationship`,
      });
    }
    const key = scopeKey([...level.path, name]);
    const byTarget = scopeKey([...level.path, item.target]);
    const { query } = this.#options;
    const path = [...level.path, query.scopes.has(key) || !query.scopes.has(byTarget) ? name : item.target];
    const rows = this.#alias();
    // The target's alias is the next one to be made, so the way to it can be written before it.
    const targetAlias = this.#nextAlias();
    const on = (left: string, right: string, join: Relationship['join']) =>
      join.map(([a, b]) => `${identifier(left)}.${identifier(a)} = ${identifier(right)}.${identifier(b)}`);
    const where: string[] = [];
    if (through) {
      const between = `${rows}_through`;
      where.push(
        `exists (select from ${qualified(through.relation)} as ${identifier(between)} where ${[
          ...on(parent.alias, between, relationship.join),
          ...on(between, targetAlias, through.join),
        ].join(' and ')})`,
      );
    } else where.push(...on(parent.alias, targetAlias, relationship.join));
    const parts = this.#parts({
      from: { table: target.name, name: target.name, columns: target.columns, text: qualified(target) },
      items: item.items,
      path,
      where,
      filtered: true,
      capped: true,
    });
    const select = `select ${parts.list} from ${parts.from} ${parts.where} ${parts.tail}`;
    const alias = identifier(rows);
    const kind = item.inner ? 'join' : 'left join';
    if (toOne) {
      const outputs: [string, string][] = item.spread
        ? parts.names.map((output) => [output, `${alias}.${identifier(output)}`])
        : [[name, `row_to_json(${alias}.*)`]];
      return {
        relationship,
        join: `${kind} lateral (${select}) as ${alias} on true`,
        isMissing: `${alias} is not distinct from null`,
        bytes: `${alias}."bytes"`,
        // A row without columns is only a condition.
        outputs: item.items.length === 0 ? [] : outputs,
      };
    }
    const output = this.#options.measures
      ? `sum("row"."bytes") as "bytes"`
      : `coalesce(json_agg("row".*), '[]') as "list"`;
    const list = `select ${output}, count(*) as "length" from (${select}) as "row"`;
    return {
      relationship,
      join: `${kind} lateral (${list}) as ${alias} on ${item.inner ? `${alias}."length" > 0` : 'true'}`,
      isMissing: `${alias}."length" = 0`,
      bytes: `${alias}."bytes"`,
      outputs: item.items.length === 0 ? [] : ([[name, `${alias}."list"`]] as [string, string][]),
    };
  }

  #relatedColumn(term: OrderTerm, parent: Source, relationship: Relationship | undefined): string {
    if (!relationship) {
      throw new RestError(400, 'PGRST108', `'${term.relation}' is not an embedded resource in this request`, {
        hint: `Verify that '${term.relation}' is included in the 'select' query parameter.`,
      });
    }
    const { target, toOne, join } = relationship;
    if (!toOne) {
      throw new RestError(400, 'PGRST118', `A related order on '${term.relation}' is not possible`, {
        details: `'${parent.name}' and '${term.relation}' do not form a many-to-one or one-to-one relationship`,
      });
    }
    const alias = this.#alias();
    const source: Source = { name: target.name, alias, columns: target.columns };
    const on = join.map(
      ([a, b]) => `${identifier(parent.alias)}.${identifier(a)} = ${identifier(alias)}.${identifier(b)}`,
    );
    const text = columnExpression(source, term.field, this.#options.values);
    return `(select ${text} from ${qualified(target)} as ${identifier(alias)} where ${on.join(' and ')} limit 1)`;
  }

  #scope(path: readonly string[]): Scope {
    const key = scopeKey(path);
    this.#usedScopes.add(key);
    return this.#options.query.scopes.get(key) ?? { conditions: [], order: [], limit: undefined, offset: 0 };
  }

  #alias(): string {
    return `t${(this.#aliases += 1)}`;
  }

  #nextAlias(): string {
    return `t${this.#aliases + 1}`;
  }
}

/** `related(count)`: the number of related rows, unless a column has that name. */
function isCount({ field }: SelectColumn, source: Source): boolean {
  return field.name === 'count' && field.path.length === 0 && !source.columns.has('count');
}

function missingText(isMissing: string | undefined, value: string): string | undefined {
  if (isMissing === undefined) return undefined;
  if (value === 'null') return isMissing;
  return value === 'not null' ? `not (${isMissing})` : undefined;
}
