import { isCsvFormula } from '@cellfolio/contract';
import type { ResultTable } from './table.ts';

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
  const text = isCsvFormula(cell) ? `'${cell}` : cell;
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
