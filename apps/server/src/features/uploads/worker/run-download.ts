import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { extensionOf, fileSize, roundFileSize, uploadKind } from '@cellfolio/contract';
import { download, DownloadFailed, downloadFolder } from '../../../runtime/remote/download.ts';
import type { DownloadOrder, Run } from '../job-table.ts';
import { userFileLimits } from '../store-own-file.ts';
import { type InputFile, plainText } from '../work/index.ts';
import { type RecordDeps, recordNewFile } from './record-result.ts';

export interface DownloadDeps extends RecordDeps {
  /** Folder of this machine where what arrived waits for the rest, each user's in a folder of their id. */
  readonly downloadRoot: string;
  readonly mayBePrivate: (address: URL) => boolean;
  /** Waits before further attempts, where others than the usual are wanted. */
  readonly downloadPauses?: readonly number[] | undefined;
}

interface DownloadContext {
  readonly signal: AbortSignal;
  readonly onProgress: (stage: string, fraction: number, detail?: string) => void;
}

/** Files of a link on this machine's disk, in the order of the job. */
export interface DownloadedFiles {
  readonly files: readonly InputFile[];
  readonly remove: () => Promise<void>;
}

/** A download that ended for a reason that its owner is told. */
export class DownloadRefused extends Error {
  override readonly name = 'DownloadRefused';
  readonly code: 'quota_exceeded' | 'download_failed';

  constructor(code: DownloadRefused['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Fetches the files of a download. What arrived is kept when it fails or the server stops, of one download a user, so that
 * it goes on from there. Throws DownloadRefused, the reason of the signal.
 */
export async function downloadFiles(
  deps: DownloadDeps,
  { job }: Run,
  { signal, onProgress }: DownloadContext,
): Promise<DownloadedFiles> {
  const { files: ordered } = orderOf(job.request.download);
  const folder = join(deps.downloadRoot, job.user_id);
  await keepOnly(folder, new Set(ordered.map(({ address, part }) => downloadFolder(address, part))));
  const room = await roomOf(deps, job.user_id);
  const files: InputFile[] = [];
  const share = 1 / ordered.length;
  let arrived = 0;
  for (const [at, { address, name, part }] of ordered.entries()) {
    const stage = ordered.length === 1 ? 'Downloading' : `Downloading file ${at + 1} of ${ordered.length}`;
    onProgress(stage, at * share);
    let done = 0;
    let fraction = at * share;
    const { path } = await download(address, folder, {
      signal,
      part,
      name,
      mayBePrivate: deps.mayBePrivate,
      pauses: deps.downloadPauses,
      maxBytes: Math.max(0, room - arrived),
      tooLarge: `larger than the room left in your storage (${roundFileSize(Math.max(0, room - arrived))}). Delete some files, then start it again`,
      onProgress: ({ done: bytes, total }) => {
        done = bytes;
        const whole = total > 0;
        const detail = whole ? `${fileSize(done)} of ${fileSize(total)}` : `${fileSize(done)} so far`;
        fraction = (at + (whole ? done / total : 0)) * share;
        onProgress(stage, fraction, detail);
      },
      onPause: ({ reason, seconds }) =>
        onProgress(stage, fraction, `${plainText(reason)}; trying again in ${seconds} s`),
    }).catch((error: unknown) => {
      if (
        !(error instanceof Error) ||
        (error.name !== 'InsecureAddress' && !(error instanceof DownloadFailed))
      )
        throw error;
      throw new DownloadRefused('download_failed', plainText(error.message), { cause: error });
    });
    arrived += done;
    files.push({ path, name });
  }
  return { files, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Where the owner cancelled it or is gone, nothing is kept. */
export async function forgetDownload(
  { database, downloadRoot }: Pick<DownloadDeps, 'database' | 'downloadRoot'>,
  { job }: Run,
): Promise<void> {
  const { rows } = await database.pool.query<{ state: string }>(
    'select state from cellfolio.jobs where id = $1',
    [job.id],
  );
  // Of a run that another process took over, that one may be writing there.
  if (rows[0] === undefined || rows[0].state === 'cancelled')
    await rm(join(downloadRoot, job.user_id), { recursive: true, force: true });
}

/** Puts what was downloaded, or what was made of it, among its owner's files and ends the run. Throws as storing does. */
export async function recordDownload(
  deps: RecordDeps,
  run: Run,
  made: { readonly file: InputFile; readonly notes: readonly string[]; readonly signal: AbortSignal },
): Promise<void> {
  const { file, notes, signal } = made;
  const { description } = orderOf(run.job.request.download);
  const extension = extensionOf(file.name);
  await recordNewFile(deps, run, {
    path: file.path,
    fileName: run.job.name,
    originalFilename: file.name,
    extension,
    description: description === '' ? null : description,
    mimeType: uploadKind(file.name)?.mimeType ?? 'application/octet-stream',
    notes,
    signal,
  });
}

function orderOf(order: DownloadOrder | undefined): DownloadOrder {
  if (order === undefined) throw new Error('A download does not say what to fetch.');
  return order;
}

/** Bytes that are left to a user. Throws DownloadRefused where there are none. */
async function roomOf({ database, storage }: RecordDeps, userId: string): Promise<number> {
  const { rows } = await database.pool.query<{ bytes: string }>(
    'select coalesce(sum(file_size), 0) as bytes from public.user_files where user_id = $1',
    [userId],
  );
  const room = (storage.limits ?? userFileLimits).quotaBytes - Number(rows[0]?.bytes ?? 0);
  if (room > 0) return room;
  throw new DownloadRefused(
    'quota_exceeded',
    'Your storage is full. Delete some files, then start it again.',
  );
}

/** What is left of other downloads of the user goes: it would take room that nobody counts. */
async function keepOnly(folder: string, kept: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(folder).catch(() => []))
    if (!kept.has(name)) await rm(join(folder, name), { recursive: true, force: true });
}
