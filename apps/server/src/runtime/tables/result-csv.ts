import { csvCell, csvComments, minPValue } from '@cellfolio/contract';
import { noteLines, type ResultCaution } from '@cellfolio/model';

const pValueColumns = new Set(['pvals', 'pvals_adj', 'P-value', 'Adjusted P-value']);

/** Whether a column holds p-values. A p-value of 0 has underflowed. */
export function isPValue(column: string | undefined): boolean {
  return column !== undefined && pValueColumns.has(column);
}

/** Rows of a CSV file or a preview: numbers, and untrusted text. */
export interface ResultTable {
  columns: readonly string[];
  rows: readonly (readonly (string | number)[])[];
}

/**
 * RFC 4180 with \n between the lines, below one comment line (`# `) per line of the head, fact and warning; pandas and R read it with
 * `comment='#'`. A text that a spreadsheet would take for a formula gets an apostrophe before it, which marks it as text.
 * Infinity is written as pandas reads it, a p-value that is too small for a number as 0, with a comment.
 */
export function toCsv(
  table: ResultTable,
  cautions: readonly ResultCaution[] = [],
  head: readonly string[] = [],
): string {
  const { columns, rows } = table;
  const hasZero = (place: number) => rows.some((row) => row[place] === 0);
  return csvHead({ columns, hasZero }, cautions, head) + csvLines(rows);
}

/** Comments and names of the columns. @param table `hasZero` for a column of p-values, by its place */
export function csvHead(
  { columns, hasZero }: Pick<ResultTable, 'columns'> & { hasZero: (place: number) => boolean },
  cautions: readonly ResultCaution[],
  head: readonly string[],
): string {
  const hasCaution = cautions.some(({ code }) => code === 'p-values-at-bound');
  const zeros =
    hasCaution || !columns.some((name, place) => isPValue(name) && hasZero(place)) ? [] : [zeroPValues];
  return csvComments([...head, ...noteLines(cautions), ...zeros]) + csvLine(columns);
}

/** Without their number: the file may have only some of the rows. */
const zeroPValues = `A p-value that is written as 0 is below ${minPValue.toPrecision(2)}, too small for a number.`;

export function csvLines(rows: ResultTable['rows']): string {
  let text = '';
  for (let i = 0; i < rows.length; i++) text += csvLine(rows[i]!);
  return text;
}

export function csvLine(cells: readonly (string | number)[]): string {
  let line = '';
  for (let i = 0; i < cells.length; i++) line += i === 0 ? csvCell(cells[i]!) : `,${csvCell(cells[i]!)}`;
  return `${line}\n`;
}

/** UTF-8 of the text escaped for the inside of a JSON string. */
export function jsonCharacters(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(text).slice(1, -1));
}

const powersOfTen = Array.from({ length: 16 }, (_, power) => 10 ** power);

/** The shortest text that reads back as the same float32: 0.1 rather than 0.10000000149011612. */
export function csvFloat32(value: number): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  // Rounding a scaled number is several times faster than formatting and parsing. Six digits cover all shorter numbers,
  // as trailing zeros are dropped; nine always suffice.
  if (size >= 1e-6 && size < 1e5) {
    const before = Math.floor(Math.log10(size));
    for (let digits = 6; digits <= 9; digits++) {
      const scale = powersOfTen[digits - 1 - before]!;
      const shorter = Math.round(value * scale) / scale;
      if (Math.fround(shorter) === value) return String(shorter);
    }
  }
  if (!Number.isFinite(value)) return csvCell(value);
  let digits = 1;
  while (digits < 9 && Math.fround(Number(value.toPrecision(digits))) !== value) digits++;
  return String(Number(value.toPrecision(digits)));
}
