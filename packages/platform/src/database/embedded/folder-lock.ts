import { linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseLockedError } from '../errors.ts';
import { isRunning, ownIdentity, type ProcessIdentity } from '@cellfolio/bytes';

/** Heartbeat interval of the holder, and the silence after which others consider it dead. */
interface LockTimes {
  heartbeatMs: number;
  stillMs: number;
}

const defaultTimes: LockTimes = { heartbeatMs: 2_000, stillMs: 10_000 };

interface FolderLock {
  release(): void;
}

/**
 * Takes the lock file of a folder: two engines on one folder corrupt it. A lock is stale if its process no longer runs
 * (same id and same start), or, if it was taken on another machine or in another container, when it has not been
 * touched for 10 s of watching. Throws DatabaseLockedError.
 */
export async function lockFolder(
  path: string,
  log: (line: string) => void,
  times = defaultTimes,
): Promise<FolderLock> {
  const own = ownIdentity();
  const text = JSON.stringify({ ...own, nonce: crypto.randomUUID() });
  // Creating a link is atomic and fails if the name exists.
  const draft = `${path}.${own.pid}.${crypto.randomUUID()}`;
  try {
    writeFileSync(draft, text);
    while (!linked(draft, path)) {
      const lockText = read(path);
      if (lockText === undefined) continue;
      await refuseIfAlive(path, lockText, times);
      if (takeAway(path, lockText))
        log(`took over the lock of a process that is gone (${describe(lockText)})`);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  const heartbeat = setInterval(() => {
    if (read(path) !== text)
      return log(`the lock ${path} is no longer held by this process: stop one of the two processes`);
    const now = new Date();
    utimesSync(path, now, now);
  }, times.heartbeatMs);
  heartbeat.unref();
  return {
    release() {
      clearInterval(heartbeat);
      if (read(path) === text) rmSync(path, { force: true });
    },
  };
}

function linked(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function refuseIfAlive(
  path: string,
  lockText: string,
  { heartbeatMs, stillMs }: LockTimes,
): Promise<void> {
  const holder = parse(lockText);
  // Not a valid lock, or truncated by a full disk: it names no holder, so it is stale.
  if (!holder) return;
  const running = isRunning(holder);
  if (running === false) return;
  if (running === undefined) {
    const before = touched(path);
    for (let waited = 0; waited < stillMs; waited += heartbeatMs / 2) {
      await sleep(heartbeatMs / 2);
      if (touched(path) !== before || read(path) !== lockText) break;
      if (waited + heartbeatMs / 2 >= stillMs) return;
    }
    if (read(path) === undefined) return;
  }
  const here = holder.pid === process.pid && running ? ' (this one)' : '';
  const elsewhere = running === undefined ? ` on ${holder.host}` : here;
  throw new DatabaseLockedError(dirname(path), holder, elsewhere);
}

function touched(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

/** Removes a stale lock; false if another process has just done so and taken it. */
function takeAway(path: string, lockText: string): boolean {
  const aside = `${path}.stale.${crypto.randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  const wasStale = read(aside) === lockText;
  // A faster process has just taken the lock: put it back.
  if (!wasStale) linked(aside, path);
  rmSync(aside, { force: true });
  return wasStale;
}

function parse(text: string): ProcessIdentity | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('pid' in value) || !('host' in value))
      return undefined;
    return Number.isInteger(value.pid) && typeof value.host === 'string'
      ? (value as ProcessIdentity)
      : undefined;
  } catch {
    return undefined;
  }
}

function describe(lockText: string): string {
  const holder = parse(lockText);
  return holder ? `process ${holder.pid} on ${holder.host}` : 'unreadable';
}
