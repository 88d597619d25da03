import { rm, mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Database, migrate, openDatabase } from '@cellfolio/platform';
import {
  copyTestDatabase,
  postgresPrograms,
  productMigrations,
  startPrivatePostgres,
} from '@cellfolio/platform/testing';

interface OpenedDatabase {
  database: Database;
  close(): Promise<void>;
}

interface DatabaseKind {
  name: 'embedded' | 'PostgreSQL';
  /**
   * Number of malformed requests to try. All but the engine is the same on both databases, so most run on the embedded
   * one.
   */
  malformedRequests: number;
  open(): Promise<OpenedDatabase>;
}

export async function embeddedDataFolder(): Promise<string> {
  const parent = await scratchFolder();
  const dataDir = join(parent, 'data');
  await copyTestDatabase(dataDir);
  return dataDir;
}

const embedded: DatabaseKind = {
  name: 'embedded',
  malformedRequests: 400,
  open: async () => {
    const dataDir = await embeddedDataFolder();
    const database = await openDatabase({ dataDir });
    await migrate(database, productMigrations);
    return {
      database,
      close: async () => {
        await database.close();
        await rm(dirname(dataDir), { recursive: true, force: true });
      },
    };
  },
};

const postgres = (programs: string): DatabaseKind => ({
  name: 'PostgreSQL',
  malformedRequests: 100,
  open: async () => {
    const server = await startPrivatePostgres(programs);
    const database = await openDatabase({ url: server.url, dataDir: tmpdir() });
    await migrate(database, productMigrations);
    return {
      database,
      close: async () => {
        await database.close();
        await server.stop();
      },
    };
  },
});

const programs = postgresPrograms();
if (!programs) {
  console.warn('SKIPPED on PostgreSQL: no server is installed here (Debian: apt-get install postgresql).');
}

export const allDatabases: readonly DatabaseKind[] = [embedded, ...(programs ? [postgres(programs)] : [])];

/**
 * The embedded database alone unless all tests were requested: what a service answers does not depend on the engine, whose
 * differences `packages/platform` tests on both.
 */
export const databases = process.env['CELLFOLIO_ALL_TESTS'] === '1' ? allDatabases : [embedded];

const memory = '/dev/shm';
const neededBytes = 4 * 1024 ** 3;

/**
 * A new folder for a test, in memory if the machine has plenty: the embedded database and the file store sync every
 * write, which takes most of a test's time on a busy disk. Power loss is tested with the database itself.
 */
export async function scratchFolder(): Promise<string> {
  return mkdtemp(join((await hasPlentyOfMemory()) ? memory : tmpdir(), 'cellfolio-conformance-'));
}

async function hasPlentyOfMemory(): Promise<boolean> {
  // Respect a chosen temporary folder.
  if (process.env['TMPDIR'] !== undefined) return false;
  const stats = await statfs(memory).catch(() => undefined);
  return stats !== undefined && stats.bavail * stats.bsize >= neededBytes;
}
