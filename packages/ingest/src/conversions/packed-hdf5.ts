import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { readChunks } from '../matrix-market/read-text.ts';
import type { Conversion } from './conversion.ts';

/** HDF5 files of any format, packed by gzip: they are read in any order, which gzip does not allow. */
export const packedHdf5: Conversion = {
  title: 'an HDF5 file packed with gzip',
  recognises: ({ packed, head }) => packed && head.toString('latin1', 0, 4) === '\u0089HDF',
  convert: async ({ path }, output, { signal, onProgress }) => {
    const bytes = readChunks(path, { signal, onBytes: (read, all) => onProgress?.(read / all) });
    await pipeline(bytes, createWriteStream(output, { mode: 0o600 }));
    return { notes: [] };
  },
};
