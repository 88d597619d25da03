import { type ChildProcess, fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { JobProblem } from '@cellfolio/contract';
import { lowerTo } from '../../../runtime/compute/priority.ts';
import type { Work, WorkResults } from '../work/index.ts';

export type ParentMessage = { kind: 'work'; work: Work; scratch: string } | { kind: 'cancel' };

/** Messages from the child process. The last one is a result or a problem; without either the process died. */
export type ChildMessage =
  | { kind: 'progress'; stage: string; fraction: number }
  | { kind: 'log'; text: string }
  | { kind: 'result'; result: WorkResults[Work['kind']] }
  /** `fault` is for the operator only. */
  | { kind: 'problem'; problem: JobProblem; fault: string | null };

export type RunOutcome =
  | { kind: 'result'; result: WorkResults[Work['kind']] }
  | { kind: 'problem'; problem: JobProblem; fault: string | null }
  | { kind: 'stopped' }
  | { kind: 'too-long'; limitMs: number }
  | { kind: 'too-large' }
  /** Died by itself; `how` is for the operator. */
  | { kind: 'died'; how: string };

export interface ChildOptions {
  /** Module that exports `runWork` and `problemOf`. */
  workModule: string;
  work: Work;
  scratch: string;
  /** Memory limit of the whole process in bytes. */
  memoryBytes: number;
  /** Time limit of the work; extended when the machine is too busy to run it. */
  timeLimitMs: number;
  /** Aborting stops the work: first by request, then by force. */
  signal: AbortSignal;
  onProgress: (stage: string, fraction: number) => void;
  onLog: (text: string) => void;
}

const graceMs = 2000;
const watchMs = 500;
/** A process with a smaller share of a processor was starved, and gets proportionally more time. */
const minProcessorShare = 0.5;
const maxWaitFactor = 5;
/** Process memory beyond the work's limit: code, stacks, and files mapped by the system. */
const overheadBytes = 384 * 1024 * 1024;
const errorTail = 4000;
/**
 * Environment passed to the child: none of the server's settings except the compile cache, since compiling again takes
 * a core for a second.
 */
const passedOn = ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR', 'SystemRoot', 'TEMP', 'TMP', 'NODE_COMPILE_CACHE'];

export async function runChild(options: ChildOptions): Promise<RunOutcome> {
  const { work, scratch, signal } = options;
  if (signal.aborted) return { kind: 'stopped' };
  const child = start(options);
  let outcome: RunOutcome | undefined;
  const stop = (how: RunOutcome, graceMilliseconds = 0): void => {
    outcome ??= how;
    if (graceMilliseconds === 0) child.kill('SIGKILL');
    else if (child.connected) send(child, { kind: 'cancel' });
  };
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-errorTail);
  });
  child.on('message', (message: ChildMessage) => {
    if (message.kind === 'progress') options.onProgress(message.stage, message.fraction);
    else if (message.kind === 'log') options.onLog(message.text);
    else outcome ??= message;
  });
  const begun = performance.now();
  const watch = async (): Promise<void> => {
    const bytes = await residentBytes(child.pid);
    if (bytes > options.memoryBytes + overheadBytes) stop({ kind: 'too-large' });
    if (performance.now() - begun < options.timeLimitMs) return;
    const worked = await processorMs(child.pid);
    if (isOverTime({ worked, passed: performance.now() - begun, limit: options.timeLimitMs })) {
      stop({ kind: 'too-long', limitMs: options.timeLimitMs });
    }
  };
  const timers: NodeJS.Timeout[] = [setInterval(() => void watch(), watchMs)];
  const cancel = (): void => {
    stop({ kind: 'stopped' }, graceMs);
    timers.push(setTimeout(() => child.kill('SIGKILL'), graceMs));
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    send(child, { kind: 'work', work, scratch });
    const how = await endOf(child);
    return outcome ?? crashOutcome(how, stderr);
  } finally {
    signal.removeEventListener('abort', cancel);
    for (const timer of timers) clearTimeout(timer);
  }
}

function start({ workModule, memoryBytes }: ChildOptions): ChildProcess {
  const heapMb = Math.max(128, Math.floor((memoryBytes * 0.75) / 1024 ** 2));
  const child = fork(fileURLToPath(new URL('./child.ts', import.meta.url)), [workModule], {
    execArgv: [`--max-old-space-size=${heapMb}`],
    // Nothing of the server's secrets: the work opens files that strangers wrote.
    env: Object.fromEntries(
      passedOn.flatMap((name) => {
        // name-dictionary: the names above
        const value = process.env[name];
        return value === undefined ? [] : [[name, value]];
      }),
    ),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'json',
  });
  // Others' requests come first. Here, not there: to load what it needs takes a core for a second, in several threads.
  if (child.pid !== undefined) lowerTo(15, child.pid);
  return child;
}

function send(child: ChildProcess, message: ParentMessage): void {
  // A process that is gone cannot hear; its end is heard elsewhere.
  child.send(message, () => {});
}

/** Resolves when the process has exited and all its output was received. */
function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
}

function crashOutcome(how: string, stderr: string): RunOutcome {
  if (/heap out of memory|Cannot enlarge memory|Array buffer allocation failed/i.test(stderr)) {
    return { kind: 'too-large' };
  }
  return { kind: 'died', how: stderr === '' ? how : `${how}: ${stderr}` };
}

/**
 * Whether work has used up its time limit, in milliseconds of processor and clock: on an overloaded machine the clock
 * alone says nothing about the file. `worked` is undefined when the system does not report it.
 */
export function isOverTime({
  worked,
  passed,
  limit,
}: {
  worked: number | undefined;
  passed: number;
  limit: number;
}): boolean {
  if (passed < limit) return false;
  return worked === undefined || worked >= limit * minProcessorShare || passed >= limit * maxWaitFactor;
}

/** Processor time of all its threads; undefined when the system does not report it. */
async function processorMs(pid: number | undefined): Promise<number | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The name of the program comes before, in parentheses, and may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    // A hundred ticks a second, whatever the kernel was built for.
    return Number.isFinite(ticks) ? ticks * 10 : undefined;
  } catch {
    return undefined;
  }
}

/** 0 when the system does not report it. */
async function residentBytes(pid: number | undefined): Promise<number> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
