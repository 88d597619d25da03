import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from './database.ts';
import { initialiseCluster } from './embedded/cluster-format.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from './open-database.ts';
import { postgresPrograms, startPrivatePostgres } from './test-postgres.ts';
import { productMigrations, templateFolder } from './test-template.ts';

/** For tests: databases of both kinds in temporary folders. */

/** Of passwords in tests: one hash takes 30 ms of a processor otherwise. */
export const passwordCost = { memoryKib: 64, passes: 1 } as const;

/** Making a database takes seconds, and many times that on a busy machine. */
export const slowMs = 180_000;

export interface TestDatabase {
  readonly database: Database;
  /** Closes it and removes every trace. */
  remove(): Promise<void>;
}

interface TestDatabaseOptions {
  /** Without the product's tables, and without what a hosted project brings. */
  readonly bare?: boolean;
}

/** For tests: a folder to copy with what the first start of an embedded database makes, which takes seconds. */
export function newCluster(): Promise<string> {
  return templateFolder({
    kind: 'cluster',
    async make(draft) {
      const made = join(draft, 'made');
      await initialiseCluster(made);
      return made;
    },
  });
}

/** Puts a migrated embedded database into the data folder of a server to come; a bare one has no tables. */
export async function copyTestDatabase(
  dataDir: string,
  { bare = false }: TestDatabaseOptions = {},
): Promise<void> {
  const template = await templateFolder({
    kind: `embedded${bare ? '-bare' : ''}`,
    async make(draft) {
      const made = join(draft, 'made');
      cpSync(await newCluster(), join(made, 'database', 'cluster'), { recursive: true });
      const database = await openDatabase({ dataDir: made });
      if (!bare) await migrate(database, productMigrations);
      await database.close();
      return made;
    },
  });
  // A thousand small files: one synchronous call takes an eighth of the time of a promise per file.
  cpSync(template, dataDir, { recursive: true });
}

export async function openTestEmbedded(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const dataDir = temporaryFolder();
  await copyTestDatabase(dataDir, options);
  const database = await openDatabase({ dataDir });
  return {
    database,
    remove: async () => {
      await database.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export async function openTestPostgres(
  programs: string,
  options: TestDatabaseOptions = {},
): Promise<TestDatabase> {
  const server = await startPrivatePostgres(programs, options);
  try {
    const database = await openDatabase({ url: server.url, dataDir: tmpdir() });
    return {
      database,
      remove: async () => {
        await database.close();
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'cellfolio-database-'));
}

/** Both kinds of database, or the embedded one alone, and then loudly, where PostgreSQL is not installed. */
export function testedDatabases(
  options: TestDatabaseOptions = {},
): [Database['kind'], () => Promise<TestDatabase>][] {
  const programs = postgresPrograms();
  const embedded: [Database['kind'], () => Promise<TestDatabase>] = [
    'embedded',
    () => openTestEmbedded(options),
  ];
  if (!programs) {
    console.warn('SKIPPED: no PostgreSQL server programs here, so only the embedded database is tested.');
    return [embedded];
  }
  return [embedded, ['postgres', () => openTestPostgres(programs, options)]];
}

/** For tests: a migrated embedded database in a folder of its own, gone when it is closed. */
export async function openTestDatabase(): Promise<Database> {
  const { database, remove } = await openTestEmbedded();
  const close = database.close.bind(database);
  database.close = async () => {
    database.close = close;
    await remove();
  };
  return database;
}

/** The plan under which the policies of the product let an account keep files. */
export async function grantProfessional({ pool }: Database, email: string): Promise<void> {
  await pool.query(
    `insert into public.subscriptions (user_id, source, tier)
     select id, 'operator', 'Professional' from auth.users where email = $1`,
    [email],
  );
}
