import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { migrate } from './migrate.ts';
import { openDatabase } from './open-database.ts';
import { productMigrations, templateFolder } from './test-template.ts';

const run = promisify(execFile);

/** Folder of Debian's newest PostgreSQL server programs; undefined if there is none. */
export function postgresPrograms(): string | undefined {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return undefined;
  const newest = readdirSync(root)
    .filter((name) => existsSync(join(root, name, 'bin', 'initdb')))
    .sort((a, b) => Number(b) - Number(a))[0];
  return newest && join(root, newest, 'bin');
}

export interface PrivatePostgres {
  readonly url: string;
  /** Stops it cleanly (`fast`) or as in a crash (`immediate`), and starts it again after this many milliseconds. */
  restart(how: 'fast' | 'immediate', awayMilliseconds?: number): Promise<void>;
  stop(): Promise<void>;
}

interface PostgresServerOptions {
  /** Commits reach the disk. Off in tests that do not cut the power. */
  durable?: boolean;
  /** Without the product's tables and the objects of a hosted project. */
  bare?: boolean;
}

/**
 * For tests: a private PostgreSQL server on a socket in a temporary folder, without network. As root it runs under the
 * `postgres` account, which must exist.
 */
export async function startPrivatePostgres(
  programs: string,
  { durable = false, bare = false }: PostgresServerOptions = {},
): Promise<PrivatePostgres> {
  const identity = await unprivileged();
  const folder = await ownFolder(identity);
  const server: ServerFolder = { programs, folder, data: join(folder, 'data'), identity, durable };
  const version = programs.replaceAll(/\W+/g, '-');
  const template = await templateFolder({
    kind: `postgres${version}${bare ? '-bare' : ''}`,
    make: (draft) => makeTemplate(server, draft, bare),
  });
  // Keeps owners, which PostgreSQL insists on, and shares blocks where the file system can.
  await run('cp', ['-a', '--reflink=auto', template, server.data]);
  return startOn(server);
}

interface ServerFolder {
  programs: string;
  folder: string;
  data: string;
  identity: Identity;
  durable: boolean;
}

async function startOn(server: ServerFolder): Promise<PrivatePostgres> {
  const { folder, durable } = server;
  const settings = [
    'listen_addresses=',
    `unix_socket_directories=${folder}`,
    `fsync=${durable ? 'on' : 'off'}`,
    'shared_buffers=32MB',
  ];
  const options = settings.map((setting) => `-c ${setting}`).join(' ');
  const start = () => control(server, 'start', '-l', join(folder, 'log'), '-o', options);
  await start();
  return {
    url: `postgresql://cellfolio@localhost/postgres?host=${encodeURIComponent(folder)}`,
    restart: async (how, awayMilliseconds = 0) => {
      await control(server, 'stop', '-m', how);
      await pause(awayMilliseconds);
      await start();
    },
    stop: async () => {
      await control(server, 'stop', '-m', 'immediate');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function control({ programs, data, identity, folder }: ServerFolder, ...parameters: string[]) {
  await run(join(programs, 'pg_ctl'), ['-D', data, '-s', '-w', '-t', '180', ...parameters], {
    ...identity,
    cwd: folder,
  });
}

async function makeTemplate(server: ServerFolder, draft: string, bare: boolean): Promise<string> {
  const { programs, identity } = server;
  const folder = await ownFolder(identity);
  const data = join(folder, 'data');
  // Small segments, because they are copied with everything else.
  const parameters = ['-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync', '--wal-segsize=1'];
  await run(join(programs, 'initdb'), ['-D', data, '-U', 'cellfolio', ...parameters], {
    ...identity,
    cwd: folder,
  });
  if (!bare) {
    const instance = { ...server, folder, data };
    const running = await startOn(instance);
    const database = await openDatabase({ url: running.url, dataDir: folder });
    await migrate(database, productMigrations);
    await database.close();
    await control(instance, 'stop', '-m', 'fast');
  }
  const copy = join(draft, 'made');
  await run('cp', ['-a', data, copy]);
  await rm(folder, { recursive: true, force: true });
  return copy;
}

async function ownFolder(identity: Identity): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cellfolio-postgres-'));
  if (identity.uid !== undefined) await chown(folder, identity.uid, identity.gid);
  await chmod(folder, 0o700);
  return folder;
}

type Identity = { uid: number; gid: number } | { uid?: undefined };

/** Account for PostgreSQL, which refuses to run as root. */
async function unprivileged(): Promise<Identity> {
  if (process.getuid?.() !== 0) return {};
  const id = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout);
  return { uid: await id('-u'), gid: await id('-g') };
}
