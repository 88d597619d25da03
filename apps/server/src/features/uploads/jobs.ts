import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlobStore } from '@cellfolio/bytes';
import type { Database } from '@cellfolio/platform';
import { pruneRows } from '../quotas/index.ts';
import {
  customDatasetId,
  DatasetNotFound,
  type ObjectStore,
  readManifest,
  removeDataset,
  type StorePlace,
  sweepDatasets,
} from '@cellfolio/store';
import { replacedCode } from './file-records.ts';
import { publicArchives } from '../../runtime/archives/linked-datasets.ts';
import type { ObservedLeftovers, ObservedRun } from '../../runtime/observability/observed.ts';
import { removeStale } from '../../runtime/remote/download.ts';
import { removeLeftovers } from './leftovers.ts';
import { type LinkRules, UserLinks } from './linked-data/own-links.ts';
import { UserJobs } from './own-jobs.ts';
import type { UserFileLimits } from '../quotas/index.ts';
import type { UserFileContext } from './store-own-file.ts';
import { JobWorker } from './worker/job-worker.ts';
import { defaultAwayMs, type RunDeps } from './worker/run-job.ts';
import { defaultLeaseSeconds, forgetOldJobs } from './job-table.ts';

export interface JobsOptions {
  database: Database;
  blobs: BlobStore;
  objects: ObjectStore;
  objectRoot: StorePlace;
  /** Local folder for the scratch folders of runs; anything in it may be deleted. */
  scratchRoot: string;
  /** As for `download`. */
  reservations: string;
  /** Maximum number of concurrent heavy jobs in this process; 0: it runs none. */
  heavyJobs: number;
  /** Memory limit of one job's work, in bytes. */
  memoryBytes: number;
  fileLimits: UserFileLimits;
  log: UserFileContext['log'];
  /** A user's dataset was removed or rebuilt: caches of it in this process are stale. */
  onDatasetChanged: (datasetId: string) => Promise<void>;
  /** Called when this process has worked on a job, for metrics. */
  onRunEnded?: (run: ObservedRun) => void;
  /** Called when this process has removed data that no file row names. */
  onLeftovers?: (removed: ObservedLeftovers) => void;
  /** Module that does the work; default: the real one. */
  workModule?: string;
  timeLimitsMs?: RunDeps['timeLimitsMs'];
  leaseSeconds?: number;
  awayMs?: number;
  /** Origins on private networks that links may point to, such as `https://files.example.org`. */
  linkOrigins?: readonly string[];
  /** Archive addresses; default: the public ones. */
  archives?: LinkRules['archives'];
  downloadPauses?: readonly number[];
}

const cleanUpEveryMs = 3600_000;

export class Jobs {
  readonly own: UserJobs;
  readonly linkedData: UserLinks;
  readonly #options: JobsOptions;
  readonly #worker: JobWorker | undefined;
  readonly #housekeeping: HousekeepingDeps;
  #timer: NodeJS.Timeout | undefined;
  #cleaning: Promise<void> = Promise.resolve();

  constructor(options: JobsOptions) {
    const { database, blobs, objects, objectRoot, scratchRoot, reservations, log, heavyJobs } = options;
    const logError = (error: unknown, jobId?: string): void =>
      log.error({ err: error, job: jobId }, 'a job or the queue of jobs failed');
    const remove = (fileId: string) => this.#removeDataset(fileId);
    const downloadRoot = join(scratchRoot, 'downloads');
    const origins = new Set(options.linkOrigins);
    const mayBePrivate = ({ origin }: URL) => origins.has(origin);
    this.#options = options;
    this.#housekeeping = {
      database,
      objects,
      objectRoot,
      scratchRoot,
      downloadRoot,
      removeDataset: remove,
      log,
      onLeftovers: options.onLeftovers ?? (() => {}),
    };
    this.#worker =
      heavyJobs === 0
        ? undefined
        : new JobWorker({
            database,
            blobs,
            storage: { log, now: Date.now, limits: options.fileLimits },
            objectRoot,
            scratchRoot,
            downloadRoot,
            reservations,
            mayBePrivate,
            downloadPauses: options.downloadPauses,
            workModule: options.workModule ?? new URL('./work/index.ts', import.meta.url).href,
            memoryBytes: options.memoryBytes,
            timeLimitsMs: options.timeLimitsMs ?? {},
            awayMs: options.awayMs ?? defaultAwayMs,
            heavyJobs,
            leaseSeconds: options.leaseSeconds ?? defaultLeaseSeconds,
            removeDataset: remove,
            settleDataset: (fileId, jobId) => this.#settleDataset(fileId, jobId),
            clearOutdated: (fileId) => this.#clearOutdated(fileId),
            onBuilt: options.onDatasetChanged,
            onRunEnded: options.onRunEnded ?? (() => {}),
            logError,
          });
    const ownDeps = {
      database,
      quotaBytes: options.fileLimits.quotaBytes,
      wake: () => this.wake(),
    };
    this.own = new UserJobs(ownDeps);
    this.linkedData = new UserLinks({
      ...ownDeps,
      mayBePrivate,
      archives: options.archives ?? publicArchives,
    });
  }

  start(): void {
    if (!this.#worker) return;
    this.#cleaning = this.#worker.start();
    const cleanUp = (): void => {
      this.#cleaning = this.#cleaning
        .then(() => cleanUpJobs(this.#housekeeping))
        .catch((error: unknown) => this.#options.log.warn({ err: error }, 'jobs could not be tidied up now'));
    };
    cleanUp();
    this.#timer = setInterval(cleanUp, cleanUpEveryMs).unref();
  }

  /** Wakes this process's job worker, if it runs one. */
  wake(): void {
    this.#worker?.wake();
  }

  /** Requeues running jobs, within seconds. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#worker?.close();
    await this.#cleaning;
  }

  async #removeDataset(fileId: string): Promise<void> {
    const datasetId = customDatasetId(fileId);
    try {
      await removeDataset(this.#options.objectRoot, datasetId);
    } catch (error) {
      if (!(error instanceof DatasetNotFound)) throw error;
    }
    await this.#options.onDatasetChanged(datasetId);
  }

  /** Removes results from bytes that have been replaced since; the inspection of the new bytes does it first. */
  async #clearOutdated(fileId: string): Promise<void> {
    const { pool } = this.#options.database;
    const { rowCount } = await pool.query(
      'select from cellfolio.custom_datasets where file_id = $1 and outdated',
      [fileId],
    );
    if (!rowCount) return;
    await this.#removeDataset(fileId);
    await pool.query('delete from cellfolio.custom_datasets where file_id = $1 and outdated', [fileId]);
  }

  /** The stored data decides what can be opened: a build may have ended just when it was cancelled. */
  async #settleDataset(fileId: string, jobId: string): Promise<void> {
    const { database, objects, onDatasetChanged } = this.#options;
    const datasetId = customDatasetId(fileId);
    const manifest = await readManifest(objects, datasetId).catch((error: unknown) => {
      if (error instanceof DatasetNotFound) return undefined;
      throw error;
    });
    if (!manifest) return;
    const { rows } = await database.pool.query<{ whole: boolean }>(
      `select exists (select from public.user_files where id = $1) and not exists (
         select from cellfolio.jobs where id = $2 and problem ->> 'code' = $3) as whole`,
      [fileId, jobId, replacedCode],
    );
    if (!rows[0]?.whole) return this.#removeDataset(fileId);
    const { rowCount } = await database.pool.query(
      `update cellfolio.custom_datasets
       set made_before = made_with,
         made_with = jsonb_build_object('version', $2::text, 'columns', columns, 'processing', processing),
         version = $2, cells = $3, genes = $4, processed = $5::jsonb, updated_at = now()
       where file_id = $1 and version is distinct from $2`,
      [
        fileId,
        manifest.version,
        manifest.cellCount,
        manifest.geneCount,
        manifest.processing ? JSON.stringify(manifest.processing) : null,
      ],
    );
    if (rowCount) await onDatasetChanged(datasetId);
  }
}

const keptDays = 30;
const runName = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface HousekeepingDeps extends Required<Pick<JobsOptions, 'log' | 'onLeftovers'>> {
  database: Database;
  objects: ObjectStore;
  objectRoot: StorePlace;
  scratchRoot: string;
  downloadRoot: string;
  removeDataset: (fileId: string) => Promise<void>;
}

/** Cleans up after processes that died, and deletes what is no longer needed. May run anywhere, at any time. */
async function cleanUpJobs(deps: HousekeepingDeps): Promise<void> {
  // First what frees space without writing: the database takes nothing from a full disk.
  await sweepScratch(deps);
  await sweepDownloads(deps);
  await deps.database.pool.query('select cellfolio.inspect_forgotten_files()');
  await forgetOldJobs(deps.database, keptDays);
  await pruneRows(deps.database);
  for (const removed of await removeLeftovers(deps)) {
    if (removed.count === 0) continue;
    deps.log.info(removed, 'removed what no row of a file names');
    deps.onLeftovers(removed);
  }
  await sweepDatasets(deps.objectRoot);
}

async function sweepScratch({ database, scratchRoot }: HousekeepingDeps): Promise<void> {
  // The folders first: a run that begins now has its token written down before its folder is made.
  const names = (await readdir(scratchRoot).catch(() => [])).filter((name) => runName.test(name));
  if (names.length === 0) return;
  const { rows } = await database.pool.query<{ run_token: string }>(
    `select run_token from cellfolio.jobs
     where run_token = any($1::uuid[]) and (state = 'running' or lease_until > now())`,
    [names],
  );
  const alive = new Set(rows.map(({ run_token }) => run_token));
  for (const name of names) {
    if (!alive.has(name)) await rm(join(scratchRoot, name), { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Removes downloads that were not resumed, and those of deleted accounts. */
async function sweepDownloads({ database, downloadRoot }: HousekeepingDeps): Promise<void> {
  const users = (await readdir(downloadRoot).catch(() => [])).filter((name) => runName.test(name));
  if (users.length === 0) return;
  const { rows } = await database.pool.query<{ id: string }>(
    'select id from auth.users where id = any($1::uuid[])',
    [users],
  );
  const existingUsers = new Set(rows.map(({ id }) => id));
  for (const user of users) {
    if (existingUsers.has(user)) await removeStale(join(downloadRoot, user));
    else await rm(join(downloadRoot, user), { recursive: true, force: true });
  }
}
