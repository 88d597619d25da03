import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlobStore } from '@cellfolio/bytes';
import { type Database, migrate } from '@cellfolio/platform';
import { type OpenedObjectStore, openObjectStore } from '@cellfolio/store';
import { type Logger, pino } from 'pino';
import type { DemoAccounts } from '../features/demo/index.ts';
import { Jobs } from '../features/uploads/index.ts';
import type { Probes } from '../runtime/http/routes.ts';
import { DatabaseOutages } from '../runtime/observability/database-outages.ts';
import { reservationsOf } from '../runtime/remote/reservation.ts';
import { logSettings } from '../runtime/observability/log-settings.ts';
import { type Observers, openObservers } from './observers.ts';
import { diskFullAdvice, keepReserve } from './disk-reserve.ts';
import { openDatabaseOf, openFiles } from './open-stores.ts';
import { paths } from './paths.ts';
import { diskFull, Readiness } from './readiness.ts';
import type { Settings } from './settings/read-settings.ts';

export interface RunningServer {
  siteUrl: string;
  metricsUrl: string | undefined;
  demoAccounts: DemoAccounts;
  close(): Promise<void>;
}

/** Resources that processes of every role open. */
export interface OpenProcess {
  database: Database;
  observers: Observers;
  blobs: BlobStore;
  objects: OpenedObjectStore;
  probes: Probes;
  log: Logger;
  /** For the settings of further loggers of this process. */
  outages: DatabaseOutages;
  ready(): void;
  /** Registers a resource. Resources are closed in reverse order of opening. */
  keep<T extends { close(): Promise<unknown> }>(resource: T): T;
  close(): Promise<void>;
  /** Reports the process as not ready, waits for `working` to end, then closes all resources. */
  stop(...working: readonly { close(): Promise<unknown> }[]): Promise<void>;
}

/** Opens the database, applies its migrations, and opens the stores. */
export async function openProcess(
  settings: Settings,
  onStage: (stage: string) => void,
): Promise<OpenProcess> {
  const times = new StartTimes();
  const outages = new DatabaseOutages();
  const log = pino(logSettings(settings.logLevel, outages));
  await mkdir(settings.dataDir, { recursive: true });
  times.end('program');
  onStage('Opening the database');
  const resources = new AsyncDisposableStack();
  const keep: OpenProcess['keep'] = (resource) =>
    resources.adopt(resource, async (one) => void (await one.close()));
  const database = keep(
    await openDatabaseOf(settings, (line, error) => (error ? outages.noteLoss(error) : log.info(line))),
  );
  keep(outages).watch(database, log);
  times.end('database');
  try {
    const observers = keep(await openObservers(settings));
    const objects = keep(await openObjectStore(settings.objects));
    const blobs = keep(await openFiles(settings));
    await migrate(database, paths.migrations);
    times.end('tables and stores');
    const readiness = new Readiness(settings.dataDir, database, objects);
    // It starts all the same: what is missing may come back, and `/readyz` says until when it has not.
    const missing = await readiness.missing();
    if (missing === diskFull)
      log.error(`Reads are answered, and nothing is saved. ${diskFullAdvice(settings.dataDir)}`);
    else if (missing !== undefined) log.error(missing);
    if (database.kind === 'embedded') {
      const onFailure = (error: unknown) =>
        log.warn({ err: error }, 'no space could be reserved on the disk');
      keep(keepReserve(settings.dataDir, onFailure));
    }
    return {
      database,
      observers,
      blobs,
      objects,
      probes: { missing: () => readiness.missing() },
      log,
      outages,
      ready() {
        times.end('services');
        log.info({ seconds: { ...Object.fromEntries(times.steps), whole: times.whole } }, 'ready');
        observers.metrics.started(times.steps);
      },
      keep,
      close: () => resources.disposeAsync(),
      async stop(...working) {
        readiness.stop();
        await Promise.all(working.map((one) => one.close()));
        await resources.disposeAsync();
      },
    };
  } catch (error) {
    await resources.disposeAsync();
    throw error;
  }
}

/** Opens the jobs of this process. With role `api` it creates jobs and reports on those run by other processes. */
export function openJobs(
  settings: Settings,
  { database, blobs, objects, log, observers }: OpenProcess,
  onDatasetChanged: (datasetId: string) => Promise<void>,
): Jobs {
  return new Jobs({
    database,
    blobs,
    objects,
    log,
    onDatasetChanged,
    onRunEnded: (run) => observers.metrics.workedOn(run),
    onLeftovers: (removed) => observers.metrics.removed(removed),
    objectRoot: settings.objects,
    scratchRoot: join(settings.dataDir, 'scratch', 'jobs'),
    reservations: reservationsOf(settings.dataDir),
    heavyJobs: settings.role === 'api' ? 0 : settings.jobWorkers,
    memoryBytes: settings.jobMemoryBytes,
    linkOrigins: settings.linkOrigins,
    fileLimits: settings.userFiles,
  });
}

/** `http://host:port`, with an IPv6 address in brackets. */
export function originOf({ host }: Pick<Settings, 'host'>, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Duration of each step of the start, in seconds. */
class StartTimes {
  readonly #steps = new Map<string, number>();
  /** Milliseconds since the process began. */
  #last = 0;

  end(step: string): void {
    const now = performance.now();
    this.#steps.set(step, Math.round(now - this.#last) / 1000);
    this.#last = now;
  }

  get steps(): ReadonlyMap<string, number> {
    return this.#steps;
  }

  get whole(): number {
    return Math.round(this.#last) / 1000;
  }
}
