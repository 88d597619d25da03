import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { isPackedTar } from '@cellfolio/contract';
import { readChunks } from '@cellfolio/ingest';
import { linkedDatasets } from '../../../runtime/archives/linked-datasets-of.ts';
import type { Archives, LinkedDatasets } from '../../../runtime/archives/linked-datasets.ts';
import { datasetsOfMembers, isTar } from '../../../runtime/archives/tar-datasets.ts';
import { tarMembers } from '../../../runtime/archives/tar-members.ts';
import { fetchFile, type FetchContext } from './fetch-linked.ts';
import { withSideFiles } from './side-files.ts';

/** Whether a source is an address rather than a local path. */
export function isAddress(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

/**
 * The datasets of a source: a link, or an archive of several datasets, local or at an address; undefined for a source
 * that is itself one dataset. An archive compressed as a whole is downloaded and unpacked first. Throws LinkFailed,
 * TextFileError, DownloadFailed.
 */
export async function linkedSource(
  source: string,
  context: FetchContext & { archives: Archives },
): Promise<LinkedDatasets | undefined> {
  const { pathname } = (isAddress(source) && URL.parse(source)) || { pathname: source };
  if (isPackedTar(pathname)) {
    await using downloads = new AsyncDisposableStack();
    const packed = isAddress(source)
      ? await fetchFile({ address: source }, { ...context, downloads })
      : source;
    return await unpackedTar(packed, basename(pathname), context);
  }
  if (isAddress(source) || !isTar(source)) return linkedDatasets(source, context.archives, context);
  return localTar(source, basename(source));
}

async function unpackedTar(
  packed: string,
  shown: string,
  { scratch, signal, onProgress }: FetchContext,
): Promise<LinkedDatasets> {
  const path = join(scratch, `${randomUUID()}.tar`);
  const onBytes = (done: number, total: number) => onProgress('unpacking', done / total);
  await pipeline(readChunks(packed, { signal, onBytes }), createWriteStream(path, { mode: 0o600 }));
  return localTar(path, shown);
}

async function localTar(path: string, shown: string): Promise<LinkedDatasets> {
  await using file = await open(path);
  const { size } = await file.stat();
  // Not before it has been read is the file closed.
  const read = await tarMembers({
    shown,
    bytes: size,
    read: async (offset, length) => {
      const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, offset);
      return buffer.subarray(0, bytesRead);
    },
  });
  return withSideFiles(datasetsOfMembers(read, { shown, address: pathToFileURL(path).href }), read.members);
}
