import type { AddressInfo } from 'node:net';
import { buildWatchApp } from './watch-app.ts';
import { logSettings } from '../runtime/observability/log-settings.ts';
import type { Settings } from './settings/read-settings.ts';
import { openJobs } from './open-jobs.ts';
import { type RunningServer, openProcess } from './open-process.ts';

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
