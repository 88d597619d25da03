import { H5adError } from '../h5ad-error.ts';
import type { DatasetInfo } from './hdf5-file.ts';

/** A chunk is unpacked whole, whatever is read of it. */
const MOST_CHUNK_BYTES = 256 * 2 ** 20;
/** What a part may declare in any file: not enough to do harm. */
const HARMLESS_BYTES = 64 * 2 ** 20;
/** Deflate packs a byte into a thousandth at best; others keep only the length of a run. */
const DEFLATE = 1;
const SHUFFLE = 2;
const FLETCHER = 3;
const MOST_DEFLATED = 1100;
const MOST_PACKED = 50_000;
/** A string of any length is a reference of so many bytes in the file. */
const REFERENCE_BYTES = 16;
const MOST_VALUES = 2 ** 50;

/**
 * Refuses a part that declares far more than its file can hold: a few bytes can declare terabytes, and the memory for
 * them would be asked for before anything is found to be missing. Throws H5adError `too-large`.
 */
export function assertSensibleSize(
  file: { readonly path: string; readonly size: number },
  { path, shape, type, chunks, filters }: DatasetInfo,
): void {
  const bytes = type.kind === 'string' && type.variable ? REFERENCE_BYTES : type.size;
  const values = shape.reduce((product, n) => product * n, 1);
  const chunkBytes = (chunks ?? []).reduce((product, n) => product * n, bytes);
  if (chunks !== undefined && chunkBytes > MOST_CHUNK_BYTES && values > 0)
    throw tooLarge(file, path, 'one of its chunks');
  const packing = filters.filter(({ id }) => id !== SHUFFLE && id !== FLETCHER);
  const most =
    packing.length === 0 ? 1 : packing.every(({ id }) => id === DEFLATE) ? MOST_DEFLATED : MOST_PACKED;
  if (values <= MOST_VALUES && values * bytes <= Math.max(HARMLESS_BYTES, file.size * most)) return;
  throw new H5adError({
    code: 'too-large',
    path: file.path,
    part: path,
    problem: `it declares ${shape.join(' x ')} values, more than a file of ${file.size} bytes can hold.`,
    hint: 'The file is damaged or cut short: copy it again, or write it again with anndata.',
  });
}

/** `what` is too large to be held in memory. */
export function tooLarge(file: { readonly path: string }, part: string, what: string): H5adError {
  return new H5adError({
    code: 'too-large',
    path: file.path,
    part,
    problem: `${what} would take more memory than there is for it.`,
    hint: 'Write the file again with anndata, and leave out what is not needed.',
  });
}
