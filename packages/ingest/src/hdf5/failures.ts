import { closeSync, openSync, readSync, statSync, type Stats } from 'node:fs';
import { foreignContent } from '../foreign-content.ts';
import { H5adError, unreadableValues } from '../h5ad-error.ts';
import { lastDiagnostics } from './hdf5-library.ts';
import type { DatasetInfo } from './element-type.ts';

const signature = Buffer.from([0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a]);

/** File status before opening. Throws H5adError `not-found`. */
export function readableStat(path: string): Stats {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() === true) return stats;
  throw new H5adError({
    code: 'not-found',
    path,
    part: '',
    problem: stats === undefined ? 'there is no such file.' : 'this is not a file.',
    hint: 'Check the path.',
  });
}

/** HDF5 puts its signature at byte 0, or after a user block at 512, 1024, 2048… */
function hasSignature(path: string, size: number): boolean {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(signature.length);
    for (let at = 0; at + head.length <= size; at = at === 0 ? 512 : at * 2) {
      readSync(file, head, 0, head.length, at);
      if (head.equals(signature)) return true;
    }
    return false;
  } finally {
    closeSync(file);
  }
}

export function openFailure(path: string, size: number, thrown?: unknown): H5adError {
  const diagnosis = lastDiagnostics();
  const cause = new Error(diagnosis, thrown === undefined ? {} : { cause: thrown });
  if (!hasSignature(path, size)) {
    const foreign = foreignContent(path);
    return new H5adError({
      code: 'not-hdf5',
      path,
      part: '',
      problem:
        size === 0
          ? 'the file is empty.'
          : foreign === undefined
            ? 'this is not an HDF5 file.'
            : `this is ${foreign.what}, not an AnnData file.`,
      hint: foreign?.hint ?? 'An .h5ad file written by anndata is expected.',
      cause,
    });
  }
  if (/truncated|eof|overflow/i.test(diagnosis)) {
    return new H5adError({
      code: 'truncated',
      path,
      part: '',
      problem: 'the file is cut short: it ends before its last part.',
      hint: 'Copy or download it again.',
      cause,
    });
  }
  return new H5adError({
    code: 'unreadable',
    path,
    part: '',
    problem: 'the file could not be opened.',
    hint: 'It may be damaged or still be written by another program: copy it again, or write it again with anndata.',
    cause,
  });
}

/** Filters up to this number are built into the library. */
const lastOwnFilter = 6;

interface ReadPart {
  path: string;
  filters: readonly { id: number; name: string }[];
}

export function readFailure(path: string, part: ReadPart): H5adError {
  const diagnosis = lastDiagnostics();
  const cause = new Error(diagnosis);
  if (/external (raw data )?file|virtual dataset/i.test(diagnosis)) return elsewhere(path, part.path, cause);
  const foreign = part.filters
    .filter(({ id }) => id > lastOwnFilter)
    .map(({ id, name }) => `${name || 'unnamed'} (${id})`);
  if (foreign.length > 0 && /filter|plugin/i.test(diagnosis)) {
    return new H5adError({
      code: 'unsupported-filter',
      path,
      part: part.path,
      problem: `it is compressed with the HDF5 filter ${foreign.join(', ')}, which cannot be undone here.`,
      hint: "Write the file again with compression='gzip'.",
      cause,
    });
  }
  return unreadableValues(path, part.path, cause);
}

export function elsewhere(path: string, part: string, cause?: Error): H5adError {
  return new H5adError({
    code: 'unsupported-link',
    path,
    part,
    problem: 'its values are in another file, and other files are never opened.',
    hint: 'Write one complete file with anndata.',
    cause,
  });
}

/** A virtual dataset: the library reads zeros in place of missing sources. */
export function virtualValues(path: string, part: string): H5adError {
  return new H5adError({
    code: 'unsupported-link',
    path,
    part,
    problem:
      'it is a virtual dataset: its values are in other datasets, mostly in other files, which are never opened.',
    hint: 'Write one complete file: read this one with anndata where all its files are, and write it with adata.write_h5ad.',
  });
}

/** Some values of a part are not stored in the file, and would be read as zeros. */
export function valuesNotFound(path: string, part: string, problem: string): H5adError {
  return new H5adError({
    code: 'missing-values',
    path,
    part,
    problem: `${problem}; these would be read as zeros.`,
    hint: 'The file is damaged, or its writing was broken off: copy it again, or write it again with anndata.',
  });
}

/** Maximum chunk size, since a chunk is always unpacked whole. */
const maxChunkBytes = 256 * 2 ** 20;
/** Size that a part of any file may declare without harm. */
const harmlessBytes = 64 * 2 ** 20;
/** Filter id of deflate, which compresses at most to a thousandth; others may store only a run length. */
const deflate = 1;
const shuffle = 2;
const fletcher = 3;
const maxDeflated = 1100;
const maxPacked = 50_000;
/** Bytes in the file of a reference to a variable-length string. */
const referenceBytes = 16;
const maxValues = 2 ** 50;

/**
 * Number of chunks that any file may declare. Each takes more than a byte of the file, in its index and for its values.
 */
const harmlessChunks = 65_536;
/**
 * Maximum number of parts: tables have some hundred columns, and examining one takes some milliseconds, however few
 * bytes of the file it has.
 */
const maxParts = 10_000;

/**
 * Tracks the declared sizes of the examined parts. A few bytes can declare terabytes, which would be allocated before
 * anything is found to be missing; and many names can refer to one part, which is read for each.
 */
export class DeclaredSizes {
  readonly #paths = new Set<string>();
  #bytes = 0;
  #maxRatio = 1;

  /**
   * Throws H5adError `too-large` if a part, alone or with the earlier ones, declares far more than the file can hold.
   */
  add(file: { path: string; size: number }, info: DatasetInfo): void {
    const { path, shape, type, chunks, filters } = info;
    const bytes = type.kind === 'string' && type.variable ? referenceBytes : type.size;
    const values = shape.reduce((product, n) => product * n, 1);
    const chunkBytes = (chunks ?? []).reduce((product, n) => product * n, bytes);
    if (chunks !== undefined && chunkBytes > maxChunkBytes && values > 0)
      throw tooLarge(file, path, 'one of its chunks');
    const count = (chunks ?? []).reduce((product, n, axis) => product * Math.ceil(shape[axis]! / n), 1);
    if (count > Math.max(harmlessChunks, file.size))
      throw declaresTooMuch(file, path, `it declares ${count} chunks of ${chunks!.join(' x ')} values`);
    const packing = filters.filter(({ id }) => id !== shuffle && id !== fletcher);
    const maxRatio =
      packing.length === 0 ? 1 : packing.every(({ id }) => id === deflate) ? maxDeflated : maxPacked;
    if (values > maxValues || values * bytes > Math.max(harmlessBytes, file.size * maxRatio))
      throw declaresTooMuch(file, path, `it declares ${shape.join(' x ')} values`);
    if (this.#paths.has(path)) return;
    this.#paths.add(path);
    this.#bytes += values * bytes;
    this.#maxRatio = Math.max(this.#maxRatio, maxRatio);
    if (this.#bytes > Math.max(2 * harmlessBytes, file.size * this.#maxRatio))
      throw declaresTooMuch(
        file,
        path,
        `with those read before it, it declares ${this.#bytes} bytes of values`,
      );
    if (this.#paths.size > maxParts) throw tooManyParts(file, path);
  }
}

function declaresTooMuch(file: { path: string; size: number }, part: string, what: string): H5adError {
  return new H5adError({
    code: 'too-large',
    path: file.path,
    part,
    problem: `${what}, more than a file of ${file.size} bytes can hold.`,
    hint: 'The file is damaged or cut short: copy it again, or write it again with anndata.',
  });
}

function tooManyParts({ path }: { path: string }, part: string): H5adError {
  return new H5adError({
    code: 'too-large',
    path,
    part,
    problem: `the file has more columns and other arrays than the ${maxParts.toLocaleString('en-US')} that are read.`,
    hint: 'Write the file again with anndata, and leave out columns that are not needed.',
  });
}

/** Maximum number of attributes, all of which are listed to find one; tools write some ten. */
const maxAttributes = 1000;

/** Throws H5adError if a part has more attributes than any tool writes. */
export function assertFewAttributes(path: string, part: string, count: number): void {
  if (count <= maxAttributes) return;
  throw new H5adError({
    code: 'too-large',
    path,
    part,
    problem: `it has ${count.toLocaleString('en-US')} attributes, more than the ${maxAttributes.toLocaleString('en-US')} that are read.`,
    hint: 'Write the file again with anndata.',
  });
}

export function tooLarge(file: { path: string }, part: string, what: string): H5adError {
  return new H5adError({
    code: 'too-large',
    path: file.path,
    part,
    problem: `${what} would take more memory than is available.`,
    hint: 'Write the file again with anndata, and leave out what is not needed.',
  });
}
