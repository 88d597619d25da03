import { existsSync } from 'node:fs';
import { copyFile, link, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';

export interface ImageSteps {
  ignored: (path: string) => boolean;
  workspace: string;
  removed: readonly string[];
  environment: Readonly<Record<string, string>>;
  command: readonly string[];
  healthCheck: readonly string[];
  user: number;
}

/** Throws when a step is not found. */
export async function readImageSteps(project: string): Promise<ImageSteps> {
  const folder = join(project, 'deploy/docker');
  const text = (await readFile(join(folder, 'Dockerfile'), 'utf8')).replaceAll(/\\\n\s*/g, '');
  const capture = (pattern: RegExp): string => {
    const match = pattern.exec(text);
    if (!match) throw new Error(`the Dockerfile has no step ${String(pattern)}`);
    return match[1]!;
  };
  const patterns = new Set((await readFile(join(folder, 'Dockerfile.dockerignore'), 'utf8')).split('\n'));
  const anywhere = (name: string) => patterns.has(`**/${name}`);
  return {
    ignored: (path) => patterns.has(path) || anywhere(basename(path)),
    workspace: capture(/npm ci --omit=dev --workspace (\S+)/),
    removed: capture(/ && rm -rf (.+)$/m).split(' '),
    environment: Object.fromEntries(
      capture(/^ENV (.+)$/m)
        .split(' ')
        .map((pair) => pair.split('=') as [string, string]),
    ),
    command: JSON.parse(capture(/^CMD (\[.*\])$/m)) as string[],
    healthCheck: (JSON.parse(capture(/^HEALTHCHECK .* CMD (\[.*\])$/m)) as string[]).slice(1),
    user: Number(capture(/^USER (\d+):\d+$/m)),
  };
}

/**
 * Builds the folder /app of the image: the sources, and the workspace's packages of the lock file. Files are hard links
 * if possible, and must not be changed.
 */
export async function makeImageFolder(project: string, steps: ImageSteps, target: string): Promise<void> {
  await linkTree(project, target, (path) => steps.ignored(path) || steps.removed.includes(path));
  for (const at of await packagesOf(project, steps.workspace)) {
    const from = join(project, at.path);
    // An optional one for another platform.
    if (!existsSync(from)) continue;
    const to = join(target, at.path);
    if (at.link === undefined) {
      await linkTree(from, to, (path) => basename(path) === 'node_modules' || neverRun.test(path));
    } else {
      await mkdir(dirname(to), { recursive: true });
      await symlink(relative(dirname(to), join(target, at.link)), to);
    }
  }
  for (const dist of ['apps/web/dist', 'apps/chat-map/dist', 'apps/docs/dist'])
    if (existsSync(join(project, dist))) await linkTree(join(project, dist), join(target, dist), () => false);
}

/** Half of the files of packages; skipped to save time. */
const neverRun = /\.(?:map|md|d\.[cm]?ts)$/;

interface LockedPackage {
  resolved?: string;
  link?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

/** Packages that `npm ci --omit=dev` installs for a workspace; `link`: the target of a link to another workspace. */
async function packagesOf(project: string, workspace: string): Promise<{ path: string; link?: string }[]> {
  const text = await readFile(join(project, 'package-lock.json'), 'utf8');
  const locked = new Map(
    Object.entries((JSON.parse(text) as { packages: Record<string, LockedPackage> }).packages),
  );
  const seen = new Set<string>();
  const pending = [workspace];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    const one = locked.get(at)!;
    if (one.link) {
      pending.push(one.resolved!);
      continue;
    }
    const { peerDependencies = {}, peerDependenciesMeta: peers = {} } = one;
    const needed = Object.keys({
      ...one.dependencies,
      ...one.optionalDependencies,
      ...Object.fromEntries(Object.entries(peerDependencies).filter(([name]) => !peers[name]?.optional)),
    });
    for (const name of needed) {
      const place = placesOf(at, name).find((path) => locked.has(path));
      if (place !== undefined) pending.push(place);
    }
  }
  return [...seen]
    .filter((path) => path.includes('node_modules/'))
    .map((path) => {
      const { link: linked, resolved } = locked.get(path)!;
      return linked ? { path, link: resolved! } : { path };
    });
}

/** Paths in which Node looks for a package, nearest first. */
function placesOf(from: string, name: string): string[] {
  const places: string[] = [];
  for (let at = from; ; at = dirname(at)) {
    const root = at === '.' ? '' : `${at}/`;
    if (basename(at) !== 'node_modules') places.push(`${root}node_modules/${name}`);
    if (root === '') return places;
  }
}

async function linkTree(from: string, to: string, isOut: (path: string) => boolean): Promise<void> {
  const walk = async (folder: string): Promise<void> => {
    await mkdir(join(to, folder), { recursive: true });
    for (const entry of await readdir(join(from, folder), { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (isOut(path)) continue;
      if (entry.isDirectory()) await walk(path);
      else if (entry.isFile()) await linkFile(join(from, path), join(to, path));
    }
  };
  await walk('');
}

async function linkFile(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    // The folder of the test may be on another file system.
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    await copyFile(from, to);
  }
}
