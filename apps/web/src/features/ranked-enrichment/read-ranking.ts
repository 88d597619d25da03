import { maxRankingLines } from '@cellfolio/contract';

export interface ReadRanking {
  genes: string[];
  /** One per gene; null if the line has none. */
  values: (number | null)[];
  problem?: string;
}

const missing = new Set(['', 'na', 'nan', 'null', 'none', '-', '.']);

/**
 * Reads two columns, gene and number, separated by tabs, semicolons, commas or blanks. Skips comments (`#`) and a
 * heading.
 */
export function readRanking(text: string): ReadRanking {
  const genes: string[] = [];
  const values: (number | null)[] = [];
  const failed = (problem: string): ReadRanking => ({ genes, values, problem });
  let at = 0;
  for (const line of text.split(/\r\n?|\n/)) {
    at++;
    if (line.trim() === '' || line.startsWith('#')) continue;
    const cells = cellsOf(line);
    const [gene = '', written = ''] = cells;
    const where = `Line ${at.toLocaleString('en-US')}`;
    if (cells.length > 2)
      return failed(`${where} has ${cells.length} columns: keep only the gene and its number.`);
    const isMissing = cells.length === 2 && missing.has(written.toLowerCase());
    const value = isMissing ? null : numberOf(written);
    if (value === undefined) {
      // The first line may be a heading.
      if (genes.length === 0 && cells.length === 2 && at <= 5 && !/\d/.test(written)) continue;
      return failed(
        cells.length < 2
          ? `${where} has no number after the gene.`
          : `${where}: “${written.slice(0, 40)}” is not a number.`,
      );
    }
    if (gene === '') return failed(`${where} has no gene.`);
    if (genes.length === maxRankingLines) {
      return failed(`A ranking can have at most ${maxRankingLines.toLocaleString('en-US')} lines.`);
    }
    genes.push(gene);
    values.push(value);
  }
  if (values.filter((value) => value !== null).length < 2) {
    return failed('A ranking needs at least two genes with a number.');
  }
  return { genes, values };
}

function cellsOf(line: string): string[] {
  const divider = line.includes('\t') ? '\t' : line.includes(';') ? ';' : line.includes(',') ? ',' : /\s+/;
  // A tab at the end stands before a number that is missing.
  return (typeof divider === 'string' ? line : line.trim())
    .split(divider)
    .map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
}

function numberOf(written: string): number | undefined {
  const value = Number(written.replace(',', '.').replace('−', '-'));
  return written === '' || !Number.isFinite(value) ? undefined : value;
}
