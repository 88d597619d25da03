import type { SelectEmbed } from '../query/request-query.ts';
import { RestError } from '../rest-error.ts';
import type { DatabaseSchema, ForeignKey, Relation } from '../database-schema.ts';

export interface Relationship {
  target: Relation;
  toOne: boolean;
  /** Pairs of equal columns: of the parent, of the target (or of the junction table). */
  join: readonly (readonly [string, string])[];
  through?: { relation: Relation; join: readonly (readonly [string, string])[] };
  hints: readonly string[];
  /** Rows of the target refer to the parent row. */
  referring: boolean;
  /** For an error about several candidates, in the client's format. */
  description: {
    cardinality: 'many-to-one' | 'one-to-one' | 'one-to-many' | 'many-to-many';
    embedding: string;
    relationship: string;
  };
}

/**
 * The only relationship from `parent` to the embedding's target. Throws RestError PGRST200 for none, PGRST201 for
 * several.
 */
export function findRelationship(schema: DatabaseSchema, parent: string, embed: SelectEmbed): Relationship {
  const named = [...direct(schema, parent, embed.target), ...indirect(schema, parent, embed.target)];
  const { hint } = embed;
  const fitting = hint === undefined ? named : named.filter(({ hints }) => hints.includes(hint));
  // A table that refers to itself: by the table's name its referring rows are meant, by the column's the one referred to.
  const chosen =
    embed.target === parent ? fitting.filter(({ referring, through }) => referring || through) : fitting;
  const [match, ...others] = chosen;
  if (!match) {
    throw new RestError(
      400,
      'PGRST200',
      `Could not find a relationship between '${parent}' and '${embed.target}' in the schema cache`,
      {
        details: `No foreign key leads from '${parent}' to '${embed.target}'${hint ? ` by '${hint}'` : ''}.`,
      },
    );
  }
  if (others.length > 0) {
    throw new RestError(
      300,
      'PGRST201',
      `Could not embed because more than one relationship was found for '${parent}' and '${embed.target}'`,
      {
        details: chosen.map(({ description }) => description),
        hint: `Specify one of them: ${chosen.map(({ hints }) => `'${embed.target}!${hints[0]}'`).join(', ')}.`,
      },
    );
  }
  return match;
}

function direct(schema: DatabaseSchema, parent: string, target: string): Relationship[] {
  const relationships: Relationship[] = [];
  for (const key of schema.foreignKeys) {
    const single = key.fromColumns.length === 1 ? key.fromColumns[0] : undefined;
    const hints = [
      key.name,
      ...(single === undefined ? [] : [single]),
      ...(key.toColumns.length === 1 ? key.toColumns : []),
    ];
    const to = schema.relations.get(key.to);
    const from = schema.relations.get(key.from);
    if (key.from === parent && to && (key.to === target || key.name === target || single === target)) {
      relationships.push({
        target: to,
        toOne: true,
        join: pairs(key.fromColumns, key.toColumns),
        hints: [...hints, key.to],
        referring: false,
        description: {
          cardinality: key.unique ? 'one-to-one' : 'many-to-one',
          embedding: `${key.from} with ${key.to}`,
          relationship: `${key.name} using ${sideText(key.from, key.fromColumns)} and ${sideText(key.to, key.toColumns)}`,
        },
      });
    }
    if (key.to === parent && from && (key.from === target || (key.name === target && key.from !== key.to))) {
      relationships.push({
        target: from,
        toOne: key.unique,
        join: pairs(key.toColumns, key.fromColumns),
        hints: [...hints, key.from],
        referring: true,
        description: {
          cardinality: key.unique ? 'one-to-one' : 'one-to-many',
          embedding: `${key.to} with ${key.from}`,
          relationship: `${key.name} using ${sideText(key.to, key.toColumns)} and ${sideText(key.from, key.fromColumns)}`,
        },
      });
    }
  }
  return relationships;
}

/** Through a table with a primary key that contains a foreign key to either side. */
function indirect(schema: DatabaseSchema, parent: string, target: string): Relationship[] {
  const inKey = (key: ForeignKey, relation: Relation) =>
    key.fromColumns.every((column) => relation.primaryKey.includes(column));
  const relationships: Relationship[] = [];
  for (const first of schema.foreignKeys) {
    const between = schema.relations.get(first.from);
    if (first.to !== parent || !between || !inKey(first, between)) continue;
    for (const second of schema.foreignKeys) {
      const to = schema.relations.get(second.to);
      if (second === first || second.from !== first.from || second.to !== target) continue;
      if (!to || !inKey(second, between)) continue;
      relationships.push({
        target: to,
        toOne: false,
        join: pairs(first.toColumns, first.fromColumns),
        through: { relation: between, join: pairs(second.fromColumns, second.toColumns) },
        hints: [between.name, first.name, second.name],
        referring: false,
        description: {
          cardinality: 'many-to-many',
          embedding: `${parent} with ${target}`,
          relationship: `${between.name} using ${sideText(first.name, first.fromColumns)} and ${sideText(second.name, second.fromColumns)}`,
        },
      });
    }
  }
  return relationships;
}

function pairs(left: readonly string[], right: readonly string[]): [string, string][] {
  return left.map((name, place) => [name, right[place]!]);
}

function sideText(name: string, columns: readonly string[]): string {
  return `${name}(${columns.join(', ')})`;
}
