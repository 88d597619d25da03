import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** What another machine began is left alone for this long after its last change. */
export const foreignAge = 24 * 3600 * 1000;

const thisHost = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

/**
 * `<host>~<pid>~<start>~<random>`, for the names of things that are not finished: the name alone tells whose they are,
 * so that there is no moment at which one exists without its owner being known.
 */
export function newMark(): string {
  return [thisHost, process.pid, startMarker(process.pid) ?? 'x', randomBytes(6).toString('hex')].join('~');
}

/** Whether the process of a mark is still there, as far as this machine can know. */
export function ownerState(host: string, pid: string, start: string): 'running' | 'ended' | 'elsewhere' {
  if (host !== thisHost) return 'elsewhere';
  return isAlive(Number(pid), start) ? 'running' : 'ended';
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
