import { basename } from 'node:path';
import type { CombineFilesOptions, GenesIn } from '@cellfolio/ingest';
import type { WorkContext } from '../../features/uploads/index.ts';
import type { Archives, LinkedDataset } from '../../runtime/archives/linked-datasets.ts';
import { type CombinedSource, combinedSource } from './combined-source.ts';
import { pickDatasets } from './links/choose-dataset.ts';
import { type FetchContext, fetchFile, fetchLinked, samplesOf } from './links/fetch-linked.ts';
import { isAddress, linkedSource } from './links/linked-source.ts';
import { localSource } from './local-source.ts';
import type { LocalSource } from './matrix-market-source.ts';
import { readSamplesTable, type SampleLine } from './samples-table.ts';

export type OpenSource = LocalSource & Partial<CombinedSource>;

interface SourceOptions {
  samples?: string;
  genes?: CombineFilesOptions['genes'];
  genesIn?: GenesIn;
}

export type SourceContext = FetchContext & WorkContext & { archives: Archives };

/** Opens a path, an https address, or the files of a table of samples. Throws CommandFailure. */
export async function openSource(
  source: string | undefined,
  { samples, genes = 'shared', genesIn }: SourceOptions,
  context: SourceContext,
): Promise<OpenSource> {
  if (source !== undefined) {
    const local = await localSource(await fetchPath(source, context), genesIn, context, source);
    return { ...local, named: isAddress(source) ? basename(local.file.path) : local.named };
  }
  const fetch = (line: SampleLine) => fetchLine(line, context);
  const table = await readSamplesTable(samples!);
  return combinedSource(table, { from: samples!, genes, genesIn, fetch }, context);
}

export async function openPicked(
  link: string,
  picked: readonly LinkedDataset[],
  { genes = 'shared', genesIn }: SourceOptions,
  context: SourceContext,
): Promise<OpenSource> {
  const [first] = picked;
  if (picked.length === 1) {
    const local = await localSource(await fetchLinked(first!, context), genesIn, context, link);
    return { ...local, named: nameOf(first!) };
  }
  const table = samplesOf(picked);
  const fetch = (line: SampleLine) => fetchLinked(picked[table.lines.indexOf(line)]!, context);
  return combinedSource(table, { from: link, genes, genesIn, fetch }, context);
}

async function fetchPath(source: string, context: FetchContext): Promise<string> {
  return isAddress(source) ? fetchFile({ address: source }, context) : source;
}

/** As fetchPath for one sample, whose source may be a link to one dataset, or an archive of one. */
async function fetchLine({ source }: SampleLine, context: SourceContext): Promise<string> {
  const linked = await linkedSource(source, context);
  if (linked === undefined) return fetchPath(source, context);
  return fetchLinked(pickDatasets(source, linked, undefined)[0]!, context);
}

const maxTitleLength = 80;

function nameOf({ name }: LinkedDataset): string {
  return name.replaceAll('/', '-').slice(0, maxTitleLength);
}
