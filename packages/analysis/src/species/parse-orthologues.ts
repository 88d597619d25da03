import { supportedSpecies, type Species } from './detect-species.ts';

/** A file that is not a valid table of orthologues; the message says what is expected. */
export class InvalidOrthologues extends Error {
  override readonly name = 'InvalidOrthologues';

  constructor(fileName: string, reason: string) {
    super(`${fileName}: ${reason}`);
  }
}

/** Orthologous genes of two species as pairs of symbols, in file order. */
export interface OrthologuePairs {
  readonly pairs: readonly (readonly [from: string, to: string])[];
  /** Number of lines that lack a gene of one of the two species. */
  readonly incomplete: number;
}

/** Maximum pairs; between any two genomes there are some twenty thousand. */
const maxPairs = 500_000;
const maxSymbolLength = 100;
const format =
  'a table of orthologs is a tab- or comma-separated file: two columns of symbols, an export of Ensembl BioMart, or HOM_MouseHumanSequence.rpt of MGI';

const headingWords: readonly (readonly [string, Species])[] = [
  ...supportedSpecies.map((species) => [species, species] as const),
  ['drosophila', 'fruit fly'],
  ['elegans', 'worm'],
];

/**
 * Reads pairs of symbols: both columns of a two-column file, the columns `Gene name` and `<species> gene name` of an
 * Ensembl BioMart export, or the homology classes of MGI. Counts lines that lack one of the two; removes duplicate
 * pairs. Throws InvalidOrthologues.
 */
export function parseOrthologues(
  text: string,
  fileName: string,
  { from, to }: { from: Species; to: Species },
): OrthologuePairs {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  const rows = lines.filter((line) => line.trim() !== '').map(splitter(lines[0] ?? ''));
  const header = rows[0]?.map((cell) => cell.toLowerCase()) ?? [];
  const classes = header.findIndex((name) => /^(?:db class key|homologene id)$/.test(name));
  const parsed =
    classes >= 0
      ? classPairs(rows, { header, classes, from, to, fileName })
      : columnPairs(rows, { header, from, to, fileName });
  if (parsed.pairs.length === 0)
    throw new InvalidOrthologues(fileName, `no line names two genes; ${format}.`);
  return parsed;
}

/** Separator is tab if the first line has one, else comma or semicolon; strips quotes around cells. */
function splitter(firstLine: string): (line: string) => string[] {
  const separator = ['\t', ',', ';'].find((one) => firstLine.includes(one)) ?? '\t';
  return (line) => line.split(separator).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
}

interface Columns {
  header: readonly string[];
  from: Species;
  to: Species;
  fileName: string;
}

function columnPairs(rows: readonly string[][], { header, from, to, fileName }: Columns): OrthologuePairs {
  const named = header.map(speciesOfHeading);
  let places = [named.indexOf(from), named.indexOf(to)] as [number, number];
  const plain = header.findIndex((name) =>
    /^(?:gene name|gene symbol|symbol|external_gene_name)$/.test(name),
  );
  places = places.map((place) => (place < 0 ? plain : place)) as [number, number];
  const isHeaded = places[0] >= 0 && places[1] >= 0 && places[0] !== places[1];
  if (!isHeaded && header.length !== 2) {
    throw new InvalidOrthologues(
      fileName,
      `none of the headings shows which columns hold the symbols of ${from} and of ${to}; ${format}.`,
    );
  }
  const [first, second] = isHeaded ? places : [0, 1];
  // Two columns without headings are genes from the first line on.
  const isHeading =
    isHeaded || header.some((name) => /symbol|gene|name/.test(name) || speciesOfHeading(name));
  return collect(
    fileName,
    rows.slice(isHeading ? 1 : 0).map((row) => [row[first] ?? '', row[second] ?? '']),
  );
}

/** `mouse`, `Human gene name`, `mouse_symbol`, but not ids such as `Mouse gene stable ID`. */
function speciesOfHeading(name: string): Species | undefined {
  if (/\bid\b|%|_id$|chromosome|type|confidence/.test(name)) return undefined;
  return headingWords.find(([word]) => name.includes(word))?.[1];
}

interface Classes extends Columns {
  classes: number;
}

/**
 * For files with one gene and class key per line: each gene of a class is an orthologue of each one of the other
 * species.
 */
function classPairs(rows: readonly string[][], columns: Classes): OrthologuePairs {
  const { header, classes, from, to, fileName } = columns;
  const organism = header.findIndex((name) => name.startsWith('common organism name'));
  const symbol = header.indexOf('symbol');
  if (organism < 0 || symbol < 0) {
    throw new InvalidOrthologues(fileName, `the columns of organism and symbol are missing; ${format}.`);
  }
  const genes = new Map<string, { from: string[]; to: string[] }>();
  for (const row of rows.slice(1)) {
    const key = row[classes] ?? '';
    const ofClass = genes.get(key) ?? { from: [], to: [] };
    genes.set(key, ofClass);
    const species = (row[organism] ?? '').toLowerCase().split(',')[0]?.trim();
    if (species === from) ofClass.from.push(row[symbol] ?? '');
    if (species === to) ofClass.to.push(row[symbol] ?? '');
  }
  return collect(
    fileName,
    [...genes.values()].flatMap((one): [string, string][] =>
      one.from.length === 0 || one.to.length === 0
        ? [['', '']]
        : one.from.flatMap((a) => one.to.map((b): [string, string] => [a, b])),
    ),
  );
}

function collect(fileName: string, rows: readonly (readonly string[])[]): OrthologuePairs {
  const seen = new Set<string>();
  const pairs: [string, string][] = [];
  let incomplete = 0;
  for (const [from = '', to = ''] of rows) {
    if (from === '' || to === '') {
      incomplete++;
      continue;
    }
    // eslint-disable-next-line no-control-regex
    const hasControl = /[\u0000-\u001f\u007f]/.test(from + to);
    if (hasControl || from.length > maxSymbolLength || to.length > maxSymbolLength) {
      throw new InvalidOrthologues(fileName, `a gene has a name that is none; ${format}.`);
    }
    const key = `${from}\t${to}`;
    if (seen.has(key)) continue;
    seen.add(key);
    pairs.push([from, to]);
    if (pairs.length > maxPairs) {
      throw new InvalidOrthologues(
        fileName,
        `it has more than ${maxPairs} pairs, which no two species have.`,
      );
    }
  }
  return { pairs, incomplete };
}
