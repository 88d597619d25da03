import { mkdir } from 'node:fs/promises';
import { type BlobStore, type Database, migrate, openDatabase } from '@cellfolio/platform';
import { openObjectStore, type OpenedObjectStore } from '@cellfolio/store';
import type { Probes } from '../http/services.ts';
import { ClosingOrder } from './closing-order.ts';
import type { Settings } from './environment.ts';
import { openFiles } from './open-files.ts';
import { type Observers, openObservers } from './open-observers.ts';
import { paths } from './paths.ts';
import { Readiness } from './readiness.ts';

/** What every process works with, whether it serves or does jobs. */
export interface OpenProcess {
  readonly database: Database;
  readonly observers: Observers;
  readonly blobs: BlobStore;
  readonly objects: OpenedObjectStore;
  readonly probes: Probes;
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
  await mkdir(settings.dataDir, { recursive: true });
  onStage('Opening the database');
  const opened = new ClosingOrder();
  const database = opened.keep(
    await openDatabase({
      dataDir: settings.dataDir,
      ...(settings.databaseUrl && { url: settings.databaseUrl }),
    }),
  );
  try {
    const observers = opened.keep(await openObservers(settings));
    const objects = opened.keep(await openObjectStore(settings.objects));
    const blobs = opened.keep(openFiles(settings));
    await migrate(database, paths.migrations);
    const readiness = new Readiness(database, objects);
    return {
      database,
      observers,
      blobs,
      objects,
      probes: { missing: () => readiness.missing() },
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
