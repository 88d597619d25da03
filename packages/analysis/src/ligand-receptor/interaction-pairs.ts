import {
  columnPlaces,
  InvalidList,
  isNoSymbol,
  quotedHeadings,
  readDelimited,
} from '../delimited/read-delimited.ts';

/** A ligand and a receptor, each as the symbols of its subunits: one, or several for a complex. */
export interface InteractionPair {
  readonly ligand: readonly string[];
  readonly receptor: readonly string[];
  /** Evidence, as `Author 2001, PMID 123`; empty if the list has none. */
  readonly reference: string;
}

export class InvalidPairs extends InvalidList {
  override readonly name = 'InvalidPairs';
}

/** Maximum rows of a list of pairs; the largest published ones have some five thousand. */
export const maxPairs = 10_000;
const maxSubunits = 12;
const format =
  'a list of pairs is a comma- or tab-separated file with a heading of the columns ligand and receptor, subunits of a complex joined by + or _ (ITGAL+ITGB2)';

/** Accepted headings, in order of preference: ours, those of LIANA's and of OmniPath's exports. */
const headings = {
  ligand: ['ligand', 'source_genesymbol', 'ligand_complex', 'ligand_symbol'],
  receptor: ['receptor', 'target_genesymbol', 'receptor_complex', 'receptor_symbol'],
  reference: ['reference', 'references', 'evidence'],
};

/**
 * Reads pairs from CSV (RFC 4180) or tab-separated text. Repeated pairs count once. Throws InvalidPairs with the line
 * at fault.
 */
export function parsePairs(
  text: string,
  fileName: string,
): { readonly pairs: readonly InteractionPair[]; readonly duplicates: number } {
  const rows = readDelimited(text);
  const header = rows.shift();
  if (!header) throw new InvalidPairs(fileName, `it is empty; ${format}.`);
  const columns = columnsOf(header.cells, fileName);
  if (rows.length > maxPairs) {
    throw new InvalidPairs(
      fileName,
      `it has ${rows.length.toLocaleString('en-US')} rows, and a list has ${maxPairs.toLocaleString('en-US')} at most. Keep the pairs that matter to you.`,
    );
  }
  const seen = new Set<string>();
  const pairs: InteractionPair[] = [];
  for (const { cells, line } of rows) {
    const where = `line ${line}`;
    const ligand = subunitsOf(cells[columns.ligand] ?? '', { fileName, where, column: 'ligand' });
    const receptor = subunitsOf(cells[columns.receptor] ?? '', { fileName, where, column: 'receptor' });
    const key = `${ligand.join('+')}\t${receptor.join('+')}`.toUpperCase();
    if (seen.has(key)) continue;
    seen.add(key);
    const reference = columns.reference < 0 ? '' : (cells[columns.reference] ?? '').slice(0, 200);
    pairs.push({ ligand, receptor, reference });
  }
  if (pairs.length === 0) throw new InvalidPairs(fileName, `it has a heading and no pairs; ${format}.`);
  return { pairs, duplicates: rows.length - pairs.length };
}

function columnsOf(header: readonly string[], fileName: string) {
  const places = columnPlaces(header, headings);
  const missing = (['ligand', 'receptor'] as const).filter((name) => places[name] < 0);
  if (missing.length > 0) {
    throw new InvalidPairs(
      fileName,
      `the column ${missing.join(' and the column ')} is missing among its headings (${quotedHeadings(header)}); ${format}.`,
    );
  }
  return places;
}

interface Cell {
  fileName: string;
  where: string;
  column: string;
}

function subunitsOf(text: string, { fileName, where, column }: Cell): string[] {
  const problem = (reason: string) => new InvalidPairs(fileName, `${where}: the ${column} ${reason}.`);
  // OmniPath writes `COMPLEX:ITGAL_ITGB2`. A name with _ that is one gene is put together again where genes are known.
  const subunits = text
    .trim()
    .replace(/^complex:/i, '')
    .split(/[+_]/)
    .map((subunit) => subunit.trim());
  if (subunits.length === 1 && subunits[0] === '') throw problem('is missing');
  if (subunits.includes('')) throw problem('has a subunit without a name');
  if (subunits.length > maxSubunits) throw problem(`has more than ${maxSubunits} subunits`);
  if (subunits.some(isNoSymbol)) throw problem('has a name that no gene has');
  return subunits;
}
