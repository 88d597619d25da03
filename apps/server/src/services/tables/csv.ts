import type { ResultTable } from './table.ts';

/** Starts of a cell that a spreadsheet would run as a formula; the wide forms of East Asian keyboards count as the others. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * RFC 4180 with \n between the lines. A text that a spreadsheet would take for a formula gets an apostrophe
 * before it, which spreadsheets take for "this is text". Infinity is written as pandas reads it.
 */
export function toCsv({ columns, rows }: ResultTable): string {
  let text = csvLine(columns);
  for (let i = 0; i < rows.length; i++) text += csvLine(rows[i]!);
  return text;
}

function csvLine(cells: readonly (string | number)[]): string {
  let line = '';
  for (let i = 0; i < cells.length; i++) line += i === 0 ? csvCell(cells[i]!) : `,${csvCell(cells[i]!)}`;
  return `${line}\n`;
}

function csvCell(cell: string | number): string {
  if (typeof cell === 'number') {
    if (Number.isNaN(cell)) return '';
    return Number.isFinite(cell) ? String(cell) : cell > 0 ? 'inf' : '-inf';
  }
  const text = formula.test(cell) ? `'${cell}` : cell;
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
