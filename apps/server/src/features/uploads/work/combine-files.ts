import { combineSamples, H5adError, type SampleFile, TextFileError } from '@cellfolio/ingest';
import { countText } from '@cellfolio/model';
import { failureOf, plainName, plainText, WorkFailed } from './failures.ts';
import { readableUpload } from './readable-upload.ts';
import { refuseForeignContent } from './refuse-foreign-content.ts';
import type { CombineResult, CombineWork, WorkContext } from './work.ts';

const readShare = 0.3;

/**
 * Makes one .h5ad of raw counts from several files. Throws WorkFailed that names the file; the signal's reason. A
 * failure leaves nothing behind.
 */
export async function combineFiles(
  { samples, genes, output }: CombineWork,
  context: WorkContext,
): Promise<CombineResult> {
  const { signal, onProgress, log } = context;
  const files: SampleFile[] = [];
  for (const [nth, { file, sample, values, genesIn }] of samples.entries()) {
    const from = (readShare * nth) / samples.length;
    onProgress('Reading the samples', from);
    await refuseForeignContent(file);
    try {
      const within = { ...context, onProgress: () => onProgress('Reading the samples', from) };
      const { path, notes, table } = await readableUpload(file, { ...(genesIn && { genesIn }) }, within, nth);
      if (table?.assumed === true) throw genesUnknown(file.name);
      for (const note of notes) log(`${plainName(sample)}: ${plainName(note)}`);
      files.push({ name: sample, path, source: file.name, values: new Map(Object.entries(values)) });
    } catch (error) {
      throw signal.aborted ? error : failureOf(error, file.name);
    }
  }
  try {
    const combination = await combineSamples(files, output, {
      genes,
      signal,
      onProgress: (share) => onProgress('Combining the samples', readShare + (1 - readShare) * share),
    });
    const { genesShared: shared, genesOfAny: ofAny, matchedBy, carried, left, proteins } = combination;
    const notes = [
      ...combination.sameCells.map(plainText),
      ...combination.samples.map(
        ({ name, cells, genes: own, proteins: measured }) =>
          `${plainName(name)}: ${countText(cells)} cells, ${countText(own)} genes${measured > 0 ? `, ${countText(measured)} proteins` : ''}.`,
      ),
      ...(carried.length > 0 ? [`Columns kept from the files: ${plainName(carried.join(', '))}.`] : []),
      ...proteins.map(plainText),
      ...(left.length > 0 ? [`Columns left out: ${plainName(left.join(', '))}.`] : []),
    ];
    return {
      record: {
        genes: { kept: genes, matchedBy, shared, ofAny },
        files: combination.samples.map(({ name, cells, genes: own }, at) => ({
          sample: plainName(name),
          file: plainName(samples[at]!.file.name),
          cells,
          genes: own,
        })),
      },
      notes,
    };
  } catch (error) {
    throw signal.aborted ? error : failureOf(error, fileOf(error, files));
  }
}

function fileOf(error: unknown, files: readonly SampleFile[]): string {
  const path = error instanceof H5adError || error instanceof TextFileError ? error.path : undefined;
  return files.find((file) => file.path === path || file.source === path)?.source ?? 'The combined file';
}

function genesUnknown(name: string): WorkFailed {
  return new WorkFailed(
    'undecided_genes',
    `${plainName(name)}: the names in the table do not show whether its genes are in rows or columns. Choose in the list of files, then combine it.`,
  );
}
