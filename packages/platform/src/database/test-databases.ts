import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Database } from './database.ts';
import { openDatabase } from './open-database.ts';

/** For tests: databases of both kinds in temporary folders. */

export const productMigrations = fileURLToPath(new URL('../../../../supabase/migrations', import.meta.url));

/** Making a database takes seconds, and many times that on a busy machine. */
export const slowMs = 180_000;

export interface TestDatabase {
  readonly database: Database;
  /** Closes it and removes every trace. */
  remove(): Promise<void>;
}

export async function openTestEmbedded(): Promise<TestDatabase> {
  const dataDir = temporaryFolder();
  const database = await openDatabase({ dataDir });
  return {
    database,
    remove: async () => {
      await database.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The folder with Debian's newest PostgreSQL server programs; undefined where there is none. */
export function postgresPrograms(): string | undefined {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return undefined;
  const newest = readdirSync(root)
    .filter((name) => existsSync(join(root, name, 'bin', 'pg_ctl')))
    .sort((a, b) => Number(b) - Number(a))[0];
  return newest && join(root, newest, 'bin');
}

/** A private server on a free loopback port. As root it runs under the `postgres` account, which must exist. */
export async function openTestPostgres(programs: string): Promise<TestDatabase> {
  const folder = temporaryFolder();
  const account = process.getuid?.() === 0 ? accountOf('postgres') : undefined;
  if (account) chownSync(folder, account.uid, account.gid);
  const run = (program: string, parameters: string[]): void => {
    execFileSync(join(programs, program), parameters, { cwd: folder, stdio: 'ignore', ...account });
  };
  const data = join(folder, 'data');
  const port = await freePort();
  run('initdb', ['-D', data, '-U', 'owner', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync']);
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='${folder}' -c fsync=off`;
  run('pg_ctl', ['-D', data, '-w', '-o', settings, '-l', join(folder, 'log'), 'start']);
  const stop = (): void => {
    run('pg_ctl', ['-D', data, '-m', 'immediate', 'stop']);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const url = `postgres://owner@127.0.0.1:${port}/postgres`;
    const database = await openDatabase({ url, dataDir: folder });
    return {
      database,
      remove: async () => {
        await database.close();
        stop();
      },
    };
  } catch (error) {
    stop();
    throw error;
  }
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'cellfolio-database-'));
}

function accountOf(name: string): { uid: number; gid: number } {
  const id = (flag: string): number => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('No port.')),
      );
    });
  });
}

/** Both kinds of database, or the embedded one alone, and then loudly, where PostgreSQL is not installed. */
export function testedDatabases(): [Database['kind'], () => Promise<TestDatabase>][] {
  const programs = postgresPrograms();
  if (!programs) {
    console.warn('SKIPPED: no PostgreSQL server programs here, so only the embedded database is tested.');
    return [['embedded', openTestEmbedded]];
  }
  return [
    ['embedded', openTestEmbedded],
    ['postgres', () => openTestPostgres(programs)],
  ];
}
