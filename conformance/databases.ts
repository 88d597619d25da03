import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Database, migrate, openDatabase } from '@cellfolio/platform';
import {
  copyTestDatabase,
  postgresPrograms,
  productMigrations,
  startPrivatePostgres,
} from '@cellfolio/platform/testing';
import { scratchFolder } from './scratch-folder.ts';

export interface OpenedDatabase {
  readonly database: Database;
  close(): Promise<void>;
}

export interface DatabaseKind {
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
