import type { GeneNamesAnswer } from '@cellfolio/contract';

/** What is known of a gene where it is looked up. */
interface LookedUpGene {
  /** As the dataset calls it. */
  readonly symbol: string;
  /** A stable id, such as of Ensembl; undefined where the dataset has none. */
  readonly id: string | undefined;
  /** `null` where the genes of the dataset do not say. */
  readonly species: GeneNamesAnswer['species'];
}

interface GeneLink {
  readonly label: string;
  readonly url: string;
}

/** How NCBI and Ensembl call the species. */
const latin = new Map<LookedUpGene['species'], string>([
  ['human', 'Homo sapiens'],
  ['mouse', 'Mus musculus'],
  ['rat', 'Rattus norvegicus'],
  ['zebrafish', 'Danio rerio'],
  ['macaque', 'Macaca mulatta'],
  ['pig', 'Sus scrofa'],
  ['cow', 'Bos taurus'],
  ['dog', 'Canis lupus familiaris'],
  ['chicken', 'Gallus gallus'],
  ['fruit fly', 'Drosophila melanogaster'],
  ['worm', 'Caenorhabditis elegans'],
]);

/** Where a gene is described: by its id where there is one, else by its symbol. GeneCards and the atlas have human genes alone. */
export function geneLinks({ symbol, id, species }: LookedUpGene): GeneLink[] {
  const name = id ?? symbol;
  const organism = latin.get(species);
  const isHuman = species === 'human' || species === null;
  const ncbi = id === undefined ? `${symbol}[Gene Name]` : id;
  const term = organism === undefined || id !== undefined ? ncbi : `${ncbi} AND ${organism}[Organism]`;
  return [
    { label: 'NCBI Gene', url: withQuery('https://www.ncbi.nlm.nih.gov/gene/', { term }) },
    { label: 'Ensembl', url: ensemblUrl({ symbol, id, species }, organism) },
    ...(isHuman
      ? [
          {
            label: 'GeneCards',
            url: withQuery('https://www.genecards.org/cgi-bin/carddisp.pl', { gene: name }),
          },
          {
            label: 'Human Protein Atlas',
            url:
              id === undefined
                ? `https://www.proteinatlas.org/search/${encodeURIComponent(symbol)}`
                : `https://www.proteinatlas.org/${encodeURIComponent(id)}`,
          },
        ]
      : []),
  ];
}

function ensemblUrl({ symbol, id }: LookedUpGene, organism: string | undefined): string {
  if (id !== undefined) return `https://www.ensembl.org/id/${encodeURIComponent(id)}`;
  if (organism === undefined) return withQuery('https://www.ensembl.org/Multi/Search/Results', { q: symbol });
  const species = organism.replaceAll(' ', '_');
  return withQuery(`https://www.ensembl.org/${species}/Gene/Summary`, { g: symbol });
}

function withQuery(address: string, fields: Record<string, string>): string {
  return `${address}?${new URLSearchParams(fields)}`;
}
