import * as zarr from 'zarrita';
import { H5adError } from '../../h5ad-error.ts';
import { boundCodecs, chunkBytes, NotUtf8 } from './bounded-codecs.ts';
import { tooLargeFile } from '../file-bytes.ts';
import type { ZarrFiles } from './zarr-files.ts';

export type ZarrArray = zarr.Array<zarr.DataType, zarr.AsyncReadable>;
export type ZarrNode = ZarrArray | zarr.Group<zarr.AsyncReadable>;

/** A chunk is always unpacked whole. */
const maxChunkBytes = 256 * 2 ** 20;
const maxDimensions = 2 ** 40;

boundCodecs();

/** The array or the group at a key; undefined where there is none. Throws H5adError that names it. */
export async function zarrNode(files: ZarrFiles, key: string): Promise<ZarrNode | undefined> {
  const within = key === '' ? '' : `${key}/`;
  // Each node has a store of its own: zarrita takes paths for addresses, where `%`, `?` and `#` mean something.
  const store: zarr.AsyncReadable = {
    get: (path) => files.get(within + path.slice(1)),
    getRange: (path, range) => files.get(within + path.slice(1), range),
  };
  const node = await zarr.open(store).catch((cause: unknown) => {
    if (cause instanceof H5adError) throw cause;
    if (cause instanceof zarr.NotFoundError) return undefined;
    throw unreadable(files, key, 'its metadata cannot be read', cause);
  });
  if (node instanceof zarr.Array) assertSound(files, key, node);
  return node;
}

/** Refuses shapes and chunks that are no numbers, or too large. */
function assertSound(files: ZarrFiles, key: string, { shape, chunks, dtype }: ZarrArray): void {
  const whole = (length: number, least: number) =>
    Number.isSafeInteger(length) && length >= least && length <= maxDimensions;
  if (
    shape.length !== chunks.length ||
    !shape.every((length) => whole(length, 0)) ||
    !chunks.every((length) => whole(length, 1))
  )
    throw unreadable(files, key, `its shape is ${shape.join(' x ')} in chunks of ${chunks.join(' x ')}`);
  const objects = dtype === 'string' || dtype === 'v2:object';
  if (!objects && chunkBytes({ dataType: dtype, shape: chunks }) > maxChunkBytes)
    throw tooLargeFile(files.path, key);
}

/** A chunk by its place. Throws H5adError that names it. */
export async function chunkAt(
  files: ZarrFiles,
  { key, array, place }: { key: string; array: ZarrArray; place: number[] },
): Promise<zarr.Chunk<zarr.DataType>> {
  try {
    return await array.getChunk(place);
  } catch (cause) {
    if (cause instanceof H5adError) throw cause;
    // That is within what zarrita says of its chain of codecs.
    if ((cause as Error).cause instanceof NotUtf8) throw notUtf8(files, key);
    const codec = cause instanceof zarr.UnknownCodecError ? ` (${cause.message})` : '';
    throw unreadable(files, `${key}, chunk ${place.join('.')}`, `it cannot be unpacked${codec}`, cause);
  }
}

/** The error for text in another encoding than Zarr has. */
export function notUtf8({ path }: ZarrFiles, part: string): H5adError {
  return new H5adError({
    code: 'unreadable',
    path,
    part,
    problem: 'its text is not UTF-8, as all text of Zarr is.',
    hint: 'Write it as UTF-8, or leave it out.',
  });
}

export function unreadable({ path }: ZarrFiles, part: string, problem: string, cause?: unknown): H5adError {
  return new H5adError({
    code: 'unreadable',
    path,
    part,
    problem: `${problem}.`,
    hint: 'The file may be damaged: copy it again, or write it again with anndata.',
    ...(cause !== undefined && { cause }),
  });
}
