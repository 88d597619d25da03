import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { link, mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { LinkedDataset, RemoteFile } from '../../../runtime/archives/linked-datasets.ts';
import { download, safeName } from '../../../runtime/remote/download.ts';
import { reservationsOf } from '../../../runtime/remote/reservation.ts';
import type { SampleLine, SamplesTable } from '../samples-table.ts';

export interface FetchContext {
  onProgress: (progress: { stage: string; done: number; total: number }) => void;
  signal: AbortSignal;
  pauses?: readonly number[] | undefined;
}

export interface Fetched {
  path: string;
  remove: () => Promise<void>;
}

/**
 * Downloads a file, resuming an interrupted download, also of another process. A member of a local archive is copied.
 * Throws as download does.
 */
export function fetchFile(
  file: Pick<RemoteFile, 'address' | 'part'> & { name?: string },
  dataDir: string,
  context: FetchContext,
): Promise<Fetched> {
  const { onProgress, ...others } = context;
  const folder = join(dataDir, 'downloads');
  if (file.address.startsWith('file:')) return copyMember(file, folder, context.signal);
  return download(file.address, folder, {
    ...others,
    reservations: reservationsOf(dataDir),
    part: file.part,
    name: file.name,
    onProgress: (progress) => onProgress({ stage: 'downloading', ...progress }),
  });
}

async function copyMember(
  { address, part, name = '' }: Pick<RemoteFile, 'address' | 'part'> & { name?: string },
  downloads: string,
  signal: AbortSignal,
): Promise<Fetched> {
  const folder = join(downloads, randomUUID());
  const path = join(folder, safeName(name));
  const { offset, length } = part!;
  await mkdir(folder, { recursive: true });
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const bytes = createReadStream(new URL(address), { start: offset, end: offset + length - 1 });
    await pipeline(bytes, createWriteStream(path, { mode: 0o600 }), { signal });
    return { path, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/**
 * Downloads the files of a dataset. When one fails, the earlier ones are kept for the next attempt. Throws
 * DownloadFailed.
 */
export async function fetchLinked(
  { files }: Pick<LinkedDataset, 'files'>,
  dataDir: string,
  context: FetchContext,
): Promise<Fetched> {
  const fetched: Fetched[] = [];
  const folder = join(dataDir, 'downloads', randomUUID());
  const remove = async () => {
    for (const one of fetched) await one.remove();
    await rm(folder, { recursive: true, force: true });
  };
  for (const file of files) fetched.push(await fetchFile(file, dataDir, context));
  if (fetched.length === 1) return { path: fetched[0]!.path, remove };
  await mkdir(folder, { recursive: true });
  for (const { path } of fetched) await link(path, join(folder, basename(path)));
  return { path: folder, remove };
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
