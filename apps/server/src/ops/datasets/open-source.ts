import { basename } from 'node:path';
import type { CombineFilesOptions } from '@cellfolio/ingest';
import type { Archives, LinkedDataset } from '../../runtime/archives/linked-datasets.ts';
import { CommandFailure, exitCode } from '../command.ts';
import { type CombinedSource, combinedSource } from './combined-source.ts';
import { pickDatasets } from './links/choose-dataset.ts';
import { type Fetched, fetchFile, fetchLinked, samplesOf } from './links/fetch-linked.ts';
import { isAddress, linkedSource } from './links/linked-source.ts';
import { localSource, type LocalSource } from './local-source.ts';
import type { ConvertOptions } from './matrix-market-source.ts';
import { readSamplesTable, type SampleLine, type SamplesTable } from './samples-table.ts';

export interface OpenSource extends LocalSource {
  combined?: CombinedSource;
}

interface SamplesOptions {
  samples?: string;
  genes?: CombineFilesOptions['genes'];
}

interface OpenContext extends ConvertOptions {
  dataDir: string;
}

/** Opens a path, an https address, or the files of a table of samples. Throws CommandFailure. */
export async function openSource(
  source: string | undefined,
  { samples, genes = 'shared' }: SamplesOptions,
  context: OpenContext & { archives: Archives },
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
  return openFetched(await fetchPath(source, context), source, context);
}

export async function openPicked(
  link: string,
  picked: readonly LinkedDataset[],
  { genes = 'shared' }: SamplesOptions,
  context: OpenContext,
): Promise<OpenSource> {
  const [first] = picked;
  if (picked.length === 1)
    return openFetched(await fetchLinked(first!, context.dataDir, context), link, context, nameOf(first!));
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
  return { path, named: name, made: combined, combined, remove };
}

type Local = Pick<Fetched, 'path'> & Partial<Fetched>;

async function fetchPath(source: string, context: OpenContext): Promise<Local> {
  return isAddress(source) ? fetchFile({ address: source }, context.dataDir, context) : { path: source };
}

/** As fetchPath for one sample, whose source may be a link to one dataset, or an archive of one. */
async function fetchLine(
  { source }: SampleLine,
  context: OpenContext & { archives: Archives },
): Promise<Local> {
  const { linked, remove } = await linkedSource(source, context.dataDir, context);
  if (linked === undefined) return fetchPath(source, context);
  try {
    return await fetchLinked(pickDatasets(source, linked, undefined)[0]!, context.dataDir, context);
  } finally {
    await remove();
  }
}

async function openFetched(
  { path, remove = async () => {} }: Local,
  shown: string,
  context: OpenContext,
  named?: string,
): Promise<OpenSource> {
  try {
    const local = await localSource(path, context.dataDir, context, shown);
    const removeAll = async () => {
      await local.remove();
      await remove();
    };
    if (context.genesIn !== undefined && local.isTable !== true) {
      await local.remove();
      throw new CommandFailure(exitCode.usage, `${shown}: --genes-in is for tables and matrices of text.`);
    }
    return { ...local, named: named ?? (path === shown ? local.named : basename(path)), remove: removeAll };
  } catch (error) {
    await remove();
    throw error;
  }
}

const maxTitleLength = 80;

function nameOf({ name }: LinkedDataset): string {
  return name.replaceAll('/', '-').slice(0, maxTitleLength);
}
