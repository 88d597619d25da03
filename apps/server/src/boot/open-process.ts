import { mkdir } from 'node:fs/promises';
import type { BlobStore } from '@cellfolio/bytes';
import { type Database, migrate, openDatabase } from '@cellfolio/platform';
import { openObjectStore, type OpenedObjectStore } from '@cellfolio/store';
import { type Logger, pino } from 'pino';
import type { Probes } from '../runtime/http/routes.ts';
import { logSettings } from '../runtime/observability/log-settings.ts';
import { StartTimes } from '../runtime/observability/start-times.ts';
import { ClosingOrder } from './closing-order.ts';
import type { Settings } from './settings/read-settings.ts';
import { openFiles } from './open-files.ts';
import { type Observers, openObservers } from './open-observers.ts';
import { paths } from './paths.ts';
import { Readiness } from './readiness.ts';
import type { DemoAccounts } from '../features/demo/index.ts';

/** A process that was started, whether it serves or does jobs. */
export interface RunningServer {
  readonly siteUrl: string;
  /** Where the metrics are, where they are told. */
  readonly metricsUrl: string | undefined;
  readonly demoAccounts: DemoAccounts;
  close(): Promise<void>;
}

/** What every process works with, whether it serves or does jobs. */
export interface OpenProcess {
  readonly database: Database;
  readonly observers: Observers;
  readonly blobs: BlobStore;
  readonly objects: OpenedObjectStore;
  readonly probes: Probes;
  readonly log: Logger;
  /** Ends the last part of the start, and tells the log and the metrics what each took. */
  ready(): void;
  /** Keeps what the process opens besides, to be closed before the rest. */
  readonly opened: ClosingOrder;
  /** Sends calls elsewhere from now on, waits for what is working, then closes everything. */
  stop(...working: readonly { close(): Promise<unknown> }[]): Promise<void>;
}

/** Opens the database, with its tables up to date, and the stores. */
export async function openProcess(
  settings: Settings,
  onStage: (stage: string) => void,
): Promise<OpenProcess> {
  const times = new StartTimes();
  const log = pino(logSettings(settings.logLevel));
  await mkdir(settings.dataDir, { recursive: true });
  times.end('program');
  onStage('Opening the database');
  const opened = new ClosingOrder();
  const database = opened.keep(
    await openDatabase({
      dataDir: settings.dataDir,
      log: (line) => log.info(line),
      ...(settings.databaseUrl && { url: settings.databaseUrl }),
    }),
  );
  times.end('database');
  try {
    const observers = opened.keep(await openObservers(settings));
    const objects = opened.keep(await openObjectStore(settings.objects));
    const blobs = opened.keep(await openFiles(settings));
    await migrate(database, paths.migrations);
    times.end('tables and stores');
    const readiness = new Readiness(settings.dataDir, database, objects);
    return {
      database,
      observers,
      blobs,
      objects,
      probes: { missing: () => readiness.missing() },
      log,
      ready() {
        times.end('services');
        log.info({ seconds: { ...Object.fromEntries(times.parts), whole: times.whole } }, 'ready');
        observers.metrics.started(times.parts);
      },
      opened,
      async stop(...working) {
        readiness.stop();
        await Promise.all(working.map((one) => one.close()));
        await opened.close();
      },
    };
  } catch (error) {
    await opened.close();
    throw error;
  }
}
