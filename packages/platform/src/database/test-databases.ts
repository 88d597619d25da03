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

/** Password hash cost in tests: a production hash takes 30 ms of a processor. */
export const passwordCost = { memoryKib: 64, passes: 1 } as const;

/** Creating a database takes seconds, and many times that on a busy machine. */
export const slowMs = 180_000;

export interface TestDatabase {
  readonly database: Database;
  remove(): Promise<void>;
}

interface TestDatabaseOptions {
  /** Without the product's tables and the objects of a hosted project. */
  bare?: boolean;
}

export function newCluster(): Promise<string> {
  return templateFolder({
    kind: 'cluster',
    async make(draft) {
      const clusterFolder = join(draft, 'made');
      await initialiseCluster(clusterFolder);
      return clusterFolder;
    },
  });
}

/** Copies a migrated embedded database into a future server's data folder; a bare one has no tables. */
export async function copyTestDatabase(
  dataDir: string,
  { bare = false }: TestDatabaseOptions = {},
): Promise<void> {
  const template = await templateFolder({
    kind: `embedded${bare ? '-bare' : ''}`,
    async make(draft) {
      const draftDir = join(draft, 'made');
      cpSync(await newCluster(), join(draftDir, 'database', 'cluster'), { recursive: true });
      const database = await openDatabase({ dataDir: draftDir });
      if (!bare) await migrate(database, productMigrations);
      await database.close();
      return draftDir;
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

/** Both kinds of database; if PostgreSQL is not installed, the embedded one alone, with a loud notice. */
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

export async function openTestDatabase(): Promise<Database> {
  const { database, remove } = await openTestEmbedded();
  const close = database.close.bind(database);
  database.close = async () => {
    database.close = close;
    await remove();
  };
  return database;
}

/** Gives an account the plan under which the product's policies let it keep files. */
export async function grantProfessional({ pool }: Database, email: string): Promise<void> {
  await pool.query(
    `insert into public.subscriptions (user_id, source, tier)
     select id, 'operator', 'Professional' from auth.users where email = $1`,
    [email],
  );
}
