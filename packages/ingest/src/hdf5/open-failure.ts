import { closeSync, openSync, readSync, statSync, type Stats } from 'node:fs';
import { foreignContent } from '../foreign-content.ts';
import { H5adError } from '../h5ad-error.ts';
import { lastDiagnostics } from './hdf5-library.ts';

const SIGNATURE = Buffer.from([0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a]);

/** What the system says of a file that is to be opened. Throws H5adError `not-found`. */
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
    const head = Buffer.alloc(SIGNATURE.length);
    for (let at = 0; at + head.length <= size; at = at === 0 ? 512 : at * 2) {
      readSync(file, head, 0, head.length, at);
      if (head.equals(SIGNATURE)) return true;
    }
    return false;
  } finally {
    closeSync(file);
  }
}

/** Why the library did not open a file: from the file's own bytes and from what the library said last. */
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
