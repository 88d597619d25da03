import {
  type DatasetAdditions,
  importH5ad,
  type ImportColumns,
  inspectH5ad,
  type PreflightReport,
  type ReadableFile,
} from '@cellfolio/ingest';
import type { DatasetManifest } from '@cellfolio/store';
import { combinedSamples, fileSamples, partSamples, type CombinedSamples } from './combined-samples.ts';
import { computeMissing } from './compute-missing.ts';
import { genesUnknown } from './failures.ts';
import { type ComputedPart, type MissingParts, missingPartsOf } from './inspect-file.ts';
import { processingOf } from './processing-input.ts';
import { readableUpload } from './readable-upload.ts';
import type { BuildWork, WorkContext } from './work.ts';

export interface OpenedFile {
  readable: ReadableFile;
  report: PreflightReport;
  missing: MissingParts;
}

export interface BuildOutcome extends OpenedFile {
  manifest: DatasetManifest;
  /** Report of what was written, in place of that of the file. */
  report: PreflightReport;
}

/** A caller's objections, thrown before the next step; nothing has been written then. */
export interface BuildChecks {
  opened?: (opened: OpenedFile) => void;
  computed?: (additions: DatasetAdditions) => void;
}

const maxImportMemory = 640 * 2 ** 20;
const inspectedShare = 0.02;
const processedShare = 0.75;

/** Opens a file for its dataset. Throws WorkFailed `undecided_genes`, as `readableUpload` and `inspectH5ad`. */
export async function openFile(
  work: Pick<BuildWork, 'file' | 'columns' | 'combined' | 'isPart' | 'maxCarried'>,
  context: WorkContext,
): Promise<OpenedFile> {
  const readable = await readableUpload(work.file, work.columns, context);
  if (readable.table?.assumed === true) throw genesUnknown(work.file.name);
  const columns = chosenColumns(work);
  const { maxCarried } = work;
  const report = await inspectH5ad(readable.path, { ...columns, maxCarried, signal: context.signal });
  return { readable, report, missing: missingPartsOf(work, report, columns) };
}

/**
 * Builds the dataset of a file, computing missing parts from its raw counts. The same file and settings give the same
 * version. Throws WorkFailed, H5adError, TextFileError, ProcessError, the store's errors; the signal's reason. A failure
 * leaves nothing behind, and an existing dataset stays.
 */
export async function buildDataset(
  work: BuildWork,
  context: WorkContext,
  checks: BuildChecks = {},
): Promise<BuildOutcome> {
  const { root, datasetId: id, catalogue, memoryBytes, replace = true } = work;
  const { signal, onProgress } = context;
  const opened = await openFile(work, context);
  checks.opened?.(opened);
  const { path } = opened.readable;
  const columns = chosenColumns(work);
  const parts = partsOf(work, opened.missing);
  const additions =
    parts.length === 0
      ? {}
      : await computeMissing(
          {
            work: { path, processing: processingOf(work), memoryBytes },
            columns,
            report: opened.report,
            parts,
            combined: samplesOfWork(work, opened.report, parts),
            required: work.isPart === true,
          },
          { ...context, onProgress: part(onProgress, inspectedShare, processedShare) },
        );
  checks.computed?.(additions);
  const onWritten = part(onProgress, parts.length === 0 ? inspectedShare : processedShare, 1);
  const written = await importH5ad({
    path,
    root,
    id,
    catalogue,
    columns,
    additions,
    ...(work.maxCarried !== undefined && { maxCarried: work.maxCarried }),
    memoryBudget: work.importMemoryBytes ?? Math.min(maxImportMemory, memoryBytes / 3),
    replace,
    signal,
    onProgress: ({ stage, done, total }) =>
      onWritten('Writing the dataset', importFraction(stage, done / Math.max(1, total))),
  });
  return { ...opened, ...written };
}

/** Cells of samples are always looked at: where none is to go, no threshold takes one. */
function partsOf(
  { compute = 'all', combined, processing: { samples } }: BuildWork,
  { computable }: MissingParts,
): readonly ComputedPart[] {
  if (compute === 'nothing') return [];
  const looks = compute !== 'of every cell' || combined !== undefined || samples !== undefined;
  return computable.filter((part) => looks || part !== 'qualityControl');
}

function samplesOfWork(
  { combined, isPart, processing }: BuildWork,
  report: PreflightReport,
  parts: readonly ComputedPart[],
): CombinedSamples | undefined {
  const { samples = {}, resolution } = processing;
  if (combined !== undefined) return combinedSamples(combined, samples, { report, resolution });
  if (isPart) return partSamples(samples, { report, resolution });
  // Where clusters or an embedding are there already, the file has been worked on.
  return parts.includes('qualityControl') ? fileSamples(processing, report) : undefined;
}

function chosenColumns({ columns: chosen }: Pick<BuildWork, 'columns'>): ImportColumns {
  const { genesIn: _, ...columns } = chosen;
  return Object.fromEntries(Object.entries(columns).filter(([, name]) => name !== undefined));
}

/** Progress of a part of the work; never decreases, since an import may read more than once. */
function part(onProgress: WorkContext['onProgress'], from: number, to: number): WorkContext['onProgress'] {
  let reached = from;
  return (stage, fraction) => {
    reached = Math.max(reached, from + (to - from) * Math.min(1, fraction));
    onProgress(stage, reached);
  };
}

const stages = new Map([
  ['read', [0, 0.3]],
  ['write', [0.3, 0.7]],
  ['counts', [0.7, 0.95]],
  ['tables', [0.95, 1]],
] as const);

function importFraction(stage: string, done: number): number {
  const [from, to] = stages.get(stage as 'read') ?? [0, 0];
  return from + (to - from) * done;
}
