import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** Names one process among all that ever ran: a process id alone is used again after a restart. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** Changes when the machine restarts; null where the system does not say. */
  readonly boot: string | null;
  /** Clock ticks between the machine's start and the process's; null where the system does not say. */
  readonly started: string | null;
}

export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, host: hostname(), boot: bootId(), started: startOf(process.pid) };
}

/**
 * Whether the process still runs: yes, no, or, for one on another machine or in another container (whose process
 * ids mean nothing here), unknown.
 */
export function isRunning(identity: ProcessIdentity): boolean | undefined {
  if (identity.host !== hostname()) return undefined;
  if (identity.boot !== null && bootId() !== null && identity.boot !== bootId()) return false;
  try {
    process.kill(identity.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const started = startOf(identity.pid);
  return identity.started === null || started === null || identity.started === started;
}

function bootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return null;
  }
}

function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field, a name in parentheses, may hold anything; the start is the 20th after it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
