import {
  columnPlaces,
  InvalidList,
  isNoSymbol,
  quotedHeadings,
  readDelimited,
} from '../delimited/read-delimited.ts';

export interface CellTypeMarkers {
  readonly type: string;
  /** Broader class, such as `immune`; empty if the list has none. */
  readonly lineage: string;
  /** Source as `Author 2001 Journal`; empty if the list has none. */
  readonly reference: string;
  /** Whether the reference was verified; absent if the list does not say. */
  readonly checked?: boolean;
  readonly genes: readonly string[];
  /** Per gene, above 0. */
  readonly weights: readonly number[];
}

export class InvalidMarkers extends InvalidList {
  override readonly name = 'InvalidMarkers';
}

/** Maximum rows of a marker list: four times those of PanglaoDB. */
const maxMarkerRows = 40_000;
export const maxTypes = 500;
const maxTypeLength = 200;
const format =
  'a list of markers is a comma- or tab-separated file with a heading of the columns cell_type and gene, one gene a row or several with blanks between them, and, where wanted, weight, lineage and reference';

/** Accepted headings, in order of preference: ours, those of PanglaoDB, of CellMarker and of decoupler's nets. */
const headings = {
  type: ['cell_type', 'cell type', 'type', 'cell_name', 'source'],
  gene: ['gene', 'genes', 'official gene symbol', 'symbol', 'marker', 'target'],
  weight: ['weight'],
  lineage: ['lineage', 'organ', 'tissue_class'],
  reference: ['reference', 'references'],
  checked: ['checked'],
};

interface OpenType {
  type: string;
  lineage: string;
  reference: string;
  checked?: boolean;
  genes: Map<string, { symbol: string; weight: number }>;
}

/**
 * Reads markers from CSV (RFC 4180) or tab-separated text. Merges rows of one type and counts a repeated gene once.
 * Throws InvalidMarkers with the line at fault.
 */
export function parseMarkers(
  text: string,
  fileName: string,
): { readonly types: readonly CellTypeMarkers[]; readonly duplicates: number } {
  const rows = readDelimited(text);
  const header = rows.shift();
  if (!header) throw new InvalidMarkers(fileName, `it is empty; ${format}.`);
  const columns = columnsOf(header.cells, fileName);
  refuseTooMany(fileName, rows.length, maxMarkerRows, 'rows');
  const types = new Map<string, OpenType>();
  let duplicates = 0;
  for (const { cells, line } of rows) {
    const problem = (reason: string) => new InvalidMarkers(fileName, `line ${line}: ${reason}.`);
    const of = (column: number) => (column < 0 ? '' : (cells[column] ?? '').trim());
    const type = of(columns.type);
    if (type === '') throw problem('the cell type is missing');
    if (type.length > maxTypeLength || /\p{Cc}/u.test(type)) {
      throw problem(`the name of the cell type is not a single line of at most ${maxTypeLength} characters`);
    }
    const weight = weightOf(of(columns.weight), problem);
    const symbols = of(columns.gene)
      .split(/[\s,;|]+/)
      .filter((symbol) => symbol !== '');
    if (symbols.length === 0) throw problem('the gene is missing');
    if (symbols.some(isNoSymbol)) throw problem('the gene has a name that no gene has');
    const entry = types.get(type) ?? {
      type,
      lineage: of(columns.lineage).slice(0, maxTypeLength),
      reference: of(columns.reference).slice(0, 300),
      ...checkedOf(of(columns.checked)),
      genes: new Map(),
    };
    types.set(type, entry);
    for (const symbol of symbols) {
      const key = symbol.toUpperCase();
      if (entry.genes.has(key)) duplicates++;
      else entry.genes.set(key, { symbol, weight });
    }
  }
  if (types.size === 0) throw new InvalidMarkers(fileName, `it has a heading and no markers; ${format}.`);
  refuseTooMany(fileName, types.size, maxTypes, 'types');
  return { types: Array.from(types.values(), typeOf), duplicates };
}

function typeOf({ genes, ...type }: OpenType): CellTypeMarkers {
  const list = [...genes.values()];
  return {
    ...type,
    genes: list.map(({ symbol }) => symbol),
    weights: list.map(({ weight }) => weight),
  };
}

function columnsOf(header: readonly string[], fileName: string) {
  const places = columnPlaces(header, headings);
  const missing = [...(places.type < 0 ? ['cell_type'] : []), ...(places.gene < 0 ? ['gene'] : [])];
  if (missing.length > 0) {
    throw new InvalidMarkers(
      fileName,
      `the column ${missing.join(' and the column ')} is missing among its headings (${quotedHeadings(header)}); ${format}.`,
    );
  }
  return places;
}

function refuseTooMany(fileName: string, count: number, maximum: number, what: string): void {
  if (count <= maximum) return;
  const [has, at] = [count, maximum].map((number) => number.toLocaleString('en-US'));
  throw new InvalidMarkers(
    fileName,
    `it has ${has} ${what}, and a list has ${at} at most. Keep those that may be in your data.`,
  );
}

function checkedOf(text: string): { checked?: boolean } {
  const answer = text.toLowerCase();
  return answer === 'yes' || answer === 'no' ? { checked: answer === 'yes' } : {};
}

/**
 * 1 by default. Negative weights would mark genes that a type does not express, which over-representation cannot use.
 */
function weightOf(text: string, problem: (reason: string) => InvalidMarkers): number {
  if (text === '') return 1;
  const weight = Number(text);
  if (Number.isFinite(weight) && weight > 0) return weight;
  throw problem(`the weight ${JSON.stringify(text.slice(0, 40))} is no number above 0`);
}
