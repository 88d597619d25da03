import type { AddressInfo } from 'node:net';
import { logSettings } from '../runtime/observability/log-settings.ts';
import { buildProbeApp } from './observers.ts';
import { openJobs, openProcess, originOf, type RunningServer } from './open-process.ts';
import type { Settings } from './settings/read-settings.ts';

/** Starts a process that runs jobs and serves only `/healthz` and `/readyz`. */
export async function startWorker(
  settings: Settings,
  onStage: (stage: string) => void,
): Promise<RunningServer> {
  const opened = await openProcess(settings, onStage);
  try {
    // Serving processes notice a change by the dataset's version, or by its missing file.
    const jobs = openJobs(settings, opened, async () => {});
    onStage('Starting the worker');
    const app = await buildProbeApp({
      probes: opened.probes,
      logger: logSettings(settings.logLevel, opened.outages),
    });
    const metricsUrl = await opened.observers.serve(opened);
    await app.listen({ port: settings.port, host: settings.host });
    jobs.start();
    opened.ready();
    const { port } = app.server.address() as AddressInfo;
    return {
      siteUrl: originOf(settings, port),
      metricsUrl,
      demoAccounts: [],
      close: () => opened.stop(app, jobs),
    };
  } catch (error) {
    await opened.close();
    throw error;
  }
}
