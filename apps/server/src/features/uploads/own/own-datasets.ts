import type { DatasetNotReady } from '@cellfolio/contract';
import { type DatasetManifest, DatasetNotFound, type ObjectStore, readManifest } from '@cellfolio/store';
import { ApiFailure } from '../../../runtime/api-failure.ts';
import { ExpiringCache } from '../../../runtime/expiring-cache.ts';
import type { DatasetBuilds } from './dataset-builds.ts';
import type { OwnFile, OwnFiles } from './own-files.ts';
import { noSuchDataset } from '../../catalogue/index.ts';

/** How long a manifest is believed: a dataset that another process built anew shows after this time. */
const manifestMilliseconds = 1000;
/** Files looked after at a time. */
const sweepSize = 500;

/** Id of the file that an id of a dataset names; undefined where it can be of none. */
export function fileIdOf(datasetId: string): string | undefined {
  return /^custom:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(datasetId)?.[1];
}

/**
 * The datasets that users made of their own files, each for its owner alone: to everybody else there is no such
 * dataset. What was kept of one goes when its file does, whichever process took it away.
 */
export class OwnDatasets {
  readonly #objects: ObjectStore;
  readonly #files: OwnFiles;
  readonly #builds: Pick<DatasetBuilds, 'stateOf' | 'isOutdated'>;
  readonly #drop: (datasetId: string) => Promise<void>;
  readonly #manifests: ExpiringCache<DatasetManifest>;
  /** Files whose datasets this process has handed out, the longest unchecked first. */
  readonly #used = new Set<string>();
  /** Work that was under way when a dataset went may have kept its result since: dropped once more. */
  #gone: string[] = [];

  /** @param parts.drop clears every cache of what belongs to a dataset */
  constructor(parts: {
    objects: ObjectStore;
    files: OwnFiles;
    builds: Pick<DatasetBuilds, 'stateOf' | 'isOutdated'>;
    drop: (datasetId: string) => Promise<void>;
    now?: () => number;
  }) {
    this.#objects = parts.objects;
    this.#files = parts.files;
    this.#builds = parts.builds;
    this.#drop = parts.drop;
    this.#manifests = new ExpiringCache(manifestMilliseconds, parts.now);
  }

  /** The dataset, where it is this user's and ready; undefined for all others. */
  async find(userId: string, datasetId: string): Promise<DatasetManifest | undefined> {
    const owned = await this.#owned(userId, datasetId);
    return owned && this.#ready(owned.fileId, datasetId);
  }

  /** Throws ApiFailure 404 where it is not this user's, as where there is none; 409 where it is not ready. */
  async manifest(userId: string, datasetId: string): Promise<DatasetManifest> {
    const owned = await this.#owned(userId, datasetId);
    if (!owned) throw noSuchDataset(datasetId);
    const manifest = await this.#ready(owned.fileId, datasetId);
    if (manifest) return manifest;
    throw notReady((await this.#builds.stateOf(owned.fileId)) ?? unknownState(owned.file));
  }

  /** To be called when a dataset was removed or built anew: nothing of the one before is used any more. */
  async forget(datasetId: string): Promise<void> {
    const fileId = fileIdOf(datasetId);
    if (fileId !== undefined) this.#files.forget(fileId);
    this.#manifests.forget(datasetId);
    this.#gone.push(datasetId);
    await this.#drop(datasetId);
  }

  /** Forgets the datasets whose files are gone. To be called now and then. */
  async sweep(): Promise<void> {
    const gone = this.#gone;
    this.#gone = [];
    for (const datasetId of gone) await this.#drop(datasetId);
    const files = [...this.#used].slice(0, sweepSize);
    if (files.length === 0) return;
    const existing = await this.#files.existing(files);
    for (const fileId of files) {
      this.#used.delete(fileId);
      if (existing.has(fileId)) this.#used.add(fileId);
      else await this.forget(`custom:${fileId}`);
    }
  }

  async #owned(userId: string, datasetId: string): Promise<{ fileId: string; file: OwnFile } | undefined> {
    const fileId = fileIdOf(datasetId);
    const file = fileId === undefined ? undefined : await this.#files.find(fileId);
    return fileId !== undefined && file?.userId === userId ? { fileId, file } : undefined;
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

  /** Throws DatasetNotFound, also where the bytes that it was made of have been replaced. */
  async #read(fileId: string, datasetId: string): Promise<DatasetManifest> {
    if (await this.#builds.isOutdated(fileId)) throw new DatasetNotFound(datasetId);
    return readManifest(this.#objects, datasetId);
  }
}

/** A file that no job knows has only just arrived, or is none that a dataset can be made of. */
function unknownState({ originalName }: OwnFile): DatasetNotReady {
  if (/\.h5ad$/i.test(originalName)) return { state: 'queued', job_id: null, problem: null };
  const problem = {
    code: 'not_a_dataset',
    message:
      'Only .h5ad files can be explored. Convert the matrix with its two tables to H5AD first, on the page Upload Data.',
  };
  return { state: 'failed', job_id: null, problem };
}

function notReady(details: DatasetNotReady): ApiFailure {
  const message =
    details.state === 'failed'
      ? (details.problem?.message ?? 'No dataset could be made of this file. Upload Data says why.')
      : 'The dataset of this file is being prepared. It opens as soon as it is ready.';
  return new ApiFailure(409, 'dataset_not_ready', message, { details });
}
