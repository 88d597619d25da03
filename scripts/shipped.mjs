// The packages that are shipped: what the server, the web app and the map for chats need when they run, by the lock file.
import { spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { licencesRead } from './dependencies.mjs';

const shippedWorkspaces = ['apps/server', 'apps/web', 'apps/chat-map'];

/**
 * Paths below `folder` of shipped packages, ours among them.
 *
 * By `npm ls`: `npm sbom --omit=dev` leaves out what one workspace needs and another needs for development only, such as
 * react, and the lock file marks no package that a workspace needs for development.
 */
export function shippedPaths(folder) {
  const workspaces = shippedWorkspaces.flatMap((path) => ['--workspace', path]);
  const lines = npm(folder, ['ls', '--all', '--omit=dev', '--parseable', ...workspaces])
    .trim()
    .split('\n');
  return lines.map((path) => relative(realpathSync(folder), path).replaceAll(sep, '/')).filter(Boolean);
}

/**
 * Packages of others among `paths`, sorted: path, name, version, licence.
 *
 * What only an optional peer needs (types of React) is installed for development.
 */
export function shippedPackages(lock, paths) {
  return paths
    .filter((path) => path.includes('node_modules/') && !lock.packages[path].link)
    .filter((path) => !lock.packages[path].dev && !lock.packages[path].devOptional)
    .map((path) => {
      const { version, license, name = nameAt(path) } = lock.packages[path];
      return { path, name, version, licence: license ?? licencesRead.get(name) ?? 'unknown' };
    })
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en') || a.version.localeCompare(b.version, 'en'));
}

function nameAt(path) {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/** Standard output of npm, which reads the lock file alone. */
export function npm(folder, args) {
  const { status, stdout, stderr, error } = spawnSync('npm', [...args, '--package-lock-only'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`npm ${args[0]}: ${error?.message ?? stderr.trim()}`, { cause: error });
  return stdout;
}
