import { writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { problemOf, runWork, WorkContext } from '../work/index.ts';
import type { ChildMessage, ParentMessage } from './run-child.ts';

/**
 * The process that does the work of one job: started with the module that implements it, it receives the work and exits
 * after it.
 */

const progressMilliseconds = 250;
const controller = new AbortController();

// The server is gone: what this process writes now would stay on the disk.
process.on('disconnect', () => process.exit(1));
new Worker(new URL('./parent-watch.ts', import.meta.url), {
  workerData: { parent: process.ppid },
  resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
}).unref();
process.on('message', (message: ParentMessage) => {
  if (message.kind === 'cancel') controller.abort();
  else void perform(message).then(() => process.disconnect());
});
preferOomKill();

async function perform({ work, scratch }: Extract<ParentMessage, { kind: 'work' }>): Promise<void> {
  const module = (await import(process.argv[2]!)) as {
    runWork: typeof runWork;
    problemOf: typeof problemOf;
  };
  try {
    const context: WorkContext = {
      scratch,
      signal: controller.signal,
      onProgress: throttled((stage, fraction) => void post({ kind: 'progress', stage, fraction })),
      log: (text) => void post({ kind: 'log', text }),
    };
    await post({ kind: 'result', result: await module.runWork(work, context) });
  } catch (error) {
    const problem = module.problemOf(error);
    const fault = problem.code === 'internal' ? describe(error) : null;
    await post({ kind: 'problem', problem, fault });
  }
}

/** Resolves when the message was sent, or the other end is gone. */
function post(message: ChildMessage): Promise<void> {
  return new Promise((resolve) => {
    if (!process.send || !process.connected) resolve();
    else process.send(message, () => resolve());
  });
}

/** A new stage is reported at once; within a stage only the latest progress, periodically. */
function throttled(report: (stage: string, fraction: number) => void): WorkContext['onProgress'] {
  let last = '';
  let at = 0;
  return (stage, fraction) => {
    const now = performance.now();
    if (stage === last && now - at < progressMilliseconds) return;
    last = stage;
    at = now;
    report(stage, fraction);
  };
}

/** If this machine runs out of memory, this process should be killed first. */
function preferOomKill(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '800');
  } catch {
    // Not every system has them, and nothing depends on it.
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
