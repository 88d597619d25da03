import type { PoolClient } from 'pg';
import type { Database } from '../database.ts';
import { RestoreError } from '../errors.ts';
import type { DumpHeader } from './dump-database.ts';
import { type DumpTable, dumpTables } from './dump-tables.ts';

/** Tables that migrations put rows into: those of a new database give way to the ones of the dump. By what they are known. */
const seeded = new Map([['storage.buckets', 'id']]);

export interface RestoreOptions {
  /** Further tables whose triggers do not run: what comes back has what was made of it. */
  readonly silenced?: readonly string[];
  /** Tables, and columns as `table.column`, of dumps of earlier versions that are there no more. */
  readonly retired?: readonly string[];
}

/**
 * Reads a dump into a database that is migrated and still empty, in one transaction: all of it or nothing. A column
 * the dump does not know gets its default. Throws RestoreError.
 */
export async function restoreDatabase(
  database: Database,
  lines: Iterable<string> | AsyncIterable<string>,
  { silenced = [], retired: gone = [] }: RestoreOptions = {},
): Promise<{ rows: number }> {
  const retired = new Set(gone);
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
      const known = columns.get(table);
      if (!known)
        throw new RestoreError(number, `There is no table ${table}; the dump is newer than this program.`);
      const identifiers = Object.keys(row)
        .filter((name) => !retired.has(`${table}.${name}`))
        .map((name) => client.escapeIdentifier(name));
      const names = identifiers.map((quoted) => (known.has(quoted) ? quoted : quoted.slice(1, -1)));
      const unknown = names.find((name) => !known.has(name));
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

/** Whether a dump could be restored here: migrated, and not a row of anybody's. Throws RestoreError. */
export async function requireEmptyDatabase(database: Database): Promise<void> {
  await database.transaction(async (client) => requireEmptyTables(client, await dumpTables(client)));
}

async function requireEmptyTables(client: PoolClient, tables: readonly DumpTable[]): Promise<void> {
  for (const { name } of tables) {
    if (seeded.has(name)) continue;
    const { rowCount } = await client.query(`select 1 from ${name} limit 1`);
    // Restoring onto other rows would mix two histories, and half of it would fail on keys anyway.
    if (rowCount)
      throw new RestoreError(0, `${name} is not empty; a dump is restored into a new database only.`);
  }
}

function readHeader(line: string): { table: undefined; row: object } {
  const header = parse(line, 1) as Partial<DumpHeader> | null;
  if (header?.cellfolioDump !== 1) throw new RestoreError(1, 'This is not a dump of a database.');
  return { table: undefined, row: {} };
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
