import { basename, extname, join } from 'node:path';
import type { CombinedRecord } from '@cellfolio/contract';
import type { CombineFilesOptions, GenesIn, SampleFile } from '@cellfolio/ingest';
import { readSample, type WorkContext, writeCombination } from '../../features/uploads/index.ts';
import { aboutSource, localSource } from './local-source.ts';
import type { LocalSource } from './matrix-market-source.ts';
import type { SampleLine, SamplesTable } from './samples-table.ts';

export interface CombinedSource extends LocalSource {
  combined: { table: SamplesTable; record: CombinedRecord };
}

interface CombineOptions {
  /** Name of the table in the report: its path, or the link it was made from. */
  from: string;
  genes: CombineFilesOptions['genes'];
  genesIn: GenesIn | undefined;
  /** The path of a line's source on this machine. */
  fetch: (line: SampleLine) => Promise<string>;
}

/**
 * Combines the files of a table of samples into one .h5ad file of raw counts. Each can be any source that can be added
 * by itself. Throws CommandFailure; as combining, converting and fetching do.
 */
export async function combinedSource(
  table: SamplesTable,
  options: CombineOptions,
  context: WorkContext,
): Promise<CombinedSource> {
  const { from, genes } = options;
  const files: SampleFile[] = [];
  for (const [nth, line] of table.lines.entries())
    files.push(await sampleFile(line, await options.fetch(line), { ...options, nth }, context));
  const output = join(context.scratch, 'combined.h5ad');
  const { record, notes } = await writeCombination({ genes, output }, files, context);
  return {
    file: { path: output, name: basename(output) },
    shown: from,
    named: basename(from, extname(from)),
    rows: [
      { label: 'Samples from', value: `${from} (${files.length})` },
      ...notes.map((value) => ({ label: '', value })),
    ],
    warnings: [],
    combined: { table, record },
  };
}

async function sampleFile(
  { sample, source, values }: SampleLine,
  path: string,
  { genesIn, nth }: Pick<CombineOptions, 'genesIn'> & { nth: number },
  context: WorkContext,
): Promise<SampleFile> {
  try {
    const { file } = await localSource(path, genesIn, context, source);
    const read = await readSample({ file, sample, values: {}, genesIn }, context, nth);
    return { ...read, source, values };
  } catch (cause) {
    const error = aboutSource(cause, { path, shown: source }, context);
    // The files of samples have the same names, such as matrix.mtx.gz.
    if (error instanceof Error) error.message = `sample ${sample}: ${error.message}`;
    throw error;
  }
}
