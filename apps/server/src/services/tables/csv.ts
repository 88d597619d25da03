import { isCsvFormula, type Caution } from '@cellfolio/contract';
import type { ResultTable } from './table.ts';

/**
 * RFC 4180 with \n between the lines, below one comment line (`# `) for each caution: pandas and R read it with
 * `comment='#'`. A text that a spreadsheet would take for a formula gets an apostrophe before it, which spreadsheets
 * take for "this is text". Infinity is written as pandas reads it.
 */
export function toCsv({ columns, rows }: ResultTable, cautions: readonly Caution[] = []): string {
  let text = cautions.map(({ message }) => `# ${message.replaceAll(/[\r\n]+/g, ' ')}\n`).join('');
  text += csvLine(columns);
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
  // A `#` outside quotes would begin a comment.
  return /[",#\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
