import { isCsvFormula } from '@cellfolio/contract';

/** A table as columns of text, all of one length. */
export interface CsvTable {
  header: string[];
  /** One array for each column of the header. */
  columns: string[][];
  rowCount: number;
  /** The text as it is: comment lines, the header line, and each row with its end of line. */
  source: { comments: string; header: string; rows: string[] };
}

/**
 * Reads RFC 4180 with one header line, below comment lines that begin with `#`. Short rows are filled up with empty text. An apostrophe before what a
 * spreadsheet would take for a formula is taken off: it is there for spreadsheets alone.
 */
export function readCsv(text: string): CsvTable {
  const header: string[] = [];
  const columns: string[][] = [];
  let rowCount = 0;
  let row: string[] = [];
  const comments = /^(?:#[^\n]*\n)*/.exec(text)![0];
  let at = comments.length;
  let start = at;
  const source = { comments, header: '', rows: [] as string[] };
  const endRow = () => {
    const line = text.slice(start, at);
    start = at;
    if (header.length === 0) {
      header.push(...row);
      columns.push(...header.map(() => []));
      source.header = line;
    } else {
      source.rows.push(line);
      columns.forEach((column, place) => column.push(withoutGuard(row[place] ?? '')));
      rowCount++;
    }
    row = [];
  };
  while (at < text.length) {
    let field: string;
    if (text[at] === '"') {
      const end = closingQuote(text, at + 1);
      field = text.slice(at + 1, end).replaceAll('""', '"');
      at = end + 1;
    } else {
      let end = at;
      while (end < text.length && text[end] !== ',' && text[end] !== '\n' && text[end] !== '\r') end++;
      field = text.slice(at, end);
      at = end;
    }
    row.push(field);
    if (text[at] === ',') {
      at++;
      if (at < text.length && text[at] !== '\n' && text[at] !== '\r') continue;
      row.push('');
    }
    if (text[at] === '\r') at++;
    if (text[at] === '\n') at++;
    endRow();
  }
  return { header, columns, rowCount, source };
}

function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at === -1 ? text.length : at;
}

function withoutGuard(text: string): string {
  return text.startsWith("'") && isCsvFormula(text.slice(1)) ? text.slice(1) : text;
}
