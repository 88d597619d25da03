import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { H5Output } from '../../write-h5ad/h5-output.ts';
import type { Conversion } from '../conversion.ts';
import { ZarrCopy } from './copy-zarr.ts';
import { zarrFolder } from './zarr-files.ts';
import { zarrZip } from './zarr-zip.ts';

/**
 * AnnData-Zarr, version 2 or 3, as a folder or zip (https://anndata.readthedocs.io/en/stable/fileformat-prose.html).
 * Its groups, arrays and attributes equal those of an .h5ad file and are copied one to one, chunk by chunk.
 */
export const zarr: Conversion = {
  title: 'AnnData-Zarr',
  recognises: ({ folder, head }) =>
    folder?.some((name) => ['zarr.json', '.zgroup', '.zattrs'].includes(name)) ??
    head.toString('latin1', 0, 4) === 'PK\u0003\u0004',
  convert: async ({ path }, output, options) => {
    const files = (await stat(path)).isDirectory() ? await zarrFolder(path) : await zarrZip(path, output);
    const partial = `${output}.partial`;
    let h5Output: H5Output | undefined;
    try {
      await writeFile(partial, '', { flag: 'wx', mode: 0o600 });
      h5Output = await H5Output.create(partial, output);
      await new ZarrCopy(files, h5Output, options).run();
      h5Output.close();
      await rename(partial, output);
      return { notes: [] };
    } catch (error) {
      try {
        h5Output?.close();
      } catch {
        // The first failure is the one to report.
      }
      await rm(partial, { force: true });
      throw error;
    } finally {
      await files.close();
    }
  },
};
