import { H5adError } from '../h5ad-error.ts';
import { lastDiagnostics } from './hdf5-library.ts';

/** Filters up to this number are the library's own. */
const LAST_OWN_FILTER = 6;

/** A part of a file and the filters that its values went through. */
export interface ReadPart {
  readonly path: string;
  readonly filters: readonly { readonly id: number; readonly name: string }[];
}

/** Why the library did not read a part of the file at `path`, from what it said last. */
export function readFailure(path: string, part: ReadPart): H5adError {
  const diagnosis = lastDiagnostics();
  const cause = new Error(diagnosis);
  if (/external (raw data )?file|virtual dataset/i.test(diagnosis)) return elsewhere(path, part.path, cause);
  const foreign = part.filters
    .filter(({ id }) => id > LAST_OWN_FILTER)
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
  return new H5adError({
    code: 'unreadable',
    path,
    part: part.path,
    problem: 'its values could not be read.',
    hint: 'The file is probably damaged or cut short: copy it again, or write it again with anndata.',
    cause,
  });
}

/** A link or values that lead out of the file. */
export function elsewhere(path: string, part: string, cause?: Error): H5adError {
  return new H5adError({
    code: 'unsupported-link',
    path,
    part,
    problem: 'its values lie in another file, and other files are never opened.',
    hint: 'Write one complete file with anndata.',
    cause,
  });
}
