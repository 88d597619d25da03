import { readFileSync } from 'node:fs';

/** Memory of a process, in bytes, as Linux accounts it. */
export interface ProcessMemory {
  /** Resident now (VmRSS), the pages it shares with its files included. */
  readonly resident: number;
  /** Most that was ever resident (VmHWM). Unlike getrusage it leaves out what the parent had at the fork. */
  readonly peak: number;
  /** Resident and not backed by a file (RssAnon): heaps, WASM memory, stacks. */
  readonly anonymous: number;
}

/** Reads /proc. Throws where the process is gone or the system is not Linux. */
export function processMemory(pid: number | 'self'): ProcessMemory {
  return parseStatus(readFileSync(`/proc/${pid}/status`, 'utf8'));
}

export function parseStatus(status: string): ProcessMemory {
  const bytes = (field: string): number => {
    const kibibytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
    if (kibibytes === undefined) throw new RangeError(`the status of the process has no ${field}`);
    return Number(kibibytes) * 1024;
  };
  return { resident: bytes('VmRSS'), peak: bytes('VmHWM'), anonymous: bytes('RssAnon') };
}

export const mebibyte = 2 ** 20;
