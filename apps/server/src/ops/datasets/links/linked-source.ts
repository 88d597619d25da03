import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { isPackedTar } from '@cellfolio/contract';
import { readChunks } from '@cellfolio/ingest';
import { linkedDatasets } from '../../../runtime/archives/linked-datasets-of.ts';
import type { Archives, LinkedDatasets } from '../../../runtime/archives/linked-datasets.ts';
import { datasetsInTar, isTar } from '../../../runtime/archives/tar-datasets.ts';
import { fetchFile, type FetchContext } from './fetch-linked.ts';

interface LinkedSource {
  /** Undefined for a source that is itself one dataset. */
  linked: LinkedDatasets | undefined;
  remove: () => Promise<void>;
}

const nothing = async () => {};

/** Whether a source is an address rather than a local path. */
export function isAddress(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

/**
 * The datasets of a source: a link, or an archive of several datasets, local or at an address. An archive compressed as
 * a whole is downloaded and unpacked first. Throws LinkFailed, TextFileError, DownloadFailed.
 */
export async function linkedSource(
  source: string,
  dataDir: string,
  { archives, ...context }: FetchContext & { archives: Archives },
): Promise<LinkedSource> {
  const { pathname } = (isAddress(source) && URL.parse(source)) || { pathname: source };
  if (isPackedTar(pathname)) {
    const packed = isAddress(source)
      ? await fetchFile({ address: source }, dataDir, context)
      : { path: source, remove: nothing };
    try {
      return await unpackedTar(packed.path, basename(pathname), dataDir, context);
    } finally {
      await packed.remove();
    }
  }
  if (isAddress(source) || !isTar(source))
    return { linked: await linkedDatasets(source, archives, context), remove: nothing };
  return { linked: await localTar(source, basename(source)), remove: nothing };
}

async function unpackedTar(
  packed: string,
  shown: string,
  dataDir: string,
  { signal, onProgress }: FetchContext,
): Promise<LinkedSource> {
  const folder = join(dataDir, 'downloads');
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${randomUUID()}.tar`);
  const remove = () => rm(path, { force: true });
  try {
    const onBytes = (done: number, total: number) => onProgress({ stage: 'unpacking', done, total });
    await pipeline(readChunks(packed, { signal, onBytes }), createWriteStream(path, { mode: 0o600 }));
    return { linked: await localTar(path, shown), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function localTar(path: string, shown: string): Promise<LinkedDatasets> {
  await using file = await open(path);
  const { size } = await file.stat();
  // Not before it has been read is the file closed.
  return await datasetsInTar(
    {
      shown,
      bytes: size,
      read: async (offset, length) => {
        const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, offset);
        return buffer.subarray(0, bytesRead);
      },
    },
    { address: pathToFileURL(path).href },
  );
}
