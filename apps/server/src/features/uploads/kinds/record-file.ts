import type { BlobStore } from '@cellfolio/bytes';
import type { Database } from '@cellfolio/platform';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatasetRecord } from '../file-records.ts';
import {
  type Client,
  endRun,
  insertJob,
  type JobRequest,
  type JobRow,
  LeaseLost,
  type Run,
} from '../job-table.ts';
import { type NewUserFile, type UserFileContext, storeOwnFile } from '../store-own-file.ts';
import type { Owner } from '../../../runtime/owners.ts';

export interface RecordDeps {
  database: Database;
  blobs: BlobStore;
  storage: Pick<UserFileContext, 'limits' | 'log' | 'now'>;
}

const recordTimeoutMs = 60_000;

/** Retries while the database is unavailable, so that a short outage does not cost an hour of work. */
export async function withRetries(work: () => Promise<void>): Promise<void> {
  const begun = performance.now();
  for (let wait = 250; ; wait = Math.min(wait * 2, 5000)) {
    try {
      return await work();
    } catch (error) {
      const lasting = error instanceof LeaseLost || (error as Error).name === 'ZodError';
      if (lasting || performance.now() - begun > recordTimeoutMs) throw error;
      await pause(wait);
    }
  }
}

/** Columns and settings that a job passes on to the jobs that follow it. */
export type Choices = Pick<JobRequest, 'columns' | 'processing'>;

/** Queues the build of a file's dataset, which is shown as being built from then on. */
export async function queueBuild(
  client: Client,
  { owner, fileId, name, columns = {}, processing = {} }: NextJob & Choices,
): Promise<JobRow> {
  const request = { columns, processing };
  const build = await insertJob(client, { owner, kind: 'build', fileIds: [fileId], name, request });
  await openDatasetRecord(client, { fileId, jobId: build.id, columns, processing });
  return build;
}

interface NextJob {
  owner: Owner;
  fileId: string;
  name: string;
}

interface MadeFile extends Pick<NewUserFile, 'fileName' | 'originalFilename' | 'description' | 'mimeType'> {
  path: string;
  /** As in the name of an upload: `.h5ad`, `.mtx.gz`. */
  extension: string;
  notes: readonly string[];
  signal: AbortSignal;
  /** For its inspection and the build that follows from it. */
  choices?: Choices;
  /** Whether its dataset is built when it has been inspected; default true. */
  isBuilt?: boolean;
  /** Runs in the transaction that adds the file to its owner's files. */
  also?: (client: Client, fileId: string) => Promise<void>;
}

/**
 * Adds a new file to its owner's files, queues its inspection and ends the run, all or nothing. Throws LeaseLost,
 * StorageError, StoreWriteFailed.
 */
export async function recordNewFile(
  { database, blobs, storage }: RecordDeps,
  run: Run,
  { path, extension, notes, choices = {}, isBuilt = true, also, ...file }: MadeFile,
): Promise<void> {
  const owner = run.job.owner_id;
  await storeOwnFile(
    { ...storage, database, blobs },
    {
      ...file,
      owner,
      source: path,
      key: storedName(file.fileName, extension, storage.now()),
      also: async (client, fileId) => {
        await insertJob(client, {
          owner,
          kind: 'inspect',
          fileIds: [fileId],
          name: file.fileName,
          request: isBuilt ? choices : { ...choices, unbuilt: true },
        });
        await also?.(client, fileId);
        await endRun(client, run, { notes, resultFileId: fileId });
      },
    },
  );
}

/** The file that a conversion, a combination or a subset makes. */
export function annDataFile({ job }: Run) {
  const fileName = job.name.replace(/\.h5ad$/i, '');
  return {
    fileName,
    originalFilename: `${fileName}.h5ad`,
    extension: '.h5ad',
    description: null,
    mimeType: 'application/x-hdf5',
  };
}

const maxNameLength = 100;

/** File name in its owner's folder, as for uploads: with characters that need no escaping in an address. */
function storedName(name: string, extension: string, now: number): string {
  const safeName = name
    .trim()
    .replaceAll(/[^\w\-.]/g, '_')
    .slice(0, maxNameLength);
  return `${now}_${safeName}${extension}`;
}
