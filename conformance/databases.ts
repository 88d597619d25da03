import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Database, migrate, openDatabase } from '@cellfolio/platform';
import { postgresPrograms, startPrivatePostgres } from './private-postgres.ts';

export interface OpenedDatabase {
  readonly database: Database;
  close(): Promise<void>;
}

export interface DatabaseKind {
  readonly name: string;
  open(): Promise<OpenedDatabase>;
}

const migrations = fileURLToPath(new URL('../supabase/migrations', import.meta.url));

const embedded: DatabaseKind = {
  name: 'embedded',
  open: async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'cellfolio-conformance-'));
    const database = await openDatabase({ dataDir });
    await migrate(database, migrations);
    return {
      database,
      close: async () => {
        await database.close();
        await rm(dataDir, { recursive: true, force: true });
      },
    };
  },
};

const postgres = (programs: string): DatabaseKind => ({
  name: 'PostgreSQL',
  open: async () => {
    const server = await startPrivatePostgres(programs);
    const database = await openDatabase({ url: server.url, dataDir: tmpdir() });
    await migrate(database, migrations);
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
