import type { GeneNamesAnswer } from '@cellfolio/contract';

interface LookedUpGene {
  symbol: string;
  /** A stable id, such as from Ensembl; undefined when the dataset has none. */
  id: string | undefined;
  /** `null` when it cannot be determined from the dataset's genes. */
  species: GeneNamesAnswer['species'];
}

/** Species names used by NCBI and Ensembl. */
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

/**
 * Sites that describe a gene: by its id if it has one, else by its symbol. GeneCards and the atlas only have human
 * genes.
 */
export function geneLinks({ symbol, id, species }: LookedUpGene) {
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
