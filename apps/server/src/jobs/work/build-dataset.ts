import { importH5ad, type ImportColumns } from '@cellfolio/ingest';
import { failureOf } from './failure-of.ts';
import { plainText } from './plain-text.ts';
import { refuseForeignContent } from './refuse-foreign-content.ts';
import type { BuildResult, BuildWork, WorkContext } from './work.ts';

/** Makes the dataset of an .h5ad. Throws WorkFailed; the signal's reason. Nothing is left of a failure. */
export async function buildDataset(work: BuildWork, context: WorkContext): Promise<BuildResult> {
  const { file, root, datasetId: id, catalogue } = work;
  const { signal, onProgress, log } = context;
  onProgress('Looking at the file', 0);
  await refuseForeignContent(file);
  try {
    const columns = chosenColumns(work);
    const { manifest } = await importH5ad({
      path: file.path,
      root,
      id,
      catalogue,
      columns,
      replace: true,
      signal,
      onProgress: ({ done, total }) => onProgress('Writing the dataset', done / Math.max(1, total)),
    });
    const notes = manifest.warnings.map(({ message }) => plainText(message));
    for (const note of notes) log(note);
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

function chosenColumns({ columns }: BuildWork): ImportColumns {
  return Object.fromEntries(Object.entries(columns).filter(([, name]) => name !== undefined));
}
