import { convertMatrixMarket, TextFileError } from '@cellfolio/ingest';
import { buildDataset } from './build-dataset.ts';
import { combineFiles } from './combine-files.ts';
import { failureOf, plainText } from './failures.ts';
import { inspectFile } from './inspect-file.ts';
import { refuseForeignContent } from './refuse-foreign-content.ts';
import type {
  BuildResult,
  BuildWork,
  ConvertResult,
  ConvertWork,
  Work,
  WorkContext,
  WorkResults,
} from './work.ts';
import { writeCellxgene } from './write-cellxgene.ts';
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
      return buildFile(work, context);
    case 'subset':
      return writeSubset(work, context);
    case 'cellxgene':
      return writeCellxgene(work, context);
  }
}

/** A file may hold thousands of odd columns, each with its own warning; the dataset has all of them. */
const maxNotes = 50;

/** Builds the dataset of a file for its owner. Throws WorkFailed; the signal's reason. */
async function buildFile(work: BuildWork, context: WorkContext): Promise<BuildResult> {
  const { file } = work;
  const { signal, onProgress, log } = context;
  onProgress('Looking at the file', 0);
  await refuseForeignContent(file);
  try {
    const { manifest, report } = await buildDataset(work, context, {
      opened: ({ readable }) => {
        for (const note of readable.notes) log(plainText(note));
      },
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
      carriedBytes: report.carried.reduce((sum, { bytes }) => sum + bytes, 0),
      processed: manifest.processing,
      notes,
    };
  } catch (error) {
    throw signal.aborted ? error : failureOf(error, file.name);
  }
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
