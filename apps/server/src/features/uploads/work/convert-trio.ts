import { convertMatrixMarket, TextFileError } from '@cellfolio/ingest';
import { failureOf } from './failure-of.ts';
import { plainText } from './plain-text.ts';
import { refuseForeignContent } from './refuse-foreign-content.ts';
import type { ConvertResult, ConvertWork, WorkContext } from './work.ts';

/** Makes an .h5ad of a matrix and its two tables. Throws WorkFailed; the signal's reason. Nothing is left of a failure. */
export async function convertTrio(work: ConvertWork, context: WorkContext): Promise<ConvertResult> {
  const { matrix, tables, output } = work;
  const { signal, onProgress, log } = context;
  onProgress('Reading the tables', 0);
  for (const file of [matrix, ...tables]) await refuseForeignContent(file);
  try {
    const made = await convertMatrixMarket({ matrix, tables }, output, {
      signal,
      onProgress: (fraction) =>
        onProgress(fraction < 0.5 ? 'Reading the matrix' : 'Writing the AnnData file', fraction),
    });
    const notes = made.notes.map(plainText);
    for (const note of notes) log(note);
    return { cells: made.cellCount, genes: made.geneCount, entries: made.entryCount, notes };
  } catch (error) {
    if (signal.aborted) throw error;
    // These errors know which of the three they mean.
    throw failureOf(error, error instanceof TextFileError ? error.path : matrix.name);
  }
}
