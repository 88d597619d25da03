import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { collectionFolder, datasetFolder } from './dataset-folder.ts';
import { idIn, placeOf } from './dataset-id.ts';

/**
 * Folders under `incoming/` are named `<id>~<host>~<pid>~<start>~<random>` and, for a dataset moved out
 * of its place, `~old` or `~removed` after that; `custom:<uuid>` is `@<uuid>` there. The name alone tells whose it is, so that there is no
 * moment at which a folder exists without its owner being known.
 */
export const incomingFolder = 'incoming';

/** A folder of another machine is left alone for this long after its last change. */
const foreignAge = 24 * 3600 * 1000;

const thisHost = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

/** Path of a new folder, not yet made, that belongs to this process. */
export function incomingPath(root: string, id: string, role?: 'old' | 'removed'): string {
  const name = [
    nameHere(id),
    thisHost,
    process.pid,
    startMarker(process.pid) ?? 'x',
    randomBytes(6).toString('hex'),
  ];
  if (role) name.push(role);
  return join(root, incomingFolder, name.join('~'));
}

/** Removes what dead writers left, and puts back a dataset whose replacement never took its place. */
export async function sweepIncoming(root: string): Promise<void> {
  const folder = join(root, incomingFolder);
  for (const name of await namesIn(folder)) {
    const [mark, host, pid, start, , role] = name.split('~');
    const id = mark && idOf(mark);
    if (!id || !host || !pid || !start) continue;
    const path = join(folder, name);
    const abandoned = host === thisHost ? !isAlive(Number(pid), start) : await isOld(path);
    if (!abandoned) continue;
    if (role === 'old' && !(await exists(datasetFolder(root, id)))) {
      await mkdir(collectionFolder(root, id), { recursive: true });
      await rename(path, datasetFolder(root, id));
    } else await rm(path, { recursive: true, force: true });
  }
}

const ownMark = '@';

function nameHere(id: string): string {
  const { collection, name } = placeOf(id);
  return collection === 'custom' ? ownMark + name : name;
}

/** Undefined where no writer of ours gave the name. */
function idOf(mark: string): string | undefined {
  const id = mark.startsWith(ownMark) ? idIn('custom', mark.slice(ownMark.length)) : mark;
  try {
    placeOf(id);
    return id;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number, start: string): boolean {
  const marker = startMarker(pid);
  if (marker !== undefined) return marker === start;
  // No process table to read the start from: the number alone has to do.
  if (process.platform === 'linux') return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Boot and start time of a running process: a later process with the same number has another marker. */
function startMarker(pid: number): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').slice(0, 8);
    const status = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // proc_pid_stat(5): the name in parentheses may hold anything; state is field 3, start time field 22.
    const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    return `${boot}-${fields[19]}`;
  } catch {
    return undefined;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function isOld(path: string): Promise<boolean> {
  let latest = 0;
  for (const name of ['', ...(await readdir(path, { recursive: true }).catch(() => []))]) {
    const found = await stat(join(path, name)).catch(() => undefined);
    if (found) latest = Math.max(latest, found.mtimeMs);
  }
  return Date.now() - latest > foreignAge;
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
