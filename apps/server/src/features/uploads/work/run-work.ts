import {
  importH5ad,
  inspectH5ad,
  type ImportColumns,
  type PreflightReport,
  convertMatrixMarket,
  TextFileError,
} from '@cellfolio/ingest';
import { combineFiles } from './combine-files.ts';
import { combinedSamples, fileSamples, partSamples, type CombinedSamples } from './combined-samples.ts';
import { type ComputedPart, inspectFile, missingPartsOf } from './inspect-file.ts';
import { processingOf } from './processing-input.ts';
import type {
  Work,
  WorkContext,
  WorkResults,
  BuildResult,
  BuildWork,
  ConvertResult,
  ConvertWork,
  InputFile,
} from './work.ts';
import { computeMissing } from './compute-missing.ts';
import { failureOf, plainName, plainText, WorkFailed } from './failures.ts';
import { readableUpload } from './readable-upload.ts';
import { refuseForeignContent } from './refuse-foreign-content.ts';
import { writeSubset } from './write-subset.ts';

/**
 * Does the work of a job. Failed or cancelled work leaves nothing behind. Throws WorkFailed; the signal's reason when
 * aborted; anything else is an internal error (see `problemOf`).
 */
export function runWork<W extends Work>(work: W, context: WorkContext): Promise<WorkResults[W['kind']]>;
export async function runWork(work: Work, context: WorkContext): Promise<WorkResults[Work['kind']]> {
  context.signal.throwIfAborted();
  switch (work.kind) {
    case 'inspect':
      return inspectFile(work, context);
    case 'convert':
      return convertTrio(work, context);
    case 'combine':
      return combineFiles(work, context);
    case 'build':
      return buildDataset(work, context);
    case 'subset':
      return writeSubset(work, context);
  }
}

/** A file may hold thousands of odd columns, each with its own warning; the dataset has all of them. */
const maxNotes = 50;
const maxImportMemory = 640 * 2 ** 20;
const inspectedShare = 0.02;
const processedShare = 0.75;

/**
 * Builds the dataset of an .h5ad, computing missing parts from its raw counts. The same file and settings give the same
 * version. Throws WorkFailed; the signal's reason. A failure leaves nothing behind, and an existing dataset stays.
 */
async function buildDataset(work: BuildWork, context: WorkContext): Promise<BuildResult> {
  const { file, root, datasetId: id, catalogue, memoryBytes } = work;
  const { signal, onProgress, log } = context;
  onProgress('Looking at the file', 0);
  await refuseForeignContent(file);
  try {
    const readable = await readableUpload(file, work.columns, context);
    const { path } = readable;
    if (readable.table?.assumed === true) throw genesUnknown(file);
    for (const note of readable.notes) log(plainText(note));
    const columns = chosenColumns(work);
    const report = await inspectH5ad(path, { ...columns, signal });
    const { computable: parts } = missingPartsOf(work, report, columns);
    const within = { ...context, onProgress: part(onProgress, inspectedShare, processedShare) };
    const additions =
      parts.length === 0
        ? {}
        : await computeMissing(
            {
              work: { ...work, file: { ...file, path }, processing: processingOf(work) },
              columns,
              report,
              parts,
              combined: samplesOfWork(work, report, parts),
              required: work.isPart === true,
            },
            within,
          );
    const onWritten = part(onProgress, parts.length === 0 ? inspectedShare : processedShare, 1);
    const { manifest } = await importH5ad({
      path,
      root,
      id,
      catalogue,
      columns,
      additions,
      memoryBudget: Math.min(maxImportMemory, memoryBytes / 3),
      replace: true,
      signal,
      onProgress: ({ stage, done, total }) =>
        onWritten('Writing the dataset', importFraction(stage, done / Math.max(1, total))),
    });
    const notes = manifest.warnings.slice(0, maxNotes).map(({ message }) => plainText(message));
    for (const note of notes) log(note);
    log(
      `Ready: ${manifest.cellCount.toLocaleString('en-US')} cells x ${manifest.geneCount.toLocaleString('en-US')} genes.`,
    );
    return {
      version: manifest.version,
      cells: manifest.cellCount,
      genes: manifest.geneCount,
      processed: manifest.processing,
      notes,
    };
  } catch (error) {
    throw signal.aborted ? error : failureOf(error, file.name);
  }
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

function chosenColumns({ columns: chosen }: BuildWork): ImportColumns {
  const { genesIn: _, ...columns } = chosen;
  return Object.fromEntries(Object.entries(columns).filter(([, name]) => name !== undefined));
}

function genesUnknown({ name }: InputFile): WorkFailed {
  return new WorkFailed(
    'undecided_genes',
    `${plainName(name)}: the names in the table do not show whether its genes are in rows or in columns. State it (columns.genesIn).`,
  );
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

/**
 * Makes an .h5ad from a matrix and its two tables. Throws WorkFailed; the signal's reason. A failure leaves nothing
 * behind.
 */
async function convertTrio(work: ConvertWork, context: WorkContext): Promise<ConvertResult> {
  const { matrix, tables, output } = work;
  const { signal, onProgress, log } = context;
  onProgress('Reading the tables', 0);
  for (const file of [matrix, ...tables]) await refuseForeignContent(file);
  try {
    const conversion = await convertMatrixMarket({ matrix, tables }, output, {
      signal,
      onProgress: (fraction) =>
        onProgress(fraction < 0.5 ? 'Reading the matrix' : 'Writing the AnnData file', fraction),
    });
    const notes = conversion.notes.map(plainText);
    for (const note of notes) log(note);
    return {
      cells: conversion.cellCount,
      genes: conversion.geneCount,
      entries: conversion.entryCount,
      notes,
    };
  } catch (error) {
    if (signal.aborted) throw error;
    // These errors know which of the three they mean.
    throw failureOf(error, error instanceof TextFileError ? error.path : matrix.name);
  }
}
