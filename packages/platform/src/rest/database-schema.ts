import type { PoolClient } from 'pg';
import type { Database } from '../database/database.ts';

/** The planners' view of the exposed schema: the only source of identifiers and type names in a statement. */

export interface Column {
  name: string;
  type: string;
  baseType: string;
  defaultExpression: string | null;
}

export interface Relation {
  schema: string;
  name: string;
  columns: ReadonlyMap<string, Column>;
  primaryKey: readonly string[];
  /** Whether it stores its rows: not a view, and without partitions. */
  isTable: boolean;
}

export interface ForeignKey {
  name: string;
  from: string;
  fromColumns: readonly string[];
  to: string;
  toColumns: readonly string[];
  /** At most one row refers to each target row. */
  unique: boolean;
}

interface RoutineArgument {
  name: string;
  type: string;
  required: boolean;
}

export interface Routine {
  schema: string;
  name: string;
  arguments: readonly RoutineArgument[];
  returnsSet: boolean;
  /** `void`, one value, or rows with these columns. */
  returns: 'void' | 'scalar' | 'rows';
  columns: ReadonlyMap<string, Column>;
  table: string | null;
  /** Declared as not changing anything. */
  readOnly: boolean;
}

export interface DatabaseSchema {
  name: string;
  relations: ReadonlyMap<string, Relation>;
  foreignKeys: readonly ForeignKey[];
  /** Functions with the same name differ in their arguments. */
  routines: ReadonlyMap<string, readonly Routine[]>;
}

interface ColumnRow {
  name: string;
  type: string;
  base: string;
  default: string | null;
}

interface RoutineRow {
  name: string;
  arguments: readonly {
    name: string | null;
    type: string;
    mode: string;
    base: string;
  }[];
  defaults: number;
  returns_set: boolean;
  return_type: string;
  return_kind: string;
  columns: readonly ColumnRow[] | null;
  table: string | null;
  volatile: boolean;
}

const columnsOf = (of: string) => `(
  select coalesce(json_agg(json_build_object(
    'name', a.attname,
    'type', format_type(a.atttypid, a.atttypmod),
    'base', kind.typname,
    'default', case
      when a.attgenerated <> '' then null
      when a.attidentity <> '' then format('nextval(%L::regclass)', pg_get_serial_sequence(a.attrelid::regclass::text, a.attname))
      else pg_get_expr(d.adbin, d.adrelid)
    end
  ) order by a.attnum), '[]')
  from pg_attribute a
  join pg_type kind on kind.oid = a.atttypid
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attrelid = ${of} and a.attnum > 0 and not a.attisdropped
)`;

/** Reads the schema from the catalogues, which every role may read. */
async function introspect(client: PoolClient, schema: string): Promise<DatabaseSchema> {
  const relations = await client.query<{
    name: string;
    columns: ColumnRow[];
    primary_key: string[];
    is_table: boolean;
  }>(
    `select c.relname as name, c.relkind = 'r' as is_table, ${columnsOf('c.oid')} as columns,
       coalesce((
         select json_agg(a.attname order by k.place)
         from pg_constraint p, unnest(p.conkey) with ordinality as k(number, place)
         join pg_attribute a on a.attnum = k.number
         where p.conrelid = c.oid and p.contype = 'p' and a.attrelid = c.oid
       ), '[]') as primary_key
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relkind in ('r', 'v', 'm', 'f', 'p')`,
    [schema],
  );
  const foreignKeys = await client.query<{
    name: string;
    from: string;
    from_columns: string[];
    to: string;
    to_columns: string[];
    unique: boolean;
  }>(
    `select k.conname as name, f.relname as "from", t.relname as "to",
       (select json_agg(a.attname order by u.place)
        from unnest(k.conkey) with ordinality as u(number, place)
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.number) as from_columns,
       (select json_agg(a.attname order by u.place)
        from unnest(k.confkey) with ordinality as u(number, place)
        join pg_attribute a on a.attrelid = k.confrelid and a.attnum = u.number) as to_columns,
       exists (
         select from pg_constraint u
         where u.conrelid = k.conrelid and u.contype in ('p', 'u') and u.conkey <@ k.conkey and u.conkey @> k.conkey
       ) as unique
     from pg_constraint k
     join pg_class f on f.oid = k.conrelid
     join pg_class t on t.oid = k.confrelid
     join pg_namespace fn on fn.oid = f.relnamespace
     join pg_namespace tn on tn.oid = t.relnamespace
     where k.contype = 'f' and k.conparentid = 0 and fn.nspname = $1 and tn.nspname = $1
     order by k.conname`,
    [schema],
  );
  const routines = await client.query<RoutineRow>(
    `select p.proname as name,
       (select coalesce(json_agg(json_build_object(
          'name', nullif((p.proargnames)[x.place], ''),
          'type', format_type(x.type, null),
          'base', (select typname from pg_type where oid = x.type),
          'mode', coalesce((p.proargmodes)[x.place]::text, 'i')
        ) order by x.place), '[]')
        from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality as x(type, place)) as arguments,
       p.pronargdefaults as defaults, p.proretset as returns_set, p.provolatile = 'v' as volatile,
       t.typname as return_type,
       t.typtype::text as return_kind,
       case when t.typtype = 'c' then ${columnsOf('t.typrelid')} end as columns,
       (select c.relname from pg_class c
        where c.oid = t.typrelid and c.relnamespace = p.pronamespace and c.relkind <> 'c') as "table"
     from pg_proc p
     join pg_namespace n on n.oid = p.pronamespace
     join pg_type t on t.oid = p.prorettype
     where n.nspname = $1 and p.prokind = 'f' and p.provariadic = 0
       and t.typname not in ('trigger', 'event_trigger', 'internal', 'language_handler', 'fdw_handler')
     order by p.proname, p.pronargs`,
    [schema],
  );
  return {
    name: schema,
    relations: new Map(
      relations.rows.map(
        ({ name, columns, primary_key: primaryKey, is_table: isTable }): [string, Relation] => [
          name,
          { schema, name, columns: columnMap(columns), primaryKey, isTable },
        ],
      ),
    ),
    foreignKeys: foreignKeys.rows.map(({ name, from, from_columns, to, to_columns, unique }): ForeignKey => ({
      name,
      from,
      fromColumns: from_columns,
      to,
      toColumns: to_columns,
      unique,
    })),
    routines: routineMap(schema, routines.rows),
  };
}

function columnMap(rows: readonly ColumnRow[]): Map<string, Column> {
  return new Map(
    rows.map((row) => [
      row.name,
      { name: row.name, type: row.type, baseType: row.base, defaultExpression: row.default },
    ]),
  );
}

function routineMap(schema: string, rows: readonly RoutineRow[]): Map<string, Routine[]> {
  const routines = new Map<string, Routine[]>();
  for (const row of rows) {
    const inputs = row.arguments.filter(({ mode }) => mode === 'i' || mode === 'b');
    // Arguments are given by name here.
    if (inputs.some(({ name }) => name === null)) continue;
    const outputs = row.arguments.filter(({ mode }) => mode === 't' || mode === 'o' || mode === 'b');
    const isRecord = row.return_type === 'record';
    // A record without declared columns cannot be selected from.
    if (isRecord && outputs.some(({ name }) => name === null)) continue;
    if (isRecord && outputs.length === 0) continue;
    const columns = isRecord
      ? outputs.map(({ name, type, base }) => ({ name: name!, type, base, default: null }))
      : (row.columns ?? []);
    const firstOptional = inputs.length - row.defaults;
    const routine: Routine = {
      schema,
      name: row.name,
      arguments: inputs.map(({ name, type }, place) => ({
        name: name!,
        type,
        required: place < firstOptional,
      })),
      returnsSet: row.returns_set,
      returns: row.return_type === 'void' ? 'void' : isRecord || row.return_kind === 'c' ? 'rows' : 'scalar',
      columns: columnMap(columns),
      table: row.table,
      readOnly: !row.volatile,
    };
    routines.set(row.name, [...(routines.get(row.name) ?? []), routine]);
  }
  return routines;
}

interface SchemaCacheOptions {
  schema: string;
  now: () => number;
}

/** Minimum interval between reads of the catalogues, however often callers request missing objects. */
const minAgeMs = 2_000;
/** A change that no request runs into is noticed after this time. */
const maxAgeMs = 600_000;

/** Schema as last read. A request for something missing rereads it, since migrations happen. */
export class SchemaCache {
  readonly #database: Database;
  readonly #options: SchemaCacheOptions;
  #read: { schema: DatabaseSchema; at: number } | undefined;
  #reading: Promise<DatabaseSchema> | undefined;

  constructor(database: Database, options: SchemaCacheOptions) {
    this.#database = database;
    this.#options = options;
  }

  async current(): Promise<DatabaseSchema> {
    const read = this.#read;
    return read && this.#age(read) < maxAgeMs ? read.schema : this.#refresh();
  }

  /** Rereads the schema because `than` lacked something; undefined if it was read only just now. */
  async newer(than: DatabaseSchema): Promise<DatabaseSchema | undefined> {
    const read = this.#read;
    if (read && read.schema !== than) return read.schema;
    if (read && this.#age(read) < minAgeMs) return undefined;
    return this.#refresh();
  }

  #age(read: { at: number }): number {
    return this.#options.now() - read.at;
  }

  #refresh(): Promise<DatabaseSchema> {
    // Concurrent requests share the same query.
    this.#reading ??= this.#database
      .as({ role: 'service_role' }, (client) => introspect(client, this.#options.schema), { readOnly: true })
      .then((schema) => {
        this.#read = { schema, at: this.#options.now() };
        return schema;
      })
      .finally(() => {
        this.#reading = undefined;
      });
    return this.#reading;
  }
}
