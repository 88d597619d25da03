import { job } from '@cellfolio/contract';
import type { Database } from '@cellfolio/platform';
import fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import { requestValidatorCompiler } from '../runtime/http/request-checks.ts';
import { getHealth, getMetrics, getReady, type Probes } from '../runtime/http/routes.ts';
import { Metrics } from '../runtime/observability/metrics.ts';
import type { ObservedDatabase, ObservedJobs, ObservedTable } from '../runtime/observability/observed.ts';
import { openTracing, type Tracing } from '../runtime/observability/tracing.ts';
import type { Settings } from './settings/read-settings.ts';

export interface Observers {
  metrics: Metrics;
  tracing: Tracing | undefined;
  /** Serves metrics and probes on the metrics port. Returns the address of the metrics; undefined without such a port. */
  serve(observed: { database: Database; probes: Probes }): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Opens metrics, and tracing as the standard variables of OpenTelemetry configure it. */
export async function openObservers(settings: Pick<Settings, 'metrics'>): Promise<Observers> {
  const metrics = new Metrics();
  const tracing = await openTracing(process.env);
  let close = async (): Promise<void> => {};
  return {
    metrics,
    tracing,
    async serve({ database, probes }) {
      if (!settings.metrics) return undefined;
      metrics.watchDatabase(observedDatabase(database));
      const app = await buildProbeApp({ probes, metrics, logger: false });
      const address = await app.listen(settings.metrics);
      close = () => app.close();
      return `${address}/metrics`;
    },
    async close() {
      await close();
      await tracing?.close();
    },
  };
}

/** Includes kinds and states with a count of 0, so that an alert can end. */
const openJobs = `
  select kind, state, count(job.id)::int as count,
    coalesce(extract(epoch from now() - min(case state when 'queued' then job.created_at else job.started_at end)), 0)::float8
      as oldest
  from unnest($1::text[]) kind cross join unnest(array['queued', 'running']) state
    left join cellfolio.jobs job using (kind, state)
  group by kind, state`;

/** Uses file sizes and planner estimates, because counting would read all rows. */
const tables = `
  select n.nspname || '.' || c.relname as table, case when c.reltuples < 0 then 'NaN' else c.reltuples::float8 end as rows,
    pg_total_relation_size(c.oid)::float8 as bytes
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ('auth', 'cellfolio', 'public', 'storage') and c.relkind = 'r'`;

function observedDatabase({ pool }: Database): ObservedDatabase {
  return {
    connections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    jobs: async () => (await pool.query<ObservedJobs>(openJobs, [job.shape.kind.options])).rows,
    tables: async () => (await pool.query<ObservedTable>(tables)).rows,
  };
}

/** The app of the metrics port, or of a worker's probes; the caller listens and closes. */
export async function buildProbeApp(options: {
  probes: Probes;
  /** Undefined for probes only. */
  metrics?: Metrics;
  logger: NonNullable<FastifyServerOptions['logger']>;
}): Promise<FastifyInstance> {
  // Keep-alive connections of monitoring must not delay the shutdown.
  const app = fastify({ logger: options.logger, forceCloseConnections: true });
  app.setValidatorCompiler(requestValidatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  for (const route of [getHealth, getReady]) await app.register(route, { services: options.probes });
  if (options.metrics) await app.register(getMetrics, { metrics: options.metrics });
  return app;
}
