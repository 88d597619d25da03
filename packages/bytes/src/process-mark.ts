import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** Unfinished work of another machine counts as abandoned this long after its last change (ms). */
export const foreignAge = 24 * 3600 * 1000;

/** Identifies a process uniquely: process ids alone are reused. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** Changes when the machine restarts; null if unknown. */
  readonly boot: string | null;
  /** Clock ticks between the machine's start and the process's; null if unknown. */
  readonly started: string | null;
}

export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, host: hostname(), boot: bootId(), started: startOf(process.pid) };
}

/**
 * Whether the process is running; undefined for one on another machine or in another container, whose process ids are
 * not visible here.
 */
export function isRunning(identity: ProcessIdentity): boolean | undefined {
  if (identity.host !== hostname()) return undefined;
  return isRunningHere(identity, bootId());
}

function isRunningHere(identity: Omit<ProcessIdentity, 'host'>, bootNow: string | null): boolean {
  if (identity.boot !== null && bootNow !== null && identity.boot !== bootNow) return false;
  if (!(identity.pid > 0)) return false;
  try {
    process.kill(identity.pid, 0);
  } catch (error) {
    // EPERM: it runs as another user.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const started = startOf(identity.pid);
  return identity.started === null || started === null || identity.started === started;
}

/**
 * `<host>~<pid>~<start>~<random>`, for the names of unfinished files: they identify their owner from the moment they
 * exist.
 */
export function newMark(): string {
  const { pid, boot, started } = ownIdentity();
  const start = boot === null || started === null ? unknownStart : `${shortBoot(boot)}-${started}`;
  return [hostMark(), pid, start, randomBytes(6).toString('hex')].join('~');
}

/** State of the process of a mark, as far as this machine can determine. */
export function ownerState(host: string, pid: string, start: string): 'running' | 'ended' | 'elsewhere' {
  if (host !== hostMark()) return 'elsewhere';
  const [boot, started] = start === unknownStart ? [null, null] : start.split('-');
  const now = bootId();
  const identity = { pid: Number(pid), boot: boot ?? null, started: started ?? null };
  return isRunningHere(identity, now && shortBoot(now)) ? 'running' : 'ended';
}

const unknownStart = 'x';
const shortBoot = (boot: string) => boot.slice(0, 8);
const hostMark = () => createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

function bootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return null;
  }
}

function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // proc_pid_stat(5): the name in parentheses may hold anything; state is field 3, start time field 22.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie counts as ended.
    return fields[0] === 'Z' || fields[0] === 'X' ? 'ended' : (fields[19] ?? null);
  } catch {
    return null;
  }
}
