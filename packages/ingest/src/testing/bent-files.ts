import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { BentMessage } from './bent-files-child.ts';

export interface BentReport {
  readonly files: number;
  /** How many files of a kind ended in a way, such as `text refused: mismatch`. */
  readonly endings: ReadonlyMap<string, number>;
  readonly failures: readonly string[];
  /** Of the clock, and so longer where others use the machine. */
  readonly slowestSeconds: number;
  /** Most bytes that were ever resident in a process, where the system tells. */
  readonly peak: number;
}

export interface BentLimits {
  /**
   * Seconds of processor time that one file may take in all its threads, and by the clock where the system does not
   * tell. A file that waits instead of working is given up after `PATIENCE` times as long.
   */
  readonly seconds: number;
  /** Bytes that may be resident meanwhile. */
  readonly memory: number;
}

const TICK = 100;
const PATIENCE = 5;
/** Linux counts the processor time of a process in hundredths of a second, whatever its kernel's own clock. */
const TICKS_PER_SECOND = 100;

/**
 * Tries the bent files of the numbers `first` to `first + count` in a process that is watched: one that ends, hangs or
 * takes too much memory is a failure of its file, and the next file gets a new process.
 */
export async function tryBentFiles(
  first: number,
  count: number,
  limits: BentLimits,
  onFile: (number: number) => void = () => undefined,
): Promise<BentReport> {
  const endings = new Map<string, number>();
  const failures: string[] = [];
  let slowest = 0;
  let peak = 0;
  let next = first;
  while (next < first + count) {
    let current = next;
    let since = performance.now();
    let workedBefore = 0;
    let problem = '';
    const child = fork(
      new URL('./bent-files-child.ts', import.meta.url),
      [String(next), String(first + count)],
      {
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      },
    );
    child.on('message', (message: BentMessage) => {
      if ('begins' in message) {
        current = message.begins;
        since = performance.now();
        workedBefore = processorSeconds(child.pid) ?? 0;
        return;
      }
      const { kind, ended, why } = message.outcome;
      const ending = `${kind} ${ended}${ended === 'refused' ? `: ${why}` : ''}`;
      endings.set(ending, (endings.get(ending) ?? 0) + 1);
      if (ended === 'BADLY') failures.push(`file ${message.number} (${kind}): ${why}`);
      slowest = Math.max(slowest, message.milliseconds);
      next = message.number + 1;
      onFile(message.number);
    });
    const watch = setInterval(() => {
      const resident = residentBytes(child.pid);
      peak = Math.max(peak, resident);
      const seconds = (performance.now() - since) / 1000;
      const worked = (processorSeconds(child.pid) ?? workedBefore + seconds) - workedBefore;
      if (worked > limits.seconds) problem = `worked for over ${limits.seconds} s`;
      else if (seconds > limits.seconds * PATIENCE) problem = `took over ${limits.seconds * PATIENCE} s`;
      else if (resident > limits.memory) problem = `took ${resident} bytes of memory`;
      if (problem !== '') child.kill('SIGKILL');
    }, TICK);
    const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
      child.on('close', (...ending) => resolve(ending)),
    );
    clearInterval(watch);
    if (code === 0 && problem === '') continue;
    failures.push(`file ${current}: ${problem || `the process ended with ${code ?? signal}`}`);
    next = current + 1;
  }
  return { files: count, endings, failures, slowestSeconds: slowest / 1000, peak };
}

/** Of all threads since the start of the process; undefined where the system does not tell. */
function processorSeconds(pid: number | undefined): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the name of the program in brackets, which may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
}

/** 0 where the system does not tell. */
function residentBytes(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
