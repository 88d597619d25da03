import { stat } from 'node:fs/promises';
import { H5File } from '../../write-h5ad/h5-file.ts';
import type { Conversion } from '../conversion.ts';
import { ZarrCopy } from './copy-zarr.ts';
import { zarrFolder } from './zarr-files.ts';
import { zarrZip } from './zarr-zip.ts';

/** Whether files of these paths make a Zarr hierarchy. */
export function isZarr(paths: readonly string[]): boolean {
  return paths.some((path) => /(^|\/)(zarr\.json|\.zgroup|\.zattrs)$/.test(path));
}

/**
 * AnnData-Zarr, version 2 or 3, as a folder or zip (https://anndata.readthedocs.io/en/stable/fileformat-prose.html).
 * Its groups, arrays and attributes equal those of an .h5ad file and are copied one to one, chunk by chunk.
 */
export const zarr: Conversion = {
  title: 'AnnData-Zarr',
  recognises: ({ folder, head }) =>
    (folder && isZarr(folder)) ?? head.toString('latin1', 0, 4) === 'PK\u0003\u0004',
  convert: async ({ path }, output, options) => {
    const files = (await stat(path)).isDirectory() ? await zarrFolder(path) : await zarrZip(path, output);
    try {
      await H5File.write(output, (file) => new ZarrCopy(files, file, options).run());
      return { notes: [] };
    } finally {
      await files.close();
    }
  },
};
