import { type FigureContent, readContentAddress } from '@cellfolio/figures/content';
import { dataName, datasetId, geneName } from '@cellfolio/model/names';
import { z } from 'zod';
import { mapView } from './columns.ts';
import { maxAddressLength } from './links.ts';

/** Sizes of an embedded view that the explorer offers, in CSS pixels; the second one is the default of oEmbed. */
export const embedSizes = [
  { label: 'Small', width: 480, height: 360 },
  { label: 'Medium', width: 720, height: 480 },
  { label: 'Large', width: 960, height: 640 },
] as const;

/** A view of a public dataset that other sites can frame. */
export interface EmbeddedView {
  dataset: string;
  content: Extract<FigureContent, { kind: 'category-umap' | 'obs-umap' | 'gene-umap' }>;
  /** State of the map as in an address of the explorer; its only card is that of `content`. */
  map?: string;
  /** Default: as the system of the viewer. */
  theme?: 'light' | 'dark';
}

const pathOfEmbed = /^\/embed\/([^/]+)$/;

/** Path and query of an embedded view. */
export function embedPath({ dataset, content, map, theme }: EmbeddedView): string {
  const query = new URLSearchParams({
    ...(content.kind === 'gene-umap' && { gene: content.gene }),
    ...(content.kind === 'obs-umap' && { column: content.column }),
    ...(map !== undefined && { map }),
    ...(theme !== undefined && { theme }),
  }).toString();
  return `/embed/${encodeURIComponent(dataset)}${query === '' ? '' : `?${query}`}`;
}

/**
 * The embedded view at an address of an embedded view or of the explorer: of the latter the dataset, and the first of
 * its cards that is colored by cell types, a column or a gene. Undefined for any other address.
 */
export function readEmbeddedView({ pathname, searchParams }: URL): EmbeddedView | undefined {
  if (pathname === '/explorer') return ofExplorer(searchParams);
  const dataset = datasetId.safeParse(decoded(pathOfEmbed.exec(pathname)?.[1])).data;
  if (dataset === undefined) return undefined;
  const gene = geneName.safeParse(searchParams.get('gene')).data;
  const column = dataName.safeParse(searchParams.get('column')).data;
  const theme = z.enum(['light', 'dark']).safeParse(searchParams.get('theme')).data;
  const map = searchParams.get('map') ?? '';
  return {
    dataset,
    content:
      gene !== undefined
        ? { kind: 'gene-umap', gene }
        : column !== undefined
          ? { kind: 'obs-umap', column }
          : { kind: 'category-umap' },
    ...(map !== '' && map.length <= maxAddressLength && { map }),
    ...(theme && { theme }),
  };
}

function ofExplorer(params: URLSearchParams): EmbeddedView | undefined {
  const dataset = datasetId.safeParse(params.get('dataset')).data;
  if (dataset === undefined) return undefined;
  const contents = params.getAll('view').map(readContentAddress);
  const card = Math.max(
    0,
    contents.findIndex((content) => isEmbedded(content)),
  );
  const content = contents[card];
  const map = mapOfCard(params.get('map') ?? '', card);
  return {
    dataset,
    content: isEmbedded(content) ? content : { kind: 'category-umap' },
    ...(map !== undefined && { map }),
  };
}

function isEmbedded(content: FigureContent | undefined): content is EmbeddedView['content'] {
  return content?.kind === 'category-umap' || content?.kind === 'obs-umap' || content?.kind === 'gene-umap';
}

/** State of the maps of an address with one card alone; without cells that only users can restrict maps to. */
function mapOfCard(text: string, card: number): string | undefined {
  const view = mapView.safeParse(jsonOf(text)).data;
  if (view === undefined) return undefined;
  const { camera, density, embedding, cards = [] } = view;
  const shown = cards[card];
  const hasLook = shown !== undefined && Object.keys(shown).length > 0;
  const own = JSON.stringify({ camera, density, embedding, cards: hasLook ? [shown] : undefined });
  return own === '{}' ? undefined : own;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** HTML of the frame for pages of other sites. `site`: origin of this one. `title` may be any text. */
export function embedHtml(
  view: EmbeddedView,
  { site, title, width, height }: { site: string; title: string; width: number; height: number },
): string {
  const attributes = { src: site + embedPath(view), title, width: String(width), height: String(height) };
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escaped(value)}"`);
  return `<iframe${written.join('')} loading="lazy" style="border: 0; max-width: 100%"></iframe>`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Element of the page with an {@link EmbeddedDataset} as JSON. */
export const embeddedDatasetElement = 'embedded-dataset';

/** The dataset of an embedded view, as the server writes it into the page. */
export const embeddedDataset = z.object({
  filename: datasetId,
  name: z.string(),
  version: z.string(),
  cellCount: z.number().int(),
  simulated: z.boolean(),
  accession: z.string().optional(),
  apiKey: z.string(),
});
export type EmbeddedDataset = z.infer<typeof embeddedDataset>;

/** `GET /oembed`, as in the specification of oEmbed 1.0. */
export const oembedQuery = z.object({
  url: z.string().max(2 * maxAddressLength),
  format: z.string().max(20).default('json'),
  maxwidth: z.coerce.number().int().positive().optional(),
  maxheight: z.coerce.number().int().positive().optional(),
});

/** Response of `GET /oembed`. */
export const oembedAnswer = z.object({
  version: z.literal('1.0'),
  type: z.literal('rich'),
  provider_name: z.literal('Cellfolio'),
  provider_url: z.string(),
  /** Plain text. */
  title: z.string(),
  /** Seconds. */
  cache_age: z.number().int(),
  html: z.string(),
  width: z.number().int(),
  height: z.number().int(),
});
