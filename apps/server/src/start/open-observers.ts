import type { Database } from '@cellfolio/platform';
import { type Observed, Metrics } from '../observability/metrics.ts';
import { serveMetrics } from '../observability/metrics-server.ts';
import { openTracing } from '../observability/open-tracing.ts';
import type { Tracing } from '../observability/tracing.ts';
import type { Settings } from './environment.ts';

export interface Observers {
  readonly metrics: Metrics;
  readonly tracing: Tracing | undefined;
  /** Begins to tell the metrics, where the settings say so. */
  serve(observed: Omit<Observed, 'database' | 'jobs'>, database: Database): Promise<void>;
  close(): Promise<void>;
}

/** What this process counts and traces. Traces go where the standard variables of OpenTelemetry say. */
export async function openObservers(settings: Settings): Promise<Observers> {
  const metrics = new Metrics();
  const tracing = await openTracing(process.env);
  let close = async (): Promise<void> => {};
  return {
    metrics,
    tracing,
    async serve(observed, database) {
      if (!settings.metrics) return;
      metrics.observe({ ...observed, ...observedDatabase(database) });
      ({ close } = await serveMetrics(metrics, settings.metrics));
    },
    async close() {
      await close();
      await tracing?.close();
    },
  };
}

function observedDatabase({ pool }: Database): Pick<Observed, 'database' | 'jobs'> {
  return {
    database: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    jobs: async () => {
      const { rows } = await pool.query<{ kind: string; state: string; count: number }>(
        `select kind, state, count(*)::int as count from cellfolio.jobs
         where state in ('queued', 'running') group by kind, state`,
      );
      return rows;
    },
  };
}
