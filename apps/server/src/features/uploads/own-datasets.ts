import { isDatasetFile, onlyDatasetsText } from '@cellfolio/contract';
import type { DatasetNotReady, JobProblem } from '@cellfolio/contract';
import {
  DatasetDamaged,
  type DatasetManifest,
  DatasetNotFound,
  fileOfDataset,
  type ObjectStore,
  readManifest,
} from '@cellfolio/store';
import type { Database } from '@cellfolio/platform';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { ExpiringCache } from '../../runtime/expiring-cache.ts';
import { type Caller, may, type Owner, ownerOf } from '../../runtime/owners.ts';
import { noSuchDataset } from '../catalogue/index.ts';

/** Manifest cache TTL: a dataset that another process rebuilt appears after this time. */
const manifestMilliseconds = 1000;
const sweepSize = 500;

/**
 * Datasets that users made from their own files, visible only to their owner. Caches of a dataset are dropped when its
 * file is deleted, by whichever process.
 */
export class UserDatasets {
  readonly #objects: ObjectStore;
  readonly #files: UserFiles;
  readonly #builds: Pick<DatasetBuilds, 'stateOf' | 'isOutdated' | 'readyOf'>;
  readonly #drop: (datasetId: string) => Promise<void>;
  readonly #manifests: ExpiringCache<DatasetManifest>;
  /** Files whose datasets this process has served, the longest unchecked first. */
  readonly #used = new Set<string>();
  /** Datasets dropped last time: work running then may have cached its result since, so they are dropped once more. */
  #gone: string[] = [];

  /** `drop` clears every cache of what belongs to a dataset. */
  constructor(deps: {
    objects: ObjectStore;
    files: UserFiles;
    builds: Pick<DatasetBuilds, 'stateOf' | 'isOutdated' | 'readyOf'>;
    drop: (datasetId: string) => Promise<void>;
    now?: () => number;
  }) {
    this.#objects = deps.objects;
    this.#files = deps.files;
    this.#builds = deps.builds;
    this.#drop = deps.drop;
    this.#manifests = new ExpiringCache(manifestMilliseconds, deps.now);
  }

  /** The dataset, if the caller may read it and it is ready; else undefined. */
  async find(caller: Caller, datasetId: string): Promise<DatasetManifest | undefined> {
    const file = await this.#fileOf(caller, datasetId);
    return file && this.#ready(file.id, datasetId);
  }

  /** Throws ApiFailure 404 when it does not exist or the caller may not read it; 409 when it is not ready. */
  async manifest(caller: Caller, datasetId: string): Promise<DatasetManifest> {
    const file = await this.#fileOf(caller, datasetId);
    if (!file) throw noSuchDataset(datasetId);
    const manifest = await this.#ready(file.id, datasetId);
    if (manifest) return manifest;
    throw notReady((await this.#builds.stateOf(file.id)) ?? unknownState(file));
  }

  /** The caller's datasets that are ready and readable, newest first; at most `limit`. */
  async manifestsOf(caller: Caller, limit: number): Promise<DatasetManifest[]> {
    const manifests: DatasetManifest[] = [];
    for (const fileId of await this.#builds.readyOf(ownerOf(caller), limit)) {
      const manifest = await this.find(caller, `custom:${fileId}`).catch((error: unknown) => {
        if (error instanceof DatasetDamaged) return undefined;
        throw error;
      });
      if (manifest) manifests.push(manifest);
    }
    return manifests;
  }

  /** Call when a dataset was removed or rebuilt: clears all caches of the previous one. */
  async forget(datasetId: string): Promise<void> {
    const fileId = fileOfDataset(datasetId);
    if (fileId !== undefined) this.#files.forget(fileId);
    this.#manifests.forget(datasetId);
    this.#gone.push(datasetId);
    await this.#drop(datasetId);
  }

  /** Drops the datasets whose files are deleted. Call periodically. */
  async sweep(): Promise<void> {
    const removed = this.#gone;
    this.#gone = [];
    for (const datasetId of removed) await this.#drop(datasetId);
    const files = [...this.#used].slice(0, sweepSize);
    if (files.length === 0) return;
    const existing = await this.#files.existing(files);
    for (const fileId of files) {
      this.#used.delete(fileId);
      if (existing.has(fileId)) this.#used.add(fileId);
      else await this.forget(`custom:${fileId}`);
    }
  }

  async #fileOf(caller: Caller, datasetId: string): Promise<UserFile | undefined> {
    const fileId = fileOfDataset(datasetId);
    const file = fileId === undefined ? undefined : await this.#files.find(fileId);
    return file && may(caller, 'read', file) ? file : undefined;
  }

  async #ready(fileId: string, datasetId: string): Promise<DatasetManifest | undefined> {
    try {
      const manifest = await this.#manifests.recall(datasetId, () => this.#read(fileId, datasetId));
      this.#used.add(fileId);
      return manifest;
    } catch (error) {
      if (error instanceof DatasetNotFound) return undefined;
      throw error;
    }
  }

  async #read(fileId: string, datasetId: string): Promise<DatasetManifest> {
    if (await this.#builds.isOutdated(fileId)) throw new DatasetNotFound(datasetId);
    return readManifest(this.#objects, datasetId);
  }
}

/** A file without a job has only just arrived, or cannot become a dataset. */
function unknownState({ originalName }: UserFile): DatasetNotReady {
  if (isDatasetFile(originalName)) return { state: 'queued', job_id: null, problem: null };
  const problem = {
    code: 'not_a_dataset',
    message: onlyDatasetsText,
  };
  return { state: 'failed', job_id: null, problem };
}

function notReady(details: DatasetNotReady): ApiFailure {
  const message =
    details.state === 'failed'
      ? (details.problem?.message ??
        'No dataset could be built from this file. See Upload Data for the reason.')
      : 'The dataset of this file is being prepared. It opens as soon as it is ready.';
  return new ApiFailure(409, 'dataset_not_ready', message, { details });
}

interface UserFile {
  id: string;
  owner: Owner;
  originalName: string;
}

/** Cache TTL of an owner; the owner of a file never changes, the file can only be deleted. */
const memoryMilliseconds = 5000;

export class UserFiles {
  readonly #database: Pick<Database, 'pool'>;
  readonly #memory: ExpiringCache<UserFile>;

  constructor(database: Pick<Database, 'pool'>, now?: () => number) {
    this.#database = database;
    this.#memory = new ExpiringCache(memoryMilliseconds, now);
  }

  /** Undefined when the file does not exist; absence is not cached. */
  async find(fileId: string): Promise<UserFile | undefined> {
    try {
      return await this.#memory.recall(fileId, () => this.#ask(fileId));
    } catch (error) {
      if (error instanceof NoSuchFile) return undefined;
      throw error;
    }
  }

  forget(fileId: string): void {
    this.#memory.forget(fileId);
  }

  async existing(fileIds: readonly string[]): Promise<ReadonlySet<string>> {
    const { rows } = await this.#database.pool.query<{ id: string }>(
      'select id from public.user_files where id = any($1::uuid[])',
      [fileIds],
    );
    return new Set(rows.map(({ id }) => id));
  }

  async #ask(fileId: string): Promise<UserFile> {
    const { rows } = await this.#database.pool.query<UserFile>(
      'select id, user_id as owner, original_filename as "originalName" from public.user_files where id = $1',
      [fileId],
    );
    if (!rows[0]) throw new NoSuchFile();
    return rows[0];
  }
}

/** Thrown so that absence is not cached. */
class NoSuchFile extends Error {
  override readonly name = 'NoSuchFile';
}

interface BuildRow {
  state: 'queued' | 'building' | 'ready' | 'failed' | null;
  job_id: string | null;
  problem: JobProblem | null;
  unreadable: JobProblem | null;
  /** Nothing is built until its owner has answered a question or reviewed its quality control. */
  waits: boolean | null;
  working: string | null;
  /** It was made from bytes that have been replaced since. */
  outdated: boolean | null;
}

export class DatasetBuilds {
  readonly #database: Pick<Database, 'pool'>;

  constructor(database: Pick<Database, 'pool'>) {
    this.#database = database;
  }

  /** State of a dataset that does not exist yet; undefined when no job was started. */
  async stateOf(fileId: string): Promise<DatasetNotReady | undefined> {
    const { rows } = await this.#database.pool.query<BuildRow>(
      `select cellfolio.dataset_state(d) as state, d.job_id, d.problem, d.outdated, r.problem as unreadable,
         jsonb_array_length(r.report -> 'waitsFor') > 0 as waits, (
         select j.id from cellfolio.jobs j
         where j.owner_id = f.user_id and f.id = any(j.file_ids) and j.state in ('queued', 'running')
         order by j.created_at desc limit 1
       ) as working
       from public.user_files f
       left join cellfolio.custom_datasets d on d.file_id = f.id
       left join cellfolio.file_reports r on r.file_id = f.id
       where f.id = $1`,
      [fileId],
    );
    return rows[0] && readState(rows[0]);
  }

  async readyOf(owner: Owner, limit: number): Promise<string[]> {
    const { rows } = await this.#database.pool.query<{ id: string }>(
      `select f.id from public.user_files f join cellfolio.custom_datasets d on d.file_id = f.id
       where f.user_id = $1 and cellfolio.dataset_state(d) = 'ready' and not d.outdated
       order by f.created_at desc limit $2`,
      [owner, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** Whether the bytes a file's dataset was made from have been replaced since. */
  async isOutdated(fileId: string): Promise<boolean> {
    const { rowCount } = await this.#database.pool.query(
      'select from cellfolio.custom_datasets where file_id = $1 and outdated',
      [fileId],
    );
    return rowCount === 1;
  }
}

function readState(row: BuildRow): DatasetNotReady | undefined {
  const { state, job_id, problem, unreadable, waits, working, outdated } = row;
  if (outdated) return { state: 'queued', job_id: working, problem: null };
  if (state === 'ready') return { state: 'failed', job_id, problem: lost };
  if (state !== null) return { state, job_id, problem };
  if (working !== null) return { state: 'queued', job_id: working, problem: null };
  const reason = unreadable ?? (waits ? needsReview : null);
  return reason ? { state: 'failed', job_id: null, problem: reason } : undefined;
}

const needsReview: JobProblem = {
  code: 'waits_for_owner',
  message: 'This file needs your review: open Upload Data and build its dataset there.',
};

const lost: JobProblem = {
  code: 'dataset_missing',
  message: 'The dataset of this file no longer exists. Build it again under Upload Data.',
};

/** Interval after which another process than the one that deleted a file drops its caches. */
const sweepMilliseconds = 30_000;

/** Sweeps periodically, one sweep at a time, until the returned function is called. */
export function keepSweeping(
  own: Pick<UserDatasets, 'sweep'>,
  onFailure: (error: unknown) => void,
): () => void {
  let sweeping = false;
  const timer = setInterval(() => {
    if (sweeping) return;
    sweeping = true;
    own
      .sweep()
      .catch(onFailure)
      .finally(() => (sweeping = false));
  }, sweepMilliseconds);
  // Does not keep the process alive.
  timer.unref();
  return () => clearInterval(timer);
}
