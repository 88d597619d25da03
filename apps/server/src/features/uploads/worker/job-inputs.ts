import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type BlobStore, FileBlobStore, ObjectNotFound, ObjectStoreFailed } from '@cellfolio/bytes';
import type { CombinedRecord, SubclusteringRecord } from '@cellfolio/contract';
import { type Database, openStoredObject } from '@cellfolio/platform';
import type { JobRequest, Run } from '../job-table.ts';
import type { RecordDeps } from '../kinds/record-file.ts';
import type { InputFile } from '../work/index.ts';

export interface JobFile {
  id: string;
  file_name: string;
  original_filename: string;
  description: string | null;
  choices: JobRequest;
  combined: CombinedRecord | null;
  part_of: SubclusteringRecord | null;
  input: InputFile;
}

/** A file that a job needs does not exist; `fileName` is its owner's name for it. */
export class InputMissing extends Error {
  override readonly name = 'InputMissing';
  readonly fileName: string;

  constructor(fileName: string, options?: ErrorOptions) {
    super(`The bytes of ${fileName} are not there.`, options);
    this.fileName = fileName;
  }
}

/** Time limit for copying files from a networked store, which for a large file takes longer than inspecting it. */
const copyLimitMs = 3600_000;

interface FileRow extends Omit<JobFile, 'input'> {
  file_path: string;
}

/**
 * The files of a job on this machine's disk: in place when the store is a folder, else copied to the scratch folder.
 * Throws InputMissing, ObjectStoreFailed.
 */
export async function openInputs(
  { database, blobs }: { database: Database; blobs: BlobStore },
  { job: { file_ids: fileIds } }: Pick<Run, 'job'>,
  { scratch, signal: runSignal }: { scratch: string; signal: AbortSignal },
): Promise<JobFile[]> {
  const signal = AbortSignal.any([runSignal, AbortSignal.timeout(copyLimitMs)]);
  const { rows } = await database.pool.query<FileRow>(
    `select f.id, f.file_name, f.original_filename, f.description, f.file_path,
       cellfolio.file_choices(f.user_id, f.id) as choices, c.record as combined, s.record as part_of
     from public.user_files f
     left join cellfolio.combined_files c on c.file_id = f.id
     left join cellfolio.subclusterings s on s.file_id = f.id
     where f.id = any($1::uuid[])`,
    [fileIds],
  );
  const files: JobFile[] = [];
  for (const [index, id] of fileIds.entries()) {
    const row = rows.find((one) => one.id === id);
    if (!row) throw new InputMissing('The file');
    const { file_path, ...file } = row;
    const path = await pathOf(database, blobs, file_path, join(scratch, `input-${index}`), signal).catch(
      (cause: unknown) => {
        throw cause instanceof ObjectNotFound ? new InputMissing(row.original_filename, { cause }) : cause;
      },
    );
    if (path === undefined) throw new InputMissing(row.original_filename);
    files.push({ ...file, input: { path, name: row.original_filename } });
  }
  return files;
}

/** The file of a job that has one. Throws as `openInputs`. */
export async function openInput(...inputs: Parameters<typeof openInputs>): Promise<JobFile> {
  const [file] = await openInputs(...inputs);
  if (!file) throw new Error(`The job ${inputs[1].job.id} has no file.`);
  return file;
}

interface QuotaDeps {
  database: Database;
  storage: { limits: Pick<RecordDeps['storage']['limits'], 'quotaBytes'> };
}

/** Bytes of the quota that the owner's other files, and the elements that their datasets store, leave to this file. */
export async function quotaRoom(
  { database, storage: { limits } }: QuotaDeps,
  { job: { owner_id: owner } }: { job: Pick<Run['job'], 'owner_id'> },
  fileId: string,
): Promise<number> {
  const { rows } = await database.pool.query<{ bytes: string }>(
    `select coalesce(sum(f.file_size + coalesce(d.carried_bytes, 0)), 0) as bytes
     from public.user_files f
     left join cellfolio.custom_datasets d on d.file_id = f.id
     where f.user_id = $1 and f.id <> $2`,
    [owner, fileId],
  );
  return Math.max(0, limits.quotaBytes - Number(rows[0]?.bytes ?? 0));
}

async function pathOf(
  database: Database,
  blobs: BlobStore,
  filePath: string,
  copy: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const object = await openStoredObject({ database, blobs }, 'user-files', filePath);
  if (!object) return undefined;
  if (blobs instanceof FileBlobStore) {
    const path = blobs.pathOf(object.blobKey);
    return (await stat(path).catch(() => undefined)) && path;
  }
  await pipeline(await object.read(), createWriteStream(copy, { flags: 'wx', mode: 0o600 }), { signal });
  const { size } = await stat(copy);
  if (size === object.metadata.size) return copy;
  const short = new Error(`${size} of ${object.metadata.size} bytes of a file arrived.`);
  throw new ObjectStoreFailed(object.blobKey, 1, {
    cause: Object.assign(short, { code: 'ERR_STREAM_PREMATURE_CLOSE' }),
  });
}
