import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chown, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { migrate, openDatabase } from '@cellfolio/platform';
import { copyTemplate, migrations } from './template-folder.ts';
import { scratchFolder } from './scratch-folder.ts';

const run = promisify(execFile);

/** Folder of the newest PostgreSQL programs on this machine, as Debian lays them; undefined when there are none. */
export function postgresPrograms(): string | undefined {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return undefined;
  const versions = readdirSync(root).sort((a, b) => Number(b) - Number(a));
  return versions.map((version) => join(root, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb')));
}

export interface PrivatePostgres {
  readonly url: string;
  /** Ends it in order (`fast`) or as a crash does (`immediate`), and starts it again after so many milliseconds. */
  restart(how: 'fast' | 'immediate', awayMilliseconds?: number): Promise<void>;
  stop(): Promise<void>;
}

export interface PostgresServerOptions {
  /** Commits reach the disk. Off where nobody pulls the plug. */
  readonly durable?: boolean;
}

/** A PostgreSQL server of our own with a migrated database: reached by a socket in a temporary folder, by no network. */
export async function startPrivatePostgres(
  programs: string,
  { durable = false }: PostgresServerOptions = {},
): Promise<PrivatePostgres> {
  const folder = await scratchFolder();
  const identity = await unprivileged();
  if (identity.uid !== undefined) await chown(folder, identity.uid, identity.gid);
  const server = { programs, folder, data: join(folder, 'data'), identity, durable };
  await copyTemplate('postgres', programs, (draft) => makeTemplate(server, draft), server.data);
  return startOn(server);
}

interface ServerFolder {
  readonly programs: string;
  readonly folder: string;
  readonly data: string;
  readonly identity: Identity;
  readonly durable: boolean;
}

async function startOn({
  programs,
  folder,
  data,
  identity,
  durable,
}: ServerFolder): Promise<PrivatePostgres> {
  const control = (...parameters: string[]) =>
    run(join(programs, 'pg_ctl'), ['-D', data, '-w', ...parameters], { ...identity, cwd: folder });
  const settings = [
    'listen_addresses=',
    `unix_socket_directories=${folder}`,
    `fsync=${durable ? 'on' : 'off'}`,
    'shared_buffers=32MB',
  ];
  const options = settings.map((setting) => `-c ${setting}`).join(' ');
  const start = () => control('start', '-s', '-l', join(folder, 'log'), '-o', options);
  await start();
  return {
    url: `postgresql://cellfolio@localhost/postgres?host=${encodeURIComponent(folder)}`,
    restart: async (how, awayMilliseconds = 0) => {
      await control('stop', '-s', '-m', how);
      await pause(awayMilliseconds);
      await start();
    },
    stop: async () => {
      await control('stop', '-s', '-m', 'immediate');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Initialises and migrates a database, stops its server in order and moves its files to `draft`. */
async function makeTemplate(server: ServerFolder, draft: string): Promise<void> {
  const { programs, identity } = server;
  const folder = await scratchFolder();
  if (identity.uid !== undefined) await chown(folder, identity.uid, identity.gid);
  const data = join(folder, 'data');
  const options = { ...identity, cwd: folder };
  // Small segments, because they are copied with everything else.
  const parameters = ['-U', 'cellfolio', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--wal-segsize=1'];
  await run(join(programs, 'initdb'), ['-D', data, ...parameters], options);
  const running = await startOn({ ...server, folder, data });
  const database = await openDatabase({ url: running.url, dataDir: folder });
  await migrate(database, migrations);
  await database.close();
  await run(join(programs, 'pg_ctl'), ['-D', data, '-w', 'stop', '-s', '-m', 'fast'], options);
  await run('cp', ['-a', data, draft]);
  await rm(folder, { recursive: true, force: true });
}

type Identity = { readonly uid: number; readonly gid: number } | { readonly uid?: undefined };

/** PostgreSQL refuses to run as root; there its own user does it. */
async function unprivileged(): Promise<Identity> {
  if (process.getuid?.() !== 0) return {};
  const id = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout);
  return { uid: await id('-u'), gid: await id('-g') };
}
