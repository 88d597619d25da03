import { join } from 'node:path';
import type { ColumnChoice } from '@cellfolio/contract';
import { readableFile, type ReadableFile } from '@cellfolio/ingest';
import type { InputFile, WorkContext } from './work.ts';

/**
 * An upload, or the `nth` of several, as a file that a dataset can be read from: itself, or one converted from it in
 * the folder of the run. Throws TextFileError, H5adError, H5adWriteFailed; the signal's reason.
 */
export function readableUpload(
  file: InputFile,
  { genesIn }: ColumnChoice = {},
  { scratch, signal, onProgress }: WorkContext,
  nth = 0,
): Promise<ReadableFile> {
  return readableFile(file, join(scratch, `readable-${nth}.h5ad`), {
    genesIn,
    signal,
    onProgress: (fraction) => onProgress('Reading the file', fraction * readShare),
  });
}

const readShare = 0.02;
