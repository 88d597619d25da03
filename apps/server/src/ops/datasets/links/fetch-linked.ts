import { randomUUID } from 'node:crypto';
import { link, mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { LinkedDataset } from '../../../runtime/archives/linked-datasets.ts';
import { download } from '../../../runtime/remote/download.ts';
import type { SampleLine, SamplesTable } from '../samples-table.ts';

export interface FetchContext {
  readonly onProgress: (progress: { stage: string; done: number; total: number }) => void;
  readonly signal: AbortSignal;
  /** Waits between attempts. */
  readonly pauses?: readonly number[] | undefined;
}

/** A file, or a folder of a matrix and its tables; temporary. */
export interface Fetched {
  readonly path: string;
  readonly remove: () => Promise<void>;
}

/** Downloads a file; taken up where it ended, also by another process. Throws as download does. */
export function fetchFile(address: string, dataDir: string, context: FetchContext): Promise<Fetched> {
  const { onProgress, ...others } = context;
  return download(address, join(dataDir, 'downloads'), {
    ...others,
    onProgress: (progress) => onProgress({ stage: 'downloading', ...progress }),
  });
}

/**
 * Downloads the files of a dataset. Where one fails, those before it are kept, and taken by the next attempt. Throws
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
  for (const { address } of files) fetched.push(await fetchFile(address, dataDir, context));
  if (fetched.length === 1) return { path: fetched[0]!.path, remove };
  await mkdir(folder, { recursive: true });
  for (const { path } of fetched) await link(path, join(folder, basename(path)));
  return { path: folder, remove };
}

/** The datasets of a link as a table of samples; what the archive says of each becomes columns. */
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
