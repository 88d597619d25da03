import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import {
  Admission,
  type AdmissionLimits,
  type AdmissionOptions,
  createTurns,
  type ProjectKeys,
  provisionKeys,
  RecentUsers,
} from '@cellfolio/platform';
import { type AppOptions, buildApp } from './app.ts';
import { ComputePool } from '../runtime/compute/compute-pool.ts';
import { OpenDatasets } from '../runtime/compute/open-datasets.ts';
import type { Services } from './services.ts';
import { memoryGuard } from '../runtime/limits/memory-guard.ts';
import { QuietMemory } from '../runtime/limits/quiet-memory.ts';
import { logSettings } from '../runtime/observability/log-settings.ts';
import { observeTasks } from '../runtime/observability/observe-tasks.ts';
import { AccessPolicy } from '../runtime/http/access-policy.ts';
import { analysisServices } from './analysis-services.ts';
import { ProgressHub } from '../runtime/progress/progress-hub.ts';
import { PostgresProgressRelay } from '../runtime/progress/progress-relay.ts';
import { rememberAccounts } from '../runtime/http/remembered-accounts.ts';
import { openMail } from './mail.ts';
import type { Settings } from './settings/read-settings.ts';
import { openJobs } from './open-jobs.ts';
import { type RunningServer, openProcess } from './open-process.ts';
import { paths } from './paths.ts';
import { platformAccounts } from './platform-accounts.ts';
import { startWorker } from './start-worker.ts';
import { webhookSms } from './webhook-sms.ts';
import { LibraryPulls, StoredLibraries } from '../features/gene-sets/index.ts';
import { ActiveDatasets } from '../features/selection/index.ts';
import { Catalogue, ReadableDatasets } from '../features/catalogue/index.ts';
import { ExplorerLinks, ownFigures } from '../features/explore/index.ts';
import { DatasetBuilds, keepSweeping, OwnDatasets, OwnFiles } from '../features/uploads/index.ts';
import { type DemoAccounts, demoAccounts } from '../features/demo/index.ts';

/** Opens everything, listens (`onStage` hears what it is at), and hands back what closes it again in the right order. */
export async function startServer(
  settings: Settings,
  onStage: (stage: string) => void = () => {},
  onRoute?: AppOptions['onRoute'],
): Promise<RunningServer> {
  if (settings.role === 'worker') return startWorker(settings, onStage);
  const open = await openProcess(settings, onStage);
  const { database, observers, blobs, objects, probes, log, opened } = open;
  try {
    onStage('Starting the server');
    const pool = opened.keep(
      new ComputePool(
        {
          threadModule: paths.computeThread,
          objects: settings.objects,
          expressionCacheBytes: settings.expressionCacheBytes,
          openDatasets: settings.openDatasets,
          taskMilliseconds: settings.taskMilliseconds,
          heapBytes: settings.threadHeapBytes,
          threads: settings.computeThreads,
        },
        observeTasks(observers.metrics, observers.tracing),
      ),
    );
    const mail = opened.keep(openMail(settings));
    const keys = await provisionKeys(database);
    const accounts = settings.demo ? await demoAccounts(database, settings.dataDir) : [];
    const port = settings.port;
    const origin =
      settings.siteUrl ??
      `http://${settings.host.includes(':') ? `[${settings.host}]` : settings.host}:${port}`;
    // The event loop only looks genes and columns up; expression is read in the compute threads.
    const datasets = new OpenDatasets(objects, { datasets: settings.openDatasets, cacheBytes: 0 });
    const catalogue = new Catalogue(objects, datasets, ({ id, reason, cause }) =>
      log.error({ dataset: id, reason, err: cause }, 'dataset damaged'),
    );
    const analyses = analysisServices({
      compute: pool,
      datasets,
      objects,
      figureCacheBytes: settings.figureCacheBytes,
    });
    const own = new OwnDatasets({
      objects,
      files: new OwnFiles(database),
      builds: new DatasetBuilds(database),
      drop: analyses.dropDataset,
    });
    const readable = new ReadableDatasets({ catalogue, own });
    const jobs = openJobs(settings, {
      database,
      blobs,
      objects,
      log,
      onDatasetChanged: (datasetId) => own.forget(datasetId),
      onRunEnded: (run) => observers.metrics.workedOn(run),
    });
    const letting: AdmissionOptions = {
      onTurnedAway: (whose) => observers.metrics.turnedAway(whose),
      recent: new RecentUsers(),
    };
    const [admission, exports] = [admissionLimits(settings, pool.threads), exportLimits].map(
      (limits) => new Admission(limits, { ...letting, memoryShort: memoryGuard() }),
    ) as [Admission, Admission];
    const quiet = opened.keep(
      new QuietMemory({
        giveBack: [analyses.giveBack, () => database.giveBack()],
        onFailure: (error) => log.warn({ err: error }, 'memory not given back'),
      }),
    );
    // The embedded database serves one process, which tells itself.
    const relay = database.kind === 'postgres' ? opened.keep(new PostgresProgressRelay(database)) : undefined;
    const services: Services = {
      ...analyses,
      access: new AccessPolicy(
        [keys.apiKey, keys.publishableKey],
        rememberAccounts(platformAccounts(database, { publicUrl: origin, trialDays: settings.trialDays })),
      ),
      catalogue,
      readable,
      datasets,
      active: new ActiveDatasets(database, readable),
      links: new ExplorerLinks(database),
      progress: new ProgressHub(relay),
      admission,
      exports,
      pulls: new LibraryPulls(new StoredLibraries(objects), {
        base: settings.geneSetUrl,
        timeoutMilliseconds: settings.geneSetTimeoutMilliseconds,
      }),
      jobs: jobs.own,
      publicConfig: publicConfig(settings, keys, accounts),
      siteUrl: settings.siteUrl,
      limits: { genesPerCall: settings.maxGenesPerCall },
      ...probes,
    };
    const app = await buildApp({
      services,
      platform: {
        database,
        siteUrl: origin,
        publicUrl: origin,
        publishableKey: keys.publishableKey,
        secretKey: keys.secretKey,
        settings: {
          signUpEnabled: settings.signUp,
          autoConfirm: mail.autoConfirm,
          trustProxy: settings.trustedProxies > 0,
          rateLimits: { mailsPerHour: settings.mailsPerHour },
          ...settings.signIn.platform,
        },
        mailer: mail.mailer,
        ...(settings.signIn.sms && { sms: webhookSms(settings.signIn.sms) }),
        scratchFolder: join(settings.dataDir, 'scratch', 'answers'),
        storage: { blobs },
        functions: { ...settings.functions, ownFigures: ownFigures(services) },
        turns: createTurns(database.kind, letting),
      },
      webFolder: paths.webApp,
      secure: origin.startsWith('https:'),
      captchaSources: settings.signIn.captchaSources,
      trustedProxies: settings.trustedProxies,
      logger: logSettings(settings.logLevel),
      observers: {
        metrics: observers.metrics,
        tracing: observers.tracing,
        slowMilliseconds: settings.slowCallMilliseconds,
        called: () => quiet.called(),
      },
      onRoute,
    });
    const stopSweeping = keepSweeping(own, (error) => app.log.warn({ err: error }, 'sweep failed'));
    app.addHook('onClose', async () => stopSweeping());
    // Calls under way are waited for, and a pull would take minutes.
    app.addHook('preClose', () => services.pulls.close());
    observers.metrics.watchCalls({
      computeThreads: pool.threads,
      tasksWaiting: () => pool.waiting,
      callsRunning: () => admission.running,
      callsWaiting: () => admission.waiting,
      caches: analyses.caches,
    });
    const metricsUrl = await observers.serve(open);
    await app.listen({ port, host: settings.host });
    jobs.start();
    open.ready();
    const listening = (app.server.address() as AddressInfo).port;
    return {
      siteUrl: origin.replace(/:0$/, `:${listening}`),
      metricsUrl,
      demoAccounts: accounts,
      close: () => open.stop(app, jobs),
    };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/**
 * A thread is never idle while another call is being answered, and no more figures than that are held at once. Who waits
 * half a minute has better come again.
 */
function admissionLimits({ callsPerUser }: Settings, threads: number): AdmissionLimits {
  return {
    running: Math.max(callsPerUser, 3 * threads),
    runningPerUser: callsPerUser,
    waiting: 100 * threads,
    waitingPerUser: 60,
    patienceMilliseconds: 30_000,
  };
}

/** Each may hold some 40 MiB, for as long as its client takes. */
const exportLimits: AdmissionLimits = {
  running: 6,
  runningPerUser: 2,
  waiting: 12,
  waitingPerUser: 2,
  patienceMilliseconds: 30_000,
};

function publicConfig(
  settings: Settings,
  keys: ProjectKeys,
  accounts: DemoAccounts,
): Services['publicConfig'] {
  return {
    publishableKey: keys.publishableKey,
    apiKey: keys.apiKey,
    trialDays: settings.trialDays,
    limits: { genesPerCall: settings.maxGenesPerCall },
    ...(accounts.length > 0 && { demoAccounts: accounts }),
    signIn: settings.signIn.shown,
    features: {
      signUp: settings.signUp,
      upload: true,
      aiAnalysis: settings.functions.analysis?.enabled !== false,
      aiAnalysisKind: settings.functions.analysis?.model ? 'model' : 'summary',
      checkout: settings.functions.payments !== undefined,
    },
  };
}
