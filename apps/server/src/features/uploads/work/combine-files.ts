import { basename } from 'node:path';
import { combineSamples, H5adError, type SampleFile, TextFileError } from '@cellfolio/ingest';
import { countText } from '@cellfolio/model';
import { failureOf, genesUnknown, plainName, plainText } from './failures.ts';
import { readableUpload } from './readable-upload.ts';
import { refuseForeignContent } from './refuse-foreign-content.ts';
import type { CombineResult, CombineWork, WorkContext } from './work.ts';

type Sample = CombineWork['samples'][number];

const readShare = 0.3;

/**
 * Makes one .h5ad of raw counts from several files. Throws WorkFailed that names the file; the signal's reason. A
 * failure leaves nothing behind.
 */
export async function combineFiles(work: CombineWork, context: WorkContext): Promise<CombineResult> {
  const { samples } = work;
  const { signal, onProgress } = context;
  const files: SampleFile[] = [];
  for (const [nth, sample] of samples.entries()) {
    const { file } = sample;
    const from = (readShare * nth) / samples.length;
    onProgress('Reading the samples', from);
    await refuseForeignContent(file);
    try {
      const within = { ...context, onProgress: () => onProgress('Reading the samples', from) };
      files.push(await readSample(sample, within, nth));
    } catch (error) {
      throw signal.aborted ? error : failureOf(error, file.name);
    }
  }
  try {
    return await writeCombination(work, files, context);
  } catch (error) {
    throw signal.aborted ? error : failureOf(error, fileOf(error, files));
  }
}

/** The `nth` sample as a file of counts. Throws WorkFailed `undecided_genes`, as `readableUpload`. */
export async function readSample(
  { file, sample, values, genesIn }: Sample,
  context: WorkContext,
  nth: number,
): Promise<SampleFile> {
  const { path, notes, table } = await readableUpload(file, { ...(genesIn && { genesIn }) }, context, nth);
  if (table?.assumed === true) throw genesUnknown(file.name, 'Choose in the list of files, then combine it.');
  for (const note of notes) context.log(`${plainName(sample)}: ${plainName(note)}`);
  return { name: sample, path, source: file.name, values: new Map(Object.entries(values)) };
}

/** Throws as `combineSamples`; a failure leaves nothing behind. */
export async function writeCombination(
  { genes, output }: Pick<CombineWork, 'genes' | 'output'>,
  files: readonly SampleFile[],
  { signal, onProgress }: WorkContext,
): Promise<CombineResult> {
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
        file: plainName(basename(files[at]!.source)),
        cells,
        genes: own,
      })),
    },
    notes,
  };
}

function fileOf(error: unknown, files: readonly SampleFile[]): string {
  const path = error instanceof H5adError || error instanceof TextFileError ? error.path : undefined;
  return files.find((file) => file.path === path || file.source === path)?.source ?? 'The combined file';
}
