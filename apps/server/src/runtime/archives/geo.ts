import type { CatalogueEntry } from '@cellfolio/model';
import { lastPartOf } from '../remote/download.ts';
import {
  type Archives,
  type LinkedDataset,
  type LinkedDatasets,
  LinkFailed,
  type RemoteFile,
} from './linked-datasets.ts';
import { askArchive } from './ask-archive.ts';
import { groupFiles } from './group-files.ts';
import { isTar, remoteTar, type TarContext } from './tar-datasets.ts';

const geoHost = 'www.ncbi.nlm.nih.gov';

/**
 * Address on GEO's file server of the file that a download page address names
 * (`/geo/download/?acc=GSM1&format=file&file=…`). Undefined for other links.
 */
export function geoFile(link: string, geoFiles: string): URL | undefined {
  const url = URL.parse(link);
  if (url?.hostname !== geoHost || !url.pathname.startsWith('/geo/download')) return undefined;
  const file = url.searchParams.get('file');
  const [accession, kind] = /^(GSE|GSM)\d{1,9}$/i.exec(url.searchParams.get('acc') ?? '') ?? [];
  if (!file || kind === undefined) return undefined;
  const folder = kind.toUpperCase() === 'GSM' ? 'samples' : 'series';
  // One folder for each thousand accessions.
  const range = accession!.toUpperCase().replace(/\d{1,3}$/, 'nnn');
  return new URL(
    `${geoFiles}/geo/${folder}/${range}/${accession!.toUpperCase()}/suppl/${encodeURIComponent(file)}`,
  );
}

/** The accession of a GEO series or sample, given as such or by the address of its page. */
export function geoAccession(link: string): string | undefined {
  const url = URL.parse(link);
  const candidate =
    url?.hostname === geoHost && url.pathname.startsWith('/geo/')
      ? (url.searchParams.get('acc') ?? '')
      : link;
  const accession = /^(GSE|GSM)\d{1,9}$/i.test(candidate) ? candidate.toUpperCase() : undefined;
  if (accession === undefined && candidate !== link)
    throw new LinkFailed('no-page', `${link} is not the page of a GEO series (GSE…) or sample (GSM…).`);
  return accession;
}

interface SoftRecord {
  kind: string;
  accession: string;
  values: ReadonlyMap<string, readonly string[]>;
}

/** Datasets among the supplementary files of a series and its samples, or of one sample. Throws LinkFailed. */
export async function geoDatasets(
  accession: string,
  { geo, geoFiles }: Pick<Archives, 'geo' | 'geoFiles'>,
  context: TarContext,
): Promise<LinkedDatasets> {
  const target = accession.startsWith('GSE') ? 'all' : 'self';
  const missing = `GEO has no public record ${accession}.`;
  const soft = await askArchive(
    `${geo}?acc=${accession}&targ=${target}&form=text&view=brief`,
    missing,
    context,
  );
  const records = readSoft(soft);
  const own = records.find((record) => record.accession === accession);
  if (own === undefined) throw new LinkFailed('not-found', missing);
  const parts = all(own, 'relation').flatMap((text) => /^SuperSeries of: (GSE\d+)/.exec(text)?.[1] ?? []);
  if (parts.length > 0) {
    throw new LinkFailed(
      'no-page',
      `${accession} is a series of series. Add one of them: ${parts.join(', ')}.`,
    );
  }
  const datasets: LinkedDataset[] = [];
  const unreadable: string[] = [];
  for (const record of records) {
    if (record.kind !== 'SAMPLE' && record.kind !== 'SERIES') continue;
    const grouped = groupFiles(filesOf(record, geoFiles));
    unreadable.push(...grouped.unreadable);
    for (const { name, files } of grouped.groups) {
      const alone = grouped.groups.length === 1 && record.kind === 'SAMPLE';
      datasets.push({
        name: alone ? `${record.accession} ${first(record, 'title') ?? ''}`.trim() : name,
        files,
        ...metadataOf(record, own),
      });
    }
  }
  const title = `${accession} ${first(own, 'title') ?? ''}`.trim();
  const archive = filesOf(own, geoFiles).find(({ name }) => isTar(name));
  if (datasets.length > 0 || archive === undefined) return { title, datasets, unreadable };
  // Older series have the files of their samples in an archive alone.
  const inside = await remoteTar(new URL(archive.address), context);
  const samples = new Map(records.map((record) => [record.accession, record]));
  return {
    title,
    datasets: inside.datasets.map((dataset) => {
      const record = samples.get(/^GSM\d+/.exec(dataset.name)?.[0] ?? '');
      return record === undefined ? dataset : { ...dataset, ...metadataOf(record, own) };
    }),
    unreadable: inside.unreadable,
  };
}

function metadataOf(record: SoftRecord, own: SoftRecord): Omit<LinkedDataset, 'name' | 'files'> {
  return {
    organism: first(record, 'organism_ch1'),
    licence: 'Not stated: ask the authors',
    entry: entryOf(record, own),
    values: characteristics(record),
  };
}

/** Reads SOFT: `^SAMPLE = GSM1` begins a record, `!Sample_title = A` is a value of it. */
export function readSoft(text: string): SoftRecord[] {
  const records: (SoftRecord & { values: Map<string, string[]> })[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, mark, name, value = ''] = /^([\^!])(\w+) = ?(.*)$/.exec(line) ?? [];
    if (name === undefined) continue;
    if (mark === '^') records.push({ kind: name.toUpperCase(), accession: value.trim(), values: new Map() });
    const values = records.at(-1)?.values;
    if (mark !== '!' || values === undefined) continue;
    const key = name.replace(/^[A-Za-z]+_/, '').toLowerCase();
    values.set(key, [...(values.get(key) ?? []), value.trim()]);
  }
  return records;
}

const all = ({ values }: SoftRecord, name: string): readonly string[] => values.get(name) ?? [];
const first = (record: SoftRecord, name: string): string | undefined => all(record, name)[0];

/** Files of a record, as https addresses: GEO lists them as ftp. */
function filesOf({ values }: SoftRecord, geoFiles: string): RemoteFile[] {
  const addresses = [...values].flatMap(([name, fieldValues]) =>
    /^supplementary_file(?:_\d+)?$/.test(name) ? fieldValues : [],
  );
  return addresses.flatMap((address) => {
    const url = URL.parse(address);
    if (url === null || !['ftp:', 'https:'].includes(url.protocol)) return [];
    const at = url.hostname === 'ftp.ncbi.nlm.nih.gov' ? geoFiles + url.pathname : url.href;
    return at.startsWith('ftp:') ? [] : [{ address: at, name: lastPartOf(url) }];
  });
}

/** `tissue: blood` → tissue, blood. */
function characteristics(record: SoftRecord): Map<string, string> {
  const fields = new Map<string, string>();
  for (const text of all(record, 'characteristics_ch1')) {
    const [, key, value] = /^([^:]{1,100}):\s*(.+)$/.exec(text) ?? [];
    if (key === undefined || value === undefined) continue;
    const column = key
      .trim()
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '_');
    if (column !== '') fields.set(column, value.slice(0, 200));
  }
  return fields;
}

function entryOf(record: SoftRecord, own: SoftRecord): Partial<CatalogueEntry> {
  const values = characteristics(record);
  const disease = values.get('disease') ?? values.get('disease_state') ?? values.get('diagnosis');
  const tissue = values.get('tissue') ?? first(record, 'source_name_ch1');
  const series = own.kind === 'SERIES' ? own.accession : first(own, 'series_id');
  const publications = all(own, 'pubmed_id').map((id) => `https://pubmed.ncbi.nlm.nih.gov/${id}/`);
  const name = first(record, 'title') ?? record.accession;
  const sentences = [
    first(own, 'summary')?.replace(/\.\s*$/, ''),
    first(record, 'organism_ch1') && `Organism: ${first(record, 'organism_ch1')}`,
    publications.length > 0 && `Publication: ${publications.join(', ')}`,
    `From GEO (https://www.ncbi.nlm.nih.gov/geo/query/acc.cgi?acc=${record.accession}), which states no license: ask the authors`,
  ];
  return {
    name,
    ...(disease !== undefined && { disease }),
    ...(tissue !== undefined && { subdisease: tissue }),
    ...(series !== undefined && { gseAccessionNumber: series }),
    description: `${sentences.filter(Boolean).join('. ')}.`,
  };
}
