import { z } from 'zod';
import type { CatalogueEntry } from '@cellfolio/model';
import { isLoopback } from '../remote/download.ts';
import { geoAccession, geoDatasets } from './geo.ts';
import { type Archives, type LinkedDatasets, type LinkedDataset, LinkFailed } from './linked-datasets.ts';
import { addressOf } from './linked-file.ts';
import { isTar, remoteTar, type TarContext } from './tar-datasets.ts';
import { askArchive } from './ask-archive.ts';

/**
 * The datasets of a CELLxGENE Discover page, a GEO accession or its page, or the address of a .tar archive; undefined
 * for other sources. Throws LinkFailed.
 */
export async function linkedDatasets(
  source: string,
  archives: Archives,
  context: TarContext,
): Promise<LinkedDatasets | undefined> {
  const page = discoverPage(source);
  if (page !== undefined) return discoverDatasets(page, archives, context);
  const accession = geoAccession(source);
  if (accession !== undefined) return geoDatasets(accession, archives, context);
  const url = URL.parse(source);
  if (url === null || !/^(?:https?|ftp):$/.test(url.protocol) || !isTar(url.pathname)) return undefined;
  return remoteTar(addressOf(source, context.mayBePrivate ?? isLoopback), context);
}

const labels = z
  .array(z.object({ label: z.string() }))
  .nullish()
  .transform((terms) => (terms ?? []).map(({ label }) => label));
const text = z.string().nullish();

const discoverDataset = z.object({
  dataset_id: z.string(),
  title: text,
  assay: labels,
  disease: labels,
  tissue: labels,
  organism: labels,
  donor_id: z.array(z.string()).nullish(),
  cell_count: z.number().nullish(),
  citation: text,
  assets: z
    .array(z.object({ filetype: z.string(), filesize: z.number().nullish(), url: text }))
    .nullish()
    .transform((assets) => assets ?? []),
});
const discoverCollection = z.object({
  collection_id: z.string(),
  name: text,
  doi: text,
  datasets: z.array(discoverDataset),
});
/** Newest first; older servers wrap them. */
const versions = z.union([
  z.array(z.object({ collection_id: z.string() })),
  z
    .object({ datasets: z.array(z.object({ collection_id: z.string() })) })
    .transform(({ datasets }) => datasets),
]);

type Collection = z.infer<typeof discoverCollection>;

interface DiscoverPage {
  kind: 'collections' | 'e';
  id: string;
}

/** A page of a collection or of a dataset of CELLxGENE Discover; undefined for other addresses. */
function discoverPage(link: string): DiscoverPage | undefined {
  const url = URL.parse(link);
  if (url?.hostname !== 'cellxgene.cziscience.com') return undefined;
  const [, kind, id] = /^\/(collections|e)\/([0-9a-f-]{36})(?:\.cxg)?\/?$/i.exec(url.pathname) ?? [];
  if (kind === undefined || id === undefined) {
    throw new LinkFailed(
      'no-page',
      `${link} is not a collection or dataset page of CELLxGENE Discover: those look like https://cellxgene.cziscience.com/collections/… and https://cellxgene.cziscience.com/e/….cxg/.`,
    );
  }
  return { kind: kind.toLowerCase() as DiscoverPage['kind'], id: id.toLowerCase() };
}

/** The datasets of a CELLxGENE Discover collection, or the one of a dataset page. Throws LinkFailed. */
async function discoverDatasets(
  { kind, id }: DiscoverPage,
  { discover }: Pick<Archives, 'discover'>,
  context: { signal: AbortSignal; pauses?: readonly number[] | undefined },
): Promise<LinkedDatasets> {
  const ask = async <T>(path: string, schema: z.ZodType<T>): Promise<T> => {
    const address = `${discover}/${path}`;
    const missing = `CELLxGENE Discover has no public ${path.startsWith('collections') ? 'collection' : 'dataset'} ${id}.`;
    const answer = await askArchive(address, missing, context);
    try {
      return schema.parse(JSON.parse(answer));
    } catch {
      throw new LinkFailed('unreadable', `${address}: the answer is not as expected.`);
    }
  };
  const collectionId =
    kind === 'collections' ? id : (await ask(`datasets/${id}/versions`, versions))[0]?.collection_id;
  if (collectionId === undefined)
    throw new LinkFailed('not-found', `CELLxGENE Discover has no public dataset ${id}.`);
  const collection = await ask(`collections/${encodeURIComponent(collectionId)}`, discoverCollection);
  const chosen = collection.datasets.filter(({ dataset_id }) => kind === 'collections' || dataset_id === id);
  const names = new Set<string>();
  const datasets: LinkedDataset[] = [];
  const unreadable: string[] = [];
  for (const one of chosen) {
    const asset = one.assets.find(({ filetype, url }) => filetype.toUpperCase() === 'H5AD' && url);
    const title = one.title || one.dataset_id;
    if (!asset?.url) {
      unreadable.push(`${title} (it has no .h5ad file)`);
      continue;
    }
    const name = names.has(title) ? one.dataset_id : title;
    names.add(name);
    datasets.push({
      name,
      files: [{ address: asset.url, name: `${one.dataset_id}.h5ad`, bytes: asset.filesize ?? undefined }],
      cells: one.cell_count ?? undefined,
      organism: one.organism.join(', ') || undefined,
      licence: 'CC BY 4.0',
      entry: entryOf(one, collection),
      values: new Map(),
    });
  }
  return { title: `${collection.name || collectionId}, CELLxGENE Discover`, datasets, unreadable };
}

function entryOf(one: Collection['datasets'][number], collection: Collection): Partial<CatalogueEntry> {
  const { title, disease, tissue, assay, organism, donor_id, citation } = one;
  const ill = disease.filter((label) => label !== 'normal');
  const donors = (donor_id ?? []).filter((donor) => donor !== 'pooled' && donor !== 'unknown').length;
  const sentences = [
    collection.name,
    tissue.length > 0 && `Tissue: ${tissue.join(', ')}`,
    assay.length > 0 && `Assay: ${assay.join(', ')}`,
    organism.length > 0 && `Organism: ${organism.join(', ')}`,
    donors > 0 && `Donors: ${donors}`,
    citation || (collection.doi && `Publication: https://doi.org/${collection.doi}`),
    `From CELLxGENE Discover (https://cellxgene.cziscience.com/collections/${collection.collection_id}), which distributes data under CC BY 4.0`,
  ];
  return {
    ...((title || collection.name) && { name: title || collection.name! }),
    disease: capitalised(ill.length > 0 ? ill.join(', ') : 'Normal'),
    ...(tissue.length > 0 && { subdisease: capitalised(tissue.join(', ')) }),
    ...(assay.length > 0 && { category1: assay.join(', ') }),
    ...(organism.length > 0 && { category2: organism.join(', ') }),
    ...(donors > 0 && { patientCount: donors }),
    description: `${sentences.filter(Boolean).join('. ')}.`,
  };
}

function capitalised(label: string): string {
  return label.slice(0, 1).toUpperCase() + label.slice(1);
}
