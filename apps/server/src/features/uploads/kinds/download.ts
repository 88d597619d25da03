import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { TextFileError } from '@cellfolio/ingest';
import { extensionOf, fileSize, roundFileSize, uploadKind } from '@cellfolio/contract';
import type { MemberPart } from '../../../runtime/archives/linked-datasets.ts';
import { copyPackedMember } from '../../../runtime/archives/packed-tar.ts';
import {
  download as downloadFile,
  type Downloaded,
  DownloadFailed,
  downloadFolder,
} from '../../../runtime/remote/download.ts';
import { shownAddress } from '../../../runtime/remote/open-answer.ts';
import type { DownloadOrder, Run } from '../job-table.ts';
import { type ConvertWork, type InputFile, plainText } from '../work/index.ts';
import { tookTooLong } from '../worker/job-problems.ts';
import { conversionOf, convert } from './convert.ts';
import type { JobContext, JobDeps, JobKindRules } from './job-kind.ts';
import { recordNewFile } from './record-file.ts';
import type { Owner } from '../../../runtime/owners.ts';

/** Share of the progress of a download that is converted after it. */
const arrivedShare = 0.8;

/** Downloads what a link leads to; a matrix and its tables are converted to one file. */
export const download: JobKindRules<ConvertWork> = {
  lane: 'download',
  limitMs: 12 * 3600_000,
  isRestartable: true,
  async open(deps, run, { scratch, signal, progress, limitMs }) {
    const { files: requested, description } = orderOf(run.job.request.download);
    const timeout = AbortSignal.timeout(limitMs);
    const openedShare = requested.length === 3 ? arrivedShare : 1;
    const downloaded = await downloadFiles(deps, run, {
      signal: AbortSignal.any([signal, timeout]),
      onProgress: (stage, fraction, detail) => progress.progress(stage, openedShare * fraction, detail),
    }).catch((error: unknown) => {
      if (!timeout.aborted || signal.aborted) throw error;
      throw new DownloadRefused('download_failed', tookTooLong(limitMs).message);
    });
    const [first, second, third] = downloaded.files;
    const work = first && second && third ? conversionOf([first, second, third], scratch) : undefined;
    return {
      work,
      limitMs: convert.limitMs,
      openedShare,
      inTurn: deps.convertInTurn,
      record(result, unlogged) {
        const { name } = run.job;
        const file = work ? { path: work.output, name: `${name}.h5ad` } : first!;
        return recordNewFile(deps, run, {
          path: file.path,
          fileName: name,
          originalFilename: file.name,
          extension: extensionOf(file.name),
          description: description === '' ? null : description,
          mimeType: uploadKind(file.name)?.mimeType ?? 'application/octet-stream',
          notes: unlogged(result.notes),
          signal,
        });
      },
      // What failed may be started again, with what is there.
      afterwards: downloaded.remove,
    };
  },
  onLost: forgetDownload,
};

interface DownloadContext extends Pick<JobContext, 'signal'> {
  onProgress: (stage: string, fraction: number, detail?: string) => void;
}

interface DownloadedFiles {
  files: readonly InputFile[];
  remove: () => Promise<void>;
}

export class DownloadRefused extends Error {
  override readonly name = 'DownloadRefused';
  readonly code: 'quota_exceeded' | 'download_failed';

  constructor(code: DownloadRefused['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Downloads files. Partial data is kept when it fails or the server stops, for one download per user, so that it can
 * resume. An archive that is compressed as a whole is kept while more downloads of its members wait. Throws
 * DownloadRefused, the reason of the signal.
 */
async function downloadFiles(
  deps: JobDeps,
  { job }: Run,
  { signal, onProgress }: DownloadContext,
): Promise<DownloadedFiles> {
  const { files: ordered } = orderOf(job.request.download);
  const folder = join(deps.downloadRoot, job.owner_id);
  const folders = ordered.map(({ address, part }) => downloadFolder(address, rangeOf(part)));
  await keepOnly(folder, new Set(folders));
  const room = await roomOf(deps, job.owner_id);
  const files: InputFile[] = [];
  const archives = new Map<string, Downloaded>();
  const share = 1 / ordered.length;
  let arrived = 0;
  for (const [at, { address, name, part }] of ordered.entries()) {
    const stage = ordered.length === 1 ? 'Downloading' : `Downloading file ${at + 1} of ${ordered.length}`;
    onProgress(stage, at * share);
    let done = 0;
    let fraction = at * share;
    const left = Math.max(0, room - arrived);
    const tooLarge = `larger than the room left in your storage (${roundFileSize(left)}). Delete some files, then start it again`;
    const fetched =
      archives.get(address) ??
      (await downloadFile(address, folder, {
        signal,
        part: rangeOf(part),
        // The archive under its own, whichever of its members is wanted.
        ...(part?.packed !== true && { name }),
        reservations: deps.reservations,
        mayBePrivate: deps.mayBePrivate,
        pauses: deps.downloadPauses,
        maxBytes: left,
        tooLarge,
        onProgress: ({ done: bytes, total }) => {
          done = bytes;
          const whole = total > 0;
          const detail = whole ? `${fileSize(done)} of ${fileSize(total)}` : `${fileSize(done)} so far`;
          fraction = (at + (whole ? done / total : 0)) * share;
          onProgress(stage, fraction, detail);
        },
        onPause: ({ reason, seconds }) =>
          onProgress(stage, fraction, `${plainText(reason)}; trying again in ${seconds} s`),
      }).catch(refuse));
    if (part?.packed === true) {
      archives.set(address, fetched);
      onProgress('Unpacking the archive', fraction);
      if (part.length > left) throw new DownloadRefused('download_failed', `${name} is ${tooLarge}.`);
      const path = join(folder, `member-${at}`);
      await unpack(fetched, { address, name, part, path, signal });
      arrived += part.length;
      files.push({ path, name });
    } else {
      arrived += done;
      files.push({ path: fetched.path, name });
    }
  }
  const remove = async () => {
    const neededFolders = archives.size > 0 && (await areOthersWaiting(deps, job)) ? folders : [];
    await keepOnly(folder, new Set(neededFolders));
    if (neededFolders.length === 0) await rm(folder, { recursive: true, force: true });
  };
  return { files, remove };
}

/** The range to request; an archive compressed as a whole is fetched completely. */
function rangeOf(part: MemberPart | undefined): MemberPart | undefined {
  return part?.packed === true ? undefined : part;
}

function refuse(error: unknown): never {
  if (!(error instanceof Error) || (error.name !== 'InsecureAddress' && !(error instanceof DownloadFailed)))
    throw error;
  throw new DownloadRefused('download_failed', plainText(error.message), { cause: error });
}

interface PackedMember {
  address: string;
  name: string;
  part: MemberPart;
  path: string;
  signal: AbortSignal;
}

/** Throws DownloadRefused, the reason of the signal. */
async function unpack(
  archive: Downloaded,
  { address, name, part, path, signal }: PackedMember,
): Promise<void> {
  const refused = (problem: string, cause?: unknown) =>
    new DownloadRefused('download_failed', plainText(`${shownAddress(address)}: ${problem}`), { cause });
  const changed = 'the archive has changed since it was read. Show the contents of the link again.';
  if (part.validator !== undefined && part.validator !== archive.validator) throw refused(changed);
  try {
    await copyPackedMember(archive.path, part, path, signal);
  } catch (error) {
    if (error instanceof TextFileError) throw refused(`the archive ${error.problem}`, error);
    throw error;
  }
  if ((await stat(path)).size !== part.length) throw refused(`it ends before ${name} does.`);
}

async function areOthersWaiting({ database }: Pick<JobDeps, 'database'>, job: Run['job']): Promise<boolean> {
  const { rowCount } = await database.pool.query(
    `select from cellfolio.jobs
     where owner_id = $1 and id <> $2 and kind = 'download' and state in ('queued', 'running')
       and request -> 'download' -> 'files' -> 0 ->> 'address' = $3 limit 1`,
    [job.owner_id, job.id, orderOf(job.request.download).files[0]!.address],
  );
  return (rowCount ?? 0) > 0;
}

/** Deletes the partial download when the owner cancelled it or is gone. */
async function forgetDownload(
  { database, downloadRoot }: Pick<JobDeps, 'database' | 'downloadRoot'>,
  { job }: Run,
): Promise<void> {
  const { rows } = await database.pool.query<{ state: string }>(
    'select state from cellfolio.jobs where id = $1',
    [job.id],
  );
  // If another process took the run over, it may be writing there.
  if (rows[0] === undefined || rows[0].state === 'cancelled')
    await rm(join(downloadRoot, job.owner_id), { recursive: true, force: true });
}

function orderOf(order: DownloadOrder | undefined): DownloadOrder {
  if (order === undefined) throw new Error('A download does not say what to fetch.');
  return order;
}

/** Remaining bytes of a user's quota. Throws DownloadRefused when none are left. */
async function roomOf({ database, storage }: JobDeps, owner: Owner): Promise<number> {
  const { rows } = await database.pool.query<{ bytes: string }>(
    'select coalesce(sum(file_size), 0) as bytes from public.user_files where user_id = $1',
    [owner],
  );
  const room = storage.limits.quotaBytes - Number(rows[0]?.bytes ?? 0);
  if (room > 0) return room;
  throw new DownloadRefused(
    'quota_exceeded',
    'Your storage is full. Delete some files, then start it again.',
  );
}

/** Removes leftovers of the user's other downloads, which would take space outside any quota. */
async function keepOnly(folder: string, keepNames: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(folder).catch(() => []))
    if (!keepNames.has(name)) await rm(join(folder, name), { recursive: true, force: true });
}
