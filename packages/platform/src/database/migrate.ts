import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PoolClient } from 'pg';
import type { Database } from './database.ts';
import { MigrationError } from './errors.ts';

const bootstrapFolder = fileURLToPath(new URL('./bootstrap', import.meta.url));

interface MigrationFile {
  name: string;
  sql: string;
  checksum: string;
}

/**
 * Brings the schema up to date: first what a hosted Supabase project already has (skipped there), then the `.sql` files
 * of `migrationsFolder`, in order of name. Each runs in one transaction with its record in `cellfolio.migrations`;
 * several processes may start at once. Returns the names of those that ran. Forward only. Throws MigrationError if a
 * file was changed, removed or inserted before applied ones. With `until`, files after it wait for another call.
 */
export async function migrate(
  database: Database,
  migrationsFolder: string,
  { until }: { until?: string | undefined } = {},
): Promise<string[]> {
  await database.transaction(async (client) => {
    await lock(client);
    await client.query(`
      create schema if not exists cellfolio;
      create table if not exists cellfolio.migrations (
        folder text not null,
        name text not null,
        checksum text not null,
        applied_at timestamptz not null default now(),
        primary key (folder, name)
      );
      revoke all on schema cellfolio from public`);
  });
  const bootstrapped = (await isHosted(database)) ? [] : await migrateFolder(database, bootstrapFolder);
  return [...bootstrapped, ...(await migrateFolder(database, migrationsFolder, until))];
}

/** The last of the files of a folder that were applied. */
export async function lastMigration(
  { pool }: Pick<Database, 'pool'>,
  migrationsFolder: string,
): Promise<string | undefined> {
  const { rows } = await pool.query<{ name: string }>(
    'select name from cellfolio.migrations where folder = $1 order by name collate "C" desc limit 1',
    [basename(migrationsFolder)],
  );
  return rows[0]?.name;
}

/** Whether the platform's own roles exist, as only in a hosted (or self-hosted) Supabase project. */
async function isHosted(database: Database): Promise<boolean> {
  const { rows } = await database.pool.query(`select 1 from pg_roles where rolname = 'supabase_auth_admin'`);
  return rows.length > 0;
}

async function migrateFolder(database: Database, path: string, until?: string): Promise<string[]> {
  // Not the full path: a database may move to another machine.
  const folder = basename(path);
  const files = await readMigrations(path);
  const applied: string[] = [];
  for (;;) {
    const name = await database.transaction((client) => applyNext(client, folder, { files, until }));
    if (name === undefined) return applied;
    applied.push(name);
  }
}

async function readMigrations(path: string): Promise<MigrationFile[]> {
  const names = (await readdir(path)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(path, name), 'utf8');
      // A checkout may convert line ends to CRLF.
      const checksum = createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex');
      return { name, sql, checksum };
    }),
  );
}

/** Applies the first unrecorded file; undefined if all are applied. */
async function applyNext(
  client: PoolClient,
  folder: string,
  { files, until }: { files: readonly MigrationFile[]; until: string | undefined },
): Promise<string | undefined> {
  await lock(client);
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from cellfolio.migrations where folder = $1 order by name collate "C"',
    [folder],
  );
  const next = plan(folder, files, rows);
  if (!next || (until !== undefined && next.name > until)) return undefined;
  const transactionId = await currentTransaction(client);
  try {
    await client.query(next.sql);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new MigrationError(next.name, 'failed', `Migration ${next.name} failed and was undone: ${reason}`, {
      cause,
    });
  }
  if ((await currentTransaction(client)) !== transactionId) {
    throw new MigrationError(
      next.name,
      'unusable',
      `Migration ${next.name} ends the transaction it runs in; take BEGIN, COMMIT and ROLLBACK out of it.`,
    );
  }
  await client.query('reset role');
  await client.query('insert into cellfolio.migrations (folder, name, checksum) values ($1, $2, $3)', [
    folder,
    next.name,
    next.checksum,
  ]);
  return next.name;
}

/** First file to apply, given the records. Throws MigrationError if the two disagree. */
export function plan(
  folder: string,
  files: readonly MigrationFile[],
  applied: readonly { name: string; checksum: string }[],
): MigrationFile | undefined {
  const byName = new Map(files.map((file) => [file.name, file]));
  for (const { name, checksum } of applied) {
    const file = byName.get(name);
    if (!file) {
      throw new MigrationError(
        name,
        'missing',
        `The database has had migration ${folder}/${name}, which this program does not know: the program is older than the database.`,
      );
    }
    if (file.checksum !== checksum) {
      throw new MigrationError(
        name,
        'changed',
        `Migration ${folder}/${name} was changed after it was applied. Restore it, and add a new file.`,
      );
    }
  }
  const done = new Set(applied.map(({ name }) => name));
  const next = files.find(({ name }) => !done.has(name));
  const last = applied.at(-1)?.name;
  if (next && last !== undefined && next.name < last) {
    throw new MigrationError(
      next.name,
      'out-of-order',
      `Migration ${folder}/${next.name} sorts before ${last}, which was applied already. Give it a later name.`,
    );
  }
  return next;
}

async function lock(client: PoolClient): Promise<void> {
  await client.query(`select pg_advisory_xact_lock(hashtextextended('cellfolio.migrations', 0))`);
}

async function currentTransaction(client: PoolClient): Promise<string> {
  const { rows } = await client.query<{ id: string }>('select pg_current_xact_id()::text as id');
  return rows[0]!.id;
}
