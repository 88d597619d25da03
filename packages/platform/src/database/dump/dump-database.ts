import type { Database } from '../database.ts';
import { dumpTables } from './dump-tables.ts';

/** First line of a dump. */
export interface DumpHeader {
  readonly cellfolioDump: 1;
  readonly writtenAt: string;
  readonly tables: readonly string[];
}

/** Rows fetched at once; a row may hold an image of megabytes. */
const fetchRows = 50;

/**
 * Writes every row of ours as lines of JSON, without line ends: a DumpHeader, then `{"table", "row"}` with the row
 * as PostgreSQL's own row_to_json gives it. One snapshot, from either kind of database; restoreDatabase reads it
 * into either. Tables named in `without` (`storage.uploads`) are left out. The schema is not in it: migrations make that. Secrets are: keep it like the database itself.
 */
export async function dumpDatabase(
  database: Database,
  write: (line: string) => void | Promise<void>,
  { without = [] }: { readonly without?: readonly string[] } = {},
): Promise<{ tables: number; rows: number }> {
  return database.transaction(async (client) => {
    await client.query('set transaction isolation level repeatable read, read only');
    const tables = (await dumpTables(client)).filter(({ name }) => !without.includes(name));
    const header: DumpHeader = {
      cellfolioDump: 1,
      writtenAt: new Date().toISOString(),
      tables: tables.map(({ name }) => name),
    };
    await write(JSON.stringify(header));
    let rows = 0;
    for (const { name, columns } of tables) {
      // As text: parsing and printing again would round what JavaScript cannot hold.
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
