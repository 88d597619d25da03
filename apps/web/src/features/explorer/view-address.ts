import type { FigureContent, FilterRequest } from '@cellfolio/contract';
import { filterRequest } from '@cellfolio/contract';

/** Longer filters are not put into the address: browsers and mail programs cut long ones. */
const longestFilter = 1500;
const longestView = 600;

/**
 * What an image shows, as text for an address: its kind, and behind a colon its names, each percent-encoded and parted
 * by commas. `undefined` for what an address does not hold.
 */
export function viewOf(content: FigureContent): string | undefined {
  const names = namesOf(content);
  if (names === undefined) return undefined;
  const text =
    names.length === 0 ? content.kind : `${content.kind}:${names.map(encodeURIComponent).join(',')}`;
  return text.length > longestView ? undefined : text;
}

function namesOf(content: FigureContent): string[] | undefined {
  switch (content.kind) {
    case 'default-umap':
      return [];
    case 'gene-umap':
    case 'gene-violin':
      return [content.gene];
    case 'signature-umap':
    case 'signature-violin':
      return [content.score_name, ...content.genes];
    case 'cell-state-umap':
    case 'cell-state-violin':
      return [content.cell_state, String(content.minimum_genes)];
    case 'cell-type-umap':
      return [content.cell_type];
    case 'cluster-umap':
      return content.leiden_clusters;
    default:
      return undefined;
  }
}

/** Reads what {@link viewOf} wrote; `undefined` for anything else that an address may hold. */
export function readView(text: string): FigureContent | undefined {
  const colon = text.indexOf(':');
  const kind = colon < 0 ? text : text.slice(0, colon);
  let names: string[];
  try {
    names =
      colon < 0
        ? []
        : text
            .slice(colon + 1)
            .split(',')
            .map(decodeURIComponent);
  } catch {
    return undefined;
  }
  const [first = '', ...rest] = names;
  switch (kind) {
    case 'default-umap':
      return { kind };
    case 'gene-umap':
    case 'gene-violin':
      return first === '' ? undefined : { kind, gene: first };
    case 'signature-umap':
    case 'signature-violin':
      return rest.length === 0 ? undefined : { kind, score_name: first, genes: rest };
    case 'cell-state-umap':
    case 'cell-state-violin':
      return first === '' ? undefined : { kind, cell_state: first, minimum_genes: minimumGenes(rest) };
    case 'cell-type-umap':
      return colon < 0 ? undefined : { kind, cell_type: first };
    case 'cluster-umap':
      return colon < 0 ? undefined : { kind, leiden_clusters: names };
    default:
      return undefined;
  }
}

/** Fewest genes of a cell state, behind its name. Addresses from before it could be chosen lack it: any number did. */
function minimumGenes([text = '']: readonly string[]): number {
  const number = Number(text);
  return Number.isInteger(number) && number > 0 ? number : 1;
}

/** A filter as text for an address; `undefined` where it is too long for one. */
export function filterText(filter: FilterRequest): string | undefined {
  const bytes = new TextEncoder().encode(JSON.stringify(filter));
  const text = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
  return text.length > longestFilter ? undefined : text;
}

/** Reads what {@link filterText} wrote; `undefined` for anything else. */
export function readFilterText(text: string): FilterRequest | undefined {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
      character.charCodeAt(0),
    );
    return filterRequest.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data;
  } catch {
    return undefined;
  }
}
