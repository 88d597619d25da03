import type { CombineFilesOptions } from '@cellfolio/ingest';
import { type CombinedSource, combinedSource } from './combined-source.ts';
import { pickDatasets } from './links/choose-dataset.ts';
import type { Archives, LinkedDataset } from './links/linked-datasets.ts';
import { type Fetched, fetchFile, fetchLinked, linkedDatasets, samplesOf } from './links/open-link.ts';
import { convertedTrio, type ConvertedTrio, type ConvertOptions } from './matrix-market-source.ts';
import { readSamplesTable, type SampleLine, type SamplesTable } from './samples-table.ts';

/** A source as one file on this machine. */
export interface OpenSource {
  readonly path: string;
  /** What the dataset is called after, unless told. */
  readonly named: string;
  /** Set where the file was made of others. */
  readonly trio?: ConvertedTrio | undefined;
  readonly combined?: CombinedSource;
  readonly remove?: (() => Promise<void>) | undefined;
}

export interface SourceOptions {
  /** Path of a table of samples. */
  readonly samples?: string;
  readonly genes?: CombineFilesOptions['genes'];
}

export interface OpenContext extends ConvertOptions {
  readonly dataDir: string;
}

/** Opens a path, an https address, or the files of a table of samples. Throws CommandFailure. */
export async function openSource(
  source: string | undefined,
  { samples, genes = 'shared' }: SourceOptions,
  context: OpenContext & { readonly archives: Archives },
): Promise<OpenSource> {
  if (source === undefined) {
    const table = await readSamplesTable(samples!);
    return openSamples(table, {
      ...context,
      from: samples!,
      genes,
      fetch: (line) => fetchLine(line, context),
    });
  }
  return openFetched(await fetchPath(source, context), new URL(source, 'file:').pathname, context);
}

/** Datasets of a link: one, or several as the samples of one. */
export async function openPicked(
  link: string,
  picked: readonly LinkedDataset[],
  { genes = 'shared' }: SourceOptions,
  context: OpenContext,
): Promise<OpenSource> {
  const [first] = picked;
  if (picked.length === 1)
    return openFetched(await fetchLinked(first!, context.dataDir, context), nameOf(first!), context);
  const table = samplesOf(picked);
  return openSamples(table, {
    ...context,
    from: link,
    genes,
    fetch: (line) => fetchLinked(picked[table.lines.indexOf(line)]!, context.dataDir, context),
  });
}

async function openSamples(
  table: SamplesTable,
  options: Parameters<typeof combinedSource>[1],
): Promise<OpenSource> {
  const combined = await combinedSource(table, options);
  const { path, name, remove } = combined;
  return { path, named: name, trio: combined, combined, remove };
}

type Local = Pick<Fetched, 'path'> & Partial<Fetched>;

/** The file or folder of a source on this machine, or what was downloaded. */
async function fetchPath(source: string, context: OpenContext): Promise<Local> {
  return /^https?:\/\//i.test(source) ? fetchFile(source, context.dataDir, context) : { path: source };
}

/** As fetchPath, of a sample, whose source may be a link to one dataset. */
async function fetchLine(
  { source }: SampleLine,
  context: OpenContext & { readonly archives: Archives },
): Promise<Local> {
  const linked = await linkedDatasets(source, context.archives, context);
  if (linked === undefined) return fetchPath(source, context);
  return fetchLinked(pickDatasets(source, linked, undefined)[0]!, context.dataDir, context);
}

async function openFetched(
  { path, remove }: Local,
  named: string,
  context: OpenContext,
): Promise<OpenSource> {
  const trio = await convertedTrio(path, context.dataDir, context);
  const removeAll = async () => {
    await trio?.remove();
    await remove?.();
  };
  return remove === undefined
    ? { path: trio?.path ?? path, named: trio?.name ?? named, trio, remove: trio?.remove }
    : { path: trio?.path ?? path, named, trio, remove: removeAll };
}

/** Characters of the file name that a title of an archive becomes. */
const maxTitleLength = 80;

function nameOf({ name }: LinkedDataset): string {
  return name.replaceAll('/', '-').slice(0, maxTitleLength);
}
