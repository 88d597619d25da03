import type { TaskObserver } from './observed.ts';
import type { Metrics } from './metrics.ts';
import type { Tracing } from './tracing.ts';

const clock = (): number => performance.timeOrigin + performance.now();

/** Counts the tasks of the compute threads, and adds each to the trace of its call. */
export function observeTasks(metrics: Metrics, tracing: Tracing | undefined): TaskObserver {
  return {
    begin(kind) {
      const startedAt = clock();
      const call = tracing?.current;
      const traced = call?.isRecording() ? call : undefined;
      return {
        keepReads: traced !== undefined,
        end(how, reads) {
          const endedAt = clock();
          const seconds = (endedAt - startedAt) / 1000;
          const { count = 0, bytes = 0, kept = [] } = reads ?? {};
          metrics.computed({ kind, outcome: how, seconds, reads: count, bytes });
          if (traced) tracing?.task(traced, { kind, startedAt, endedAt, how, reads: kept });
        },
      };
    },
  };
}
