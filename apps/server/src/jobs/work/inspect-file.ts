import { extname } from 'node:path';
import type { FileReport } from '@cellfolio/contract';
import { inspectH5ad, inspectTextFile } from '@cellfolio/ingest';
import { failureOf } from './failure-of.ts';
import { h5adFileReport } from './h5ad-file-report.ts';
import { plainText } from './plain-text.ts';
import { refuseForeignContent } from './refuse-foreign-content.ts';
import type { InspectWork, WorkContext } from './work.ts';

/**
 * What an upload is. Of an .h5ad the tables are read and values sampled, of a matrix its head, of a .tsv all lines.
 * Throws WorkFailed; the signal's reason.
 */
export async function inspectFile({ file }: InspectWork, context: WorkContext): Promise<FileReport> {
  const { signal, onProgress } = context;
  onProgress('Looking at the file', 0);
  await refuseForeignContent(file);
  try {
    if (extname(file.name).toLowerCase() === '.h5ad')
      return h5adFileReport(await inspectH5ad(file.path, { signal }));
    const report = await inspectTextFile(file.path, file.name);
    signal.throwIfAborted();
    const notes = report.notes.map(plainText);
    if (report.kind === 'matrix') return { ...report, notes };
    return { ...report, notes, first: report.first.map(plainText) };
  } catch (error) {
    throw signal.aborted ? error : failureOf(error, file.name);
  }
}
