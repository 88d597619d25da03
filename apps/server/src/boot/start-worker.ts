import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Jobs, type JobsOptions } from '../features/uploads/index.ts';
import { logSettings } from '../runtime/observability/log-settings.ts';
import { buildWatchApp } from './observers.ts';
import { openProcess, type RunningServer } from './open-process.ts';
import type { Settings } from './settings/read-settings.ts';

/** A process that does jobs and serves nobody; it tells how it is at `/healthz` and `/readyz`. */
export async function startWorker(
  settings: Settings,
  onStage: (stage: string) => void = () => {},
): Promise<RunningServer> {
  const open = await openProcess(settings, onStage);
  try {
    const { database, blobs, objects, observers, probes, log } = open;
    const jobs = openJobs(settings, {
      database,
      blobs,
      objects,
      log,
      // Those who serve datasets find out by their version, or when the file is gone.
      onDatasetChanged: async () => {},
      onRunEnded: (run) => observers.metrics.workedOn(run),
    });
    onStage('Starting the worker');
    const app = await buildWatchApp({ probes, logger: logSettings(settings.logLevel) });
    const metricsUrl = await observers.serve(open);
    await app.listen({ port: settings.port, host: settings.host });
    jobs.start();
    open.ready();
    const { port } = app.server.address() as AddressInfo;
    const host = settings.host.includes(':') ? `[${settings.host}]` : settings.host;
    return {
      siteUrl: `http://${host}:${port}`,
      metricsUrl,
      demoAccounts: [],
      close: () => open.stop(app, jobs),
    };
  } catch (error) {
    await open.opened.close();
    throw error;
  }
}

type Surroundings = Pick<
  JobsOptions,
  'database' | 'blobs' | 'objects' | 'log' | 'onDatasetChanged' | 'onRunEnded'
>;

/** The jobs of this process: an `api` process only writes down and tells what others do. */
export function openJobs(settings: Settings, surroundings: Surroundings): Jobs {
  return new Jobs({
    ...surroundings,
    objectRoot: settings.objects,
    scratchRoot: join(settings.dataDir, 'scratch', 'jobs'),
    heavyJobs: settings.role === 'api' ? 0 : settings.jobWorkers,
    memoryBytes: settings.jobMemoryBytes,
    leaseSeconds: settings.jobHeartbeatSeconds,
  });
}
