import { Hdf5File } from './hdf5/hdf5-file.ts';
import { readPreflight } from './read-preflight.ts';
import type { PreflightReport } from './report/preflight-report.ts';
import type { ImportColumns } from './roles/import-columns.ts';

/**
 * What an import of this file would take, without importing it: reads the tables and samples the values.
 * Throws H5adError.
 */
export async function inspectH5ad(
  path: string,
  options: ImportColumns & { readonly signal?: AbortSignal } = {},
): Promise<PreflightReport> {
  const { signal, ...columns } = options;
  signal?.throwIfAborted();
  const file = await Hdf5File.open(path);
  try {
    return readPreflight(file, columns).report;
  } finally {
    file.close();
  }
}
