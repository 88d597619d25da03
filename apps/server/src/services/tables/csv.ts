import { isCsvFormula, leastPValue, type Caution } from '@cellfolio/contract';
import { isPValue, type ResultTable } from './table.ts';

/**
 * RFC 4180 with \n between the lines, below one comment line (`# `) for each caution: pandas and R read it with
 * `comment='#'`. A text that a spreadsheet would take for a formula gets an apostrophe before it, which spreadsheets
 * take for "this is text". Infinity is written as pandas reads it, a p-value that is too small for a number as 0, which
 * a comment explains.
 */
export function toCsv(table: ResultTable, cautions: readonly Caution[] = []): string {
  const { columns, rows } = table;
  const comments = [...cautions.map(({ message }) => message), ...zeroPValues(table)];
  let text = comments.map((comment) => `# ${comment.replaceAll(/[\r\n]+/g, ' ')}\n`).join('');
  text += csvLine(columns);
  for (let i = 0; i < rows.length; i++) text += csvLine(rows[i]!);
  return text;
}

function zeroPValues({ columns, rows }: ResultTable): string[] {
  const places = [...columns.keys()].filter((place) => isPValue(columns[place]));
  let count = 0;
  for (const row of rows) for (const place of places) if (row[place] === 0) count++;
  if (count === 0) return [];
  const written =
    count === 1 ? 'One p-value is written as 0: it is' : `${count} p-values are written as 0: they are`;
  return [`${written} below ${leastPValue.toPrecision(2)}, too small for a number.`];
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
