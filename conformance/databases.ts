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
  readonly database: Database;
  close(): Promise<void>;
}

interface DatabaseKind {
  readonly name: 'embedded' | 'PostgreSQL';
  open(): Promise<OpenedDatabase>;
}

/** A new data folder with a migrated embedded database in it. */
export async function embeddedDataFolder(): Promise<string> {
  const parent = await scratchFolder();
  const dataDir = join(parent, 'data');
  await copyTestDatabase(dataDir);
  return dataDir;
}

const embedded: DatabaseKind = {
  name: 'embedded',
  open: async () => {
    const dataDir = await embeddedDataFolder();
    const database = await openDatabase({ dataDir });
    // Nothing is left to do, unless a file was added between two lines above.
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

/** The databases that conformance is proved on: always the embedded one, and a server where there is one. */
export const databases: readonly DatabaseKind[] = [embedded, ...(programs ? [postgres(programs)] : [])];

const memory = '/dev/shm';
const neededBytes = 4 * 1024 ** 3;

/**
 * A new folder for what a test throws away. In memory where the machine has plenty: the embedded database and the
 * file store sync every write, for which a busy disk takes most of a test's time, and a killed process loses nothing
 * of what it has written either way. What a power cut would leave is tested beside the database itself.
 */
export async function scratchFolder(): Promise<string> {
  return mkdtemp(join((await plentyOfMemory()) ? memory : tmpdir(), 'cellfolio-conformance-'));
}

async function plentyOfMemory(): Promise<boolean> {
  // The temporary folder that somebody has chosen is meant.
  if (process.env['TMPDIR'] !== undefined) return false;
  const found = await statfs(memory).catch(() => undefined);
  return found !== undefined && found.bavail * found.bsize >= neededBytes;
}
