/** A ligand and a receptor by symbols, each with its subunits: one, or several of a complex. */
export interface InteractionPair {
  readonly ligand: readonly string[];
  readonly receptor: readonly string[];
  /** Where it was shown, as `Author 2001, PMID 123`; empty where the list does not say. */
  readonly reference: string;
}

/** A file that is no list of pairs; the message says what it should be. */
export class InvalidPairs extends Error {
  override readonly name = 'InvalidPairs';

  constructor(fileName: string, reason: string) {
    super(`${fileName}: ${reason}`);
  }
}

/** Most rows of a list of pairs; the largest published ones have some five thousand. */
export const maxPairs = 10_000;
/** Most subunits of a complex; integrins have two, receptors of interleukins three. */
const maxSubunits = 12;
const maxSymbolLength = 100;
const format =
  'a list of pairs is a comma- or tab-separated file with a heading of the columns ligand and receptor, subunits of a complex joined by + or _ (ITGAL+ITGB2)';

/** Headings, the first of which that a file has counts: ours, those of LIANA's and of OmniPath's exports. */
const ligandHeadings = ['ligand', 'source_genesymbol', 'ligand_complex', 'ligand_symbol'];
const receptorHeadings = ['receptor', 'target_genesymbol', 'receptor_complex', 'receptor_symbol'];
const referenceHeadings = ['reference', 'references', 'evidence'];

/**
 * Reads pairs from CSV (RFC 4180) or tab-separated text. Pairs that are there twice count once. Throws InvalidPairs with
 * the line that is wrong.
 */
export function parsePairs(
  text: string,
  fileName: string,
): { readonly pairs: readonly InteractionPair[]; readonly duplicates: number } {
  const rows = readRows(text.replace(/^\uFEFF/, ''));
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
  const names = header.map((name) => name.trim().toLowerCase());
  const place = (headings: readonly string[]) =>
    headings.map((heading) => names.indexOf(heading)).find((at) => at >= 0) ?? -1;
  const [ligand, receptor] = [place(ligandHeadings), place(receptorHeadings)];
  const missing = [...(ligand < 0 ? ['ligand'] : []), ...(receptor < 0 ? ['receptor'] : [])];
  if (missing.length > 0) {
    const found = names.slice(0, 8).map((name) => JSON.stringify(name.slice(0, 40)));
    throw new InvalidPairs(
      fileName,
      `the column ${missing.join(' and the column ')} is missing among its headings (${found.join(', ')}); ${format}.`,
    );
  }
  return { ligand, receptor, reference: place(referenceHeadings) };
}

interface Cell {
  readonly fileName: string;
  readonly where: string;
  readonly column: string;
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
  for (const subunit of subunits) {
    // oxlint-disable-next-line no-control-regex -- these are what is looked for
    if (subunit.length > maxSymbolLength || /[\u0000-\u001f\u007f]/.test(subunit)) {
      throw problem('has a name that no gene has');
    }
  }
  return subunits;
}

interface TextRow {
  readonly cells: readonly string[];
  /** From 1. */
  readonly line: number;
}

/** Rows that are not blank, nor comments beginning with #. The first of them decides between tab, comma and semicolon. */
function readRows(text: string): TextRow[] {
  const first = text.split(/\r\n|\r|\n/).find((line) => line.trim() !== '' && !line.startsWith('#')) ?? '';
  const separator = ['\t', ',', ';'].find((one) => first.includes(one)) ?? ',';
  const rows: TextRow[] = [];
  let line = 1;
  let at = 0;
  while (at < text.length) {
    const began = line;
    const cells: string[] = [];
    for (;;) {
      const { cell, end, lines } = readCell(text, at, separator);
      cells.push(cell);
      line += lines;
      at = end;
      if (text[at] !== separator) break;
      at++;
    }
    if (text[at] === '\r' && text[at + 1] === '\n') at++;
    at++;
    line++;
    const isBlank = cells.length === 1 && cells[0]!.trim() === '';
    if (!isBlank && !cells[0]!.startsWith('#')) rows.push({ cells, line: began });
  }
  return rows;
}

function readCell(text: string, from: number, separator: string) {
  if (text[from] !== '"') {
    let end = from;
    while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end++;
    return { cell: text.slice(from, end).trim(), end, lines: 0 };
  }
  let close = text.indexOf('"', from + 1);
  while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
  const last = close < 0 ? text.length : close;
  const quoted = text.slice(from + 1, last);
  let end = last + 1;
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end++;
  const lines = quoted.split('\n').length - 1;
  return { cell: quoted.replaceAll('""', '"').trim(), end: Math.min(end, text.length), lines };
}
