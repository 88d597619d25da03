import type { AddressInfo } from 'node:net';
import {
  Admission,
  type AdmissionLimits,
  createServiceAdmissions,
  RecentUsers,
  type ServiceAdmissions,
} from '@cellfolio/platform';
import { serverFigures } from '../features/explore/index.ts';
import { keepSweeping } from '../features/uploads/index.ts';
import { ComputePool } from '../runtime/compute/compute-pool.ts';
import { lowerHelperThreads } from '../runtime/compute/priority.ts';
import { IdleMemory } from '../runtime/limits/idle-memory.ts';
import { memoryGuard } from '../runtime/limits/memory-guard.ts';
import { logSettings } from '../runtime/observability/log-settings.ts';
import { observeTasks } from '../runtime/observability/tracing.ts';
import type { AnalysisServices } from './analysis-services.ts';
import { type AppOptions, buildApp } from './app.ts';
import { type OpenProcess, openProcess, type RunningServer } from './open-process.ts';
import { paths } from './paths.ts';
import { openSite, platformOptions } from './platform-options.ts';
import { createServices, type Services } from './services.ts';
import type { Settings } from './settings/read-settings.ts';
import { startWorker } from './start-worker.ts';

/** Starts a process of any role. `onStage` is called with each stage of the start, `onRoute` with each route. */
export async function startServer(
  settings: Settings,
  onStage: (stage: string) => void = () => {},
  onRoute?: AppOptions['onRoute'],
): Promise<RunningServer> {
  if (settings.role === 'worker') return startWorker(settings, onStage);
  const opened = await openProcess(settings, onStage);
  try {
    onStage('Starting the server');
    const compute = openCompute(settings, opened);
    lowerHelperThreads();
    const site = await openSite(settings, opened);
    const { turns, recent, ...admissions } = callLimits(settings, opened, compute.threads);
    const created = createServices(settings, { opened, site, compute, ...admissions });
    const { services, analyses, own, jobs } = created;
    const app = await buildApp({
      services,
      platform: platformOptions(settings, { opened, site, figures: serverFigures(services), turns }),
      recent,
      webFolder: paths.webApp,
      docsFolder: paths.docs,
      secure: site.origin.startsWith('https:'),
      captchaSources: settings.signIn.captchaSources,
      trustedProxies: settings.trustedProxies,
      storageBytes: settings.userFiles.quotaBytes,
      logger: logSettings(settings.logLevel, opened.outages),
      observers: callObservers(settings, opened, analyses),
      onRoute,
    });
    if (settings.trustsEveryCaller) {
      app.log.warn(
        'TRUST_PROXY: every caller that reaches this port can forge the address of a client. Set the addresses of the proxies instead.',
      );
    }
    const stopSweeping = keepSweeping(own, (error) => app.log.warn({ err: error }, 'sweep failed'));
    app.addHook('onClose', async () => stopSweeping());
    const preparing = new AbortController();
    app.addHook('onClose', async () => preparing.abort());
    // Closing waits for running calls, and a pull would take minutes.
    app.addHook('preClose', () => services.pulls.close());
    opened.observers.metrics.watchCalls({
      computeThreads: compute.threads,
      tasksWaiting: () => compute.waiting,
      callsRunning: () => admissions.admission.running,
      callsWaiting: () => admissions.admission.waiting,
      caches: analyses.caches,
    });
    const metricsUrl = await opened.observers.serve(opened);
    await app.listen({ port: settings.port, host: settings.host });
    jobs.start();
    opened.ready();
    prepareLater(services, preparing.signal, (error) =>
      app.log.warn({ err: error }, 'datasets not prepared'),
    );
    const { port } = app.server.address() as AddressInfo;
    return {
      siteUrl: site.origin.replace(/:0$/, `:${port}`),
      metricsUrl,
      demoAccounts: site.demoAccounts,
      close: () => opened.stop(app, jobs),
    };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** The first pages after a start have been answered by then. */
const prepareAfterMilliseconds = 10_000;

/** Opens the datasets for queries across all of them, at low priority. */
function prepareLater(
  { geneFinder }: Pick<Services, 'geneFinder'>,
  signal: AbortSignal,
  onFailure: (error: unknown) => void,
): void {
  setTimeout(() => {
    if (!signal.aborted) geneFinder.prepare(signal).catch(onFailure);
  }, prepareAfterMilliseconds).unref();
}

function openCompute(settings: Settings, { keep, observers }: OpenProcess): ComputePool {
  return keep(
    new ComputePool(
      {
        threadModule: paths.computeThread,
        objects: settings.objects,
        expressionCacheBytes: settings.expressionCacheBytes,
        openDatasets: settings.openDatasets,
        taskMilliseconds: settings.taskMilliseconds,
        warmFigures: settings.warmFigures,
        heapBytes: settings.threadHeapBytes,
        threads: settings.computeThreads,
      },
      observeTasks(observers.metrics, observers.tracing),
    ),
  );
}

function callLimits(
  { callsPerUser }: Settings,
  { database, observers }: OpenProcess,
  threads: number,
): Record<'admission' | 'visitorTurns' | 'exports', Admission> & {
  turns: ServiceAdmissions;
  recent: RecentUsers;
} {
  const recent = new RecentUsers();
  const shared = {
    onTurnedAway: (scope: 'user' | 'server') => observers.metrics.turnedAway(scope),
    recent,
  };
  const limited = (limits: AdmissionLimits): Admission =>
    new Admission(limits, { ...shared, memoryShort: memoryGuard() });
  return {
    // Enough calls to keep all threads busy, and a limit of the figures held in memory.
    admission: limited({
      running: Math.max(callsPerUser, 3 * threads),
      runningPerUser: callsPerUser,
      waiting: 100 * threads,
      waitingPerUser: 60,
      queueTimeoutMilliseconds: 30_000,
      // The threads share their time fairly by themselves; the main thread spends about 4 ms on each call.
      budget: { milliseconds: 300, share: 0.1, costOf: () => 10 },
    }),
    // Visitors are many or none: together they run as much as half of one user may, one call of each network at a time.
    visitorTurns: limited({
      running: 2,
      runningPerUser: 1,
      waiting: 60,
      waitingPerUser: 12,
      queueTimeoutMilliseconds: 15_000,
    }),
    // An export may hold 40 MiB until its client has received it; slow clients are ended while others wait.
    exports: limited({
      running: 12,
      runningPerUser: 2,
      waiting: 48,
      waitingPerUser: 2,
      queueTimeoutMilliseconds: 30_000,
    }),
    turns: createServiceAdmissions(database.kind, shared),
    recent,
  };
}

function callObservers(
  settings: Settings,
  { observers, database, log, keep }: OpenProcess,
  { releaseMemory }: AnalysisServices,
): AppOptions['observers'] {
  const idle = keep(
    new IdleMemory({
      release: [releaseMemory, () => database.giveBack()],
      onFailure: (error) => log.warn({ err: error }, 'memory not released'),
    }),
  );
  return {
    metrics: observers.metrics,
    tracing: observers.tracing,
    slowMilliseconds: settings.slowCallMilliseconds,
    onCall: () => idle.called(),
  };
}
