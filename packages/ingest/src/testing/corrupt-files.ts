import { fork } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import type { CorruptMessage } from './corrupt-files-child.ts';

interface CorruptReport {
  files: number;
  endings: ReadonlyMap<string, number>;
  failures: readonly string[];
  /** Wall-clock time, so longer on a busy machine. */
  slowestSeconds: number;
  peak: number;
}

interface CorruptLimits {
  /** Maximum seconds per file, not counting the time it waited for a processor. */
  seconds: number;
  /** Maximum resident bytes. */
  memory: number;
}

const tickMilliseconds = 100;

/**
 * Tries the corrupt files of the numbers `first` to `first + count` in a watched process: an exit, a hang or excessive
 * memory fails its file, and the next file gets a new process.
 */
export async function tryCorruptFiles(
  first: number,
  count: number,
  limits: CorruptLimits,
  onFile: (number: number) => void = () => undefined,
): Promise<CorruptReport> {
  const endings = new Map<string, number>();
  const failures: string[] = [];
  let slowest = 0;
  let peak = 0;
  let next = first;
  while (next < first + count) {
    let current = next;
    let since = performance.now();
    let problem = '';
    const child = fork(
      new URL('./corrupt-files-child.ts', import.meta.url),
      [String(next), String(first + count)],
      {
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      },
    );
    let queue = new ProcessorQueue(child.pid);
    child.on('message', (message: CorruptMessage) => {
      if ('begins' in message) {
        current = message.begins;
        since = performance.now();
        queue = new ProcessorQueue(child.pid);
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
      const seconds = (performance.now() - since) / 1000 - queue.waited();
      if (seconds > limits.seconds) problem = `took over ${limits.seconds} s`;
      else if (resident > limits.memory) problem = `took ${resident} bytes of memory`;
      if (problem !== '') child.kill('SIGKILL');
    }, tickMilliseconds);
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

/** 0 if the system does not report it. */
function residentBytes(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Time a process spent waiting for a processor: on Linux, 0 elsewhere. */
class ProcessorQueue {
  readonly #pid: number | undefined;
  readonly #before = new Map<string, number>();
  #seconds = 0;

  constructor(pid: number | undefined) {
    this.#pid = pid;
    this.#look();
    this.#seconds = 0;
  }

  /**
   * Seconds since construction that its threads waited for a processor; among simultaneous waits the longest counts.
   */
  waited(): number {
    this.#seconds += this.#look();
    return this.#seconds;
  }

  #look(): number {
    let longest = 0;
    for (const [thread, nanoseconds] of waitsOf(this.#pid)) {
      longest = Math.max(longest, nanoseconds - (this.#before.get(thread) ?? 0));
      this.#before.set(thread, nanoseconds);
    }
    return longest / 1e9;
  }
}

/** Per thread, see https://docs.kernel.org/scheduler/sched-stats.html; empty where the system does not report it. */
function waitsOf(pid: number | undefined): [string, number][] {
  const folder = `/proc/${pid}/task`;
  try {
    return readdirSync(folder).map((thread) => {
      const [, waited] = readFileSync(`${folder}/${thread}/schedstat`, 'latin1').split(' ');
      return [thread, Number(waited)];
    });
  } catch {
    return [];
  }
}
