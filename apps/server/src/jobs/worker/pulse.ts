import { setTimeout as pause } from 'node:timers/promises';
import type { JobQueue } from '../queue/job-queue.ts';
import type { Run, RunProgress } from './run-record.ts';
import { ToldOnce } from './told-once.ts';

/** Time between two looks at whether the job is still ours, which also write down how far it is. */
const pulseMs = 1000;

export interface Pulse {
  /** At once, besides the regular ones. */
  beat(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Tells the queue that this process lives and the record how far the work is, until the end is recorded; aborts `lost`
 * when the job is taken away.
 */
export function keepPulse(
  {
    queue,
    logError,
  }: { readonly queue: JobQueue; readonly logError: (error: unknown, jobId: string) => void },
  run: Run,
  progress: RunProgress,
  lost: AbortController,
): Pulse {
  const silenceMs = queue.heartbeatSeconds * 1000;
  let heard = performance.now();
  let touched = heard;
  const log = new ToldOnce((error) => logError(error, run.job.id));
  const beat = async (): Promise<void> => {
    try {
      if (!(await progress.write())) return lost.abort();
      if (performance.now() - touched > silenceMs / 4) {
        await queue.signOfLife(run.claim);
        touched = performance.now();
      }
      heard = performance.now();
      log.wentWell();
    } catch (error) {
      log.failed(error);
      // By now somebody else has it.
      if (performance.now() - heard > silenceMs) lost.abort();
    }
  };
  const stopped = new AbortController();
  const beating = (async () => {
    while (!stopped.signal.aborted && !lost.signal.aborted) {
      await beat();
      await pause(pulseMs, undefined, { signal: stopped.signal, ref: false }).catch(() => undefined);
    }
  })();
  return {
    beat,
    stop: () => {
      stopped.abort();
      return beating;
    },
  };
}
