import type { PoolClient } from 'pg';
import type { Database } from './database.ts';
import { RestoreError } from './errors.ts';

interface DumpTable {
  /** Quoted if necessary: `public.user_files`. */
  name: string;
  /** Stored columns, quoted if necessary; generated ones are computed again. */
  columns: readonly string[];
}

/** Schemas that are always ours; `storage` only where we created it, not in a hosted project. */
const ours = ['auth', 'public', 'cellfolio'];

/** All our tables, referenced ones first. Migration records are left to the restoring program. */
async function dumpTables(client: PoolClient): Promise<DumpTable[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; parents: string[] }>(
    `select format('%I.%I', n.nspname, c.relname) as name,
       array(select quote_ident(a.attname)::text from pg_attribute a
             where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
             order by a.attnum) as columns,
       array(select format('%I.%I', pn.nspname, p.relname) from pg_constraint k
             join pg_class p on p.oid = k.confrelid join pg_namespace pn on pn.oid = p.relnamespace
             where k.conrelid = c.oid and k.contype = 'f' and p.oid <> c.oid) as parents
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r'
       and (n.nspname = any($1) or (n.nspname = 'storage' and not exists (
         select from pg_roles where rolname = 'supabase_auth_admin')))
       and not (n.nspname = 'cellfolio' and c.relname = 'migrations')
     order by n.nspname, c.relname`,
    [ours],
  );
  return parentsFirst(rows);
}

export function parentsFirst<T extends { name: string; parents: readonly string[] }>(
  tables: readonly T[],
): T[] {
  const sorted: T[] = [];
  let remaining = [...tables];
  while (remaining.length > 0) {
    const left = new Set(remaining.map(({ name }) => name));
    const free = remaining.filter(({ parents }) => !parents.some((parent) => left.has(parent)));
    // Tables in a reference cycle have no order; any works if the restoring role may defer checks.
    const next = free.length > 0 ? free : remaining;
    sorted.push(...next);
    remaining = remaining.filter((table) => !next.includes(table));
  }
  return sorted;
}

interface DumpHeader {
  cellfolioDump: 1;
  writtenAt: string;
  tables: readonly string[];
  /** The last migration of the database; absent in dumps of before it was written. */
  migration?: string;
}

/** Rows per fetch; a row may hold an image of megabytes. */
const fetchRows = 50;

/**
 * Writes all our rows as lines of JSON, without line ends: a DumpHeader, then `{"table", "row"}` with the row from
 * PostgreSQL's row_to_json. One snapshot, from either kind of database; restoreDatabase reads it into either. Tables
 * named in `without` (`storage.uploads`) are left out; `migration` is the last one of the database. The dump has no schema, which migrations create, but contains
 * secrets: protect it like the database itself.
 */
export async function dumpDatabase(
  database: Database,
  write: (line: string) => void | Promise<void>,
  { without = [], migration }: { readonly without?: readonly string[]; migration?: string | undefined } = {},
): Promise<{ tables: number; rows: number }> {
  return database.transaction(async (client) => {
    await client.query('set transaction isolation level repeatable read, read only');
    const tables = (await dumpTables(client)).filter(({ name }) => !without.includes(name));
    const header: DumpHeader = {
      cellfolioDump: 1,
      writtenAt: new Date().toISOString(),
      tables: tables.map(({ name }) => name),
      ...(migration !== undefined && { migration }),
    };
    await write(JSON.stringify(header));
    let rows = 0;
    for (const { name, columns } of tables) {
      // As text: parsing would round numbers that JavaScript cannot represent.
      await client.query(
        `declare dump no scroll cursor for
         select row_to_json(t)::text as row from (select ${columns.join(', ')} from ${name}) t`,
      );
      for (;;) {
        const part = await client.query<{ row: string }>(`fetch ${fetchRows} from dump`);
        if (part.rows.length === 0) break;
        for (const { row } of part.rows) await write(`{"table":${JSON.stringify(name)},"row":${row}}`);
        rows += part.rows.length;
      }
      await client.query('close dump');
    }
    return { tables: tables.length, rows };
  });
}

/** Tables that migrations fill, with their key: rows of a new database give way to those of the dump. */
const seeded = new Map([['storage.buckets', 'id']]);

interface RestoreOptions {
  /** Further tables whose triggers do not run: the dump already contains their effects. */
  silenced?: readonly string[];
  /** Tables, and columns as `table.column`, that exist only in dumps of earlier versions. */
  retired?: readonly string[];
}

/**
 * Restores a dump into a still empty database, migrated as the one that was dumped, in one transaction. A column
 * missing in the dump gets its default. Throws RestoreError.
 */
export async function restoreDatabase(
  database: Database,
  lines: Iterable<string> | AsyncIterable<string>,
  { silenced = [], retired: retiredNames = [] }: RestoreOptions = {},
): Promise<{ rows: number }> {
  const retired = new Set(retiredNames);
  return database.transaction(async (client) => {
    const tables = await dumpTables(client);
    await requireEmptyTables(client, tables);
    const columns = new Map(tables.map((table) => [table.name, new Set(table.columns)]));
    const withoutTriggers = ['storage.objects', ...silenced].filter((name) => columns.has(name));
    for (const name of withoutTriggers) await client.query(`alter table ${name} disable trigger user`);
    let number = 0;
    for await (const line of lines) {
      number++;
      if (line.trim() === '') continue;
      const { table, row } = number === 1 ? readHeader(line) : readRow(line, number);
      if (table === undefined || retired.has(table)) continue;
      const tableColumns = columns.get(table);
      if (!tableColumns)
        throw new RestoreError(number, `There is no table ${table}; the dump is newer than this program.`);
      const identifiers = Object.keys(row)
        .filter((name) => !retired.has(`${table}.${name}`))
        .map((name) => client.escapeIdentifier(name));
      const names = identifiers.map((quoted) => (tableColumns.has(quoted) ? quoted : quoted.slice(1, -1)));
      const unknown = names.find((name) => !tableColumns.has(name));
      if (unknown !== undefined) throw new RestoreError(number, `${table} has no column ${unknown}.`);
      const list = names.join(', ');
      const key = seeded.get(table);
      if (key !== undefined) {
        await client.query(`delete from ${table} where ${key} = $1::json -> 'row' ->> '${key}'`, [line]);
      }
      // The text of the line, not the parsed row: PostgreSQL reads what PostgreSQL wrote.
      await client.query(
        `insert into ${table} (${list}) overriding system value
         select ${list} from json_populate_record(null::${table}, $1::json -> 'row')`,
        [line],
      );
    }
    if (number === 0) throw new RestoreError(0, 'The dump is empty.');
    for (const name of withoutTriggers) await client.query(`alter table ${name} enable trigger user`);
    return { rows: number - 1 };
  });
}

/** Throws RestoreError unless a dump can be restored here: migrated, and without any rows of users. */
export async function requireEmptyDatabase(database: Database): Promise<void> {
  await database.transaction(async (client) => requireEmptyTables(client, await dumpTables(client)));
}

async function requireEmptyTables(client: PoolClient, tables: readonly DumpTable[]): Promise<void> {
  for (const { name } of tables) {
    if (seeded.has(name)) continue;
    const { rowCount } = await client.query(`select 1 from ${name} limit 1`);
    // Restoring over existing rows would mix two histories and violate keys.
    if (rowCount)
      throw new RestoreError(0, `${name} is not empty; a dump is restored into a new database only.`);
  }
}

function readHeader(line: string): { table: undefined; row: object } {
  dumpHeader(line);
  return { table: undefined, row: {} };
}

/** The first line of a dump. Throws RestoreError. */
export function dumpHeader(line: string): Pick<DumpHeader, 'migration'> {
  const header = parse(line, 1) as Partial<DumpHeader> | null;
  if (header?.cellfolioDump !== 1) throw new RestoreError(1, 'This is not a dump of a database.');
  return header;
}

function readRow(line: string, number: number): { table: string; row: object } {
  const value = parse(line, number);
  if (typeof value !== 'object' || value === null || !('table' in value) || !('row' in value)) {
    throw new RestoreError(number, 'The line is not a row.');
  }
  const { table, row } = value;
  if (typeof table !== 'string' || typeof row !== 'object' || row === null) {
    throw new RestoreError(number, 'The line is not a row.');
  }
  return { table, row };
}

function parse(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new RestoreError(number, 'The line is not JSON; the dump is damaged or cut off.', { cause });
  }
}
