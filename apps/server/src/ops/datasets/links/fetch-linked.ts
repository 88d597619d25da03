import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { link, mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { LinkedDataset, RemoteFile } from '../../../runtime/archives/linked-datasets.ts';
import { download, type Downloaded, safeName } from '../../../runtime/remote/download.ts';
import { reservationsOf } from '../../../runtime/remote/reservation.ts';
import type { SampleLine, SamplesTable } from '../samples-table.ts';

export interface FetchContext {
  dataDir: string;
  /** Folder of this command alone. */
  scratch: string;
  /** Removes downloads when the command ends. */
  downloads: AsyncDisposableStack;
  onProgress: (stage: string, fraction: number) => void;
  signal: AbortSignal;
}

type FetchedFile = Pick<RemoteFile, 'address' | 'part'> & { name?: string };

/**
 * Downloads a file, resuming an interrupted download, also of another process. A member of a local archive is copied.
 * Returns its path. Throws as download does.
 */
export async function fetchFile(file: FetchedFile, context: FetchContext): Promise<string> {
  const { path, remove } = await fetched(file, context);
  context.downloads.defer(remove);
  return path;
}

async function fetched(
  { address, part, name }: FetchedFile,
  { dataDir, scratch, signal, onProgress }: FetchContext,
): Promise<Pick<Downloaded, 'path' | 'remove'>> {
  if (!address.startsWith('file:'))
    return download(address, join(dataDir, 'downloads'), {
      signal,
      reservations: reservationsOf(dataDir),
      part,
      name,
      onProgress: ({ done, total }) => onProgress('downloading', total === 0 ? 0 : done / total),
    });
  const { offset, length } = part!;
  const folder = join(scratch, randomUUID());
  const path = join(folder, safeName(name ?? ''));
  await mkdir(folder);
  const bytes = createReadStream(new URL(address), { start: offset, end: offset + length - 1 });
  await pipeline(bytes, createWriteStream(path, { mode: 0o600 }), { signal });
  return { path, remove: async () => {} };
}

/**
 * Downloads the files of a dataset, and returns the path of the file or of a folder of several. When one fails, the
 * earlier ones are kept for the next attempt. Throws DownloadFailed.
 */
export async function fetchLinked(
  { files }: Pick<LinkedDataset, 'files'>,
  context: FetchContext,
): Promise<string> {
  const all: Pick<Downloaded, 'path' | 'remove'>[] = [];
  for (const file of files) all.push(await fetched(file, context));
  for (const { remove } of all) context.downloads.defer(remove);
  if (all.length === 1) return all[0]!.path;
  const folder = join(context.scratch, randomUUID());
  for (const [at, { path }] of all.entries()) {
    const own = join(folder, files[at]!.folder ?? '');
    await mkdir(own, { recursive: true });
    await link(path, join(own, basename(path)));
  }
  return folder;
}

export function samplesOf(datasets: readonly LinkedDataset[]): SamplesTable {
  const lines = datasets.map(({ name, files, values }): SampleLine => {
    const [, accession, title] = /^(GSM\d+) (.+)$/.exec(name) ?? [];
    return {
      sample: accession ?? name,
      source: files[0]!.name,
      values: new Map([...(title === undefined ? [] : [['title', title] as const]), ...values]),
    };
  });
  const columns = [...new Set(lines.flatMap(({ values }) => [...values.keys()]))].filter(
    (column) => column !== 'sample',
  );
  return {
    columns,
    lines: lines.map(({ sample, source, values }) => ({
      sample,
      source,
      values: new Map(columns.map((column) => [column, values.get(column) ?? ''])),
    })),
  };
}
