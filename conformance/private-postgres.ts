import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

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
  stop(): Promise<void>;
}

/** A PostgreSQL server of our own: reached by a socket in a temporary folder, by no network. */
export async function startPrivatePostgres(programs: string): Promise<PrivatePostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'cellfolio-pg-'));
  const identity = await unprivileged();
  if (identity.uid !== undefined) await chown(folder, identity.uid, identity.gid);
  const options = { ...identity, cwd: folder };
  const data = join(folder, 'data');
  await run(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'cellfolio', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
    options,
  );
  const control = (...parameters: string[]) =>
    run(join(programs, 'pg_ctl'), ['-D', data, '-w', ...parameters], options);
  const settings = `-c listen_addresses= -c unix_socket_directories=${folder} -c fsync=off`;
  await control('start', '-s', '-l', join(folder, 'log'), '-o', settings);
  return {
    url: `postgresql://cellfolio@localhost/postgres?host=${encodeURIComponent(folder)}`,
    stop: async () => {
      await control('stop', '-s', '-m', 'immediate');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL refuses to run as root; there its own user does it. */
async function unprivileged(): Promise<{ uid: number; gid: number } | { uid?: undefined; gid?: undefined }> {
  if (process.getuid?.() !== 0) return {};
  const id = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout);
  return { uid: await id('-u'), gid: await id('-g') };
}
