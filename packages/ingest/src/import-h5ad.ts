import { join } from 'node:path';
import type { CatalogueEntry } from '@cellfolio/model';
import {
  createDatasetWriter,
  type DatasetManifest,
  type DatasetWriter,
  stagingRoot,
  type StorePlace,
} from '@cellfolio/store';
import type { DatasetAdditions } from './additions.ts';
import { H5adError } from './h5ad-error.ts';
import { openDatasetFile } from './formats/open-dataset-file.ts';
import { defaultMemoryBudget, SampleMismatch } from './read-candidate.ts';
import { type Preflight, readPreflight } from './read-preflight.ts';
import type { PreflightReport } from './preflight-report.ts';
import type { ImportColumns } from './import-columns.ts';
import { noSpace } from './transpose/spill.ts';
import { writeDataset } from './write-dataset.ts';

interface ImportOptions {
  path: string;
  root: StorePlace;
  id: string;
  catalogue: CatalogueEntry;
  columns?: ImportColumns;
  additions?: DatasetAdditions;
  /** Maximum bytes of buffers; default 640 MiB. */
  memoryBudget?: number;
  /** Maximum bytes of what is not interpreted and returned on export; default: any number. */
  maxCarried?: number;
  replace?: boolean;
  /** Stages are `tables`, `read`, `write` and `counts`; `done` and `total` count values, or steps. */
  onProgress?: (progress: { stage: string; done: number; total: number }) => void;
  signal?: AbortSignal;
}

interface ImportResult {
  manifest: DatasetManifest;
  report: PreflightReport;
}

/**
 * Imports an .h5ad file into the store, streamed: memory is bounded by the budget, not by the file. The dataset appears
 * completely or not at all. Throws H5adError, the store's errors, or the signal's reason.
 */
export async function importH5ad(options: ImportOptions): Promise<ImportResult> {
  const { path, root, id, replace, signal } = options;
  signal?.throwIfAborted();
  const file = await openDatasetFile(path);
  let writer: DatasetWriter | undefined;
  try {
    const { columns = {}, additions = {}, maxCarried = Infinity } = options;
    let preflight = decided(path, readPreflight(file, columns, { additions, maxCarried }));
    const settings = {
      ...(replace === undefined ? {} : { replace }),
      ...(signal === undefined ? {} : { signal }),
    };
    writer = await createDatasetWriter(root, id, settings);
    for (;;) {
      try {
        return await writeDataset({
          file: file.hdf5,
          preflight,
          additions,
          writer,
          catalogue: options.catalogue,
          memoryBudget: options.memoryBudget ?? defaultMemoryBudget,
          spillFolder: join(stagingRoot(root), 'incoming'),
          onProgress: options.onProgress ?? (() => undefined),
          signal,
        });
      } catch (error) {
        if (!(error instanceof SampleMismatch)) throw error;
        // Reading all values refuted what a sample of them said: choose again, knowing better.
        preflight = decided(
          path,
          readPreflight(file, columns, { matrices: error.matrices, additions, maxCarried }),
        );
      }
    }
  } catch (error) {
    await writer?.discard();
    throw noSpace(error, path) ?? error;
  } finally {
    file.hdf5.close();
  }
}

/** Throws H5adError `undecided-scale` if the scale of the values is unknown. */
function decided(path: string, preflight: Preflight): Preflight {
  const { undecided, source } = preflight.report.expression;
  if (!undecided) return preflight;
  const { why = '', open = [] } = source.scale ?? {};
  throw new H5adError({
    code: 'undecided-scale',
    path,
    part: source.path,
    problem: `its values can be ${open.includes('log1p') ? 'natural logarithms, logarithms to another base, ' : ''}normalized values or counts, some of them with fractions or downsampled. ${why}`,
    hint: `Say which they are: ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(open)}.`,
  });
}

/**
 * Reports what an import of this file would do, without importing: reads the tables and samples the values. Throws
 * H5adError.
 */
export async function inspectH5ad(
  path: string,
  options: ImportColumns & { readonly signal?: AbortSignal; readonly maxCarried?: number | undefined } = {},
): Promise<PreflightReport> {
  const { signal, maxCarried = Infinity, ...columns } = options;
  signal?.throwIfAborted();
  const file = await openDatasetFile(path);
  try {
    return readPreflight(file, columns, { maxCarried }).report;
  } finally {
    file.hdf5.close();
  }
}
