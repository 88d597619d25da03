import {
  unpackStrings,
  type CategoricalColumn,
  type NumericArray,
  type PackedStrings,
} from '@cellfolio/model';
import { H5adError } from '../h5ad-error.ts';
import type { Hdf5File } from '../hdf5/hdf5-file.ts';

export interface Categories {
  readonly strings?: PackedStrings;
  readonly values?: readonly string[];
  readonly type: CategoricalColumn['categoryType'];
}

/** Joins codes and categories. Throws `index-out-of-range` where a code has no category. */
export function categoricalColumn(
  file: Hdf5File,
  part: string,
  codes: NumericArray,
  from: Categories,
  ordered: boolean,
): CategoricalColumn {
  const categories = from.values ?? (from.strings === undefined ? [] : unpackStrings(from.strings));
  const limit = categories.length;
  const out =
    limit <= 128
      ? new Int8Array(codes.length)
      : limit <= 32_768
        ? new Int16Array(codes.length)
        : new Int32Array(codes.length);
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]!;
    if (!(code < limit)) {
      throw new H5adError({
        code: 'index-out-of-range',
        path: file.path,
        part,
        problem: `row ${i} has category ${code}, but there are ${limit} categories.`,
        hint: 'The file is damaged; write it again with anndata.',
      });
    }
    // Missing is -1; older files may hold other negative codes.
    out[i] = code < 0 ? -1 : code;
  }
  return { kind: 'categorical', codes: out, categories, categoryType: from.type, ordered };
}
