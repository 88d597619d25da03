import { csvCell, csvComments } from '@cellfolio/contract';
import { type TableColumns, textAt } from '../table-columns.ts';
import { type FileContents, rowsIn } from './table-file.ts';

/** So many lines become one piece of the file: a string of all would be too long for large tables. */
const linesOfPiece = 20_000;

/** CSV or TSV below comment lines, as the server writes CSV: the rows of a whole table are the file that came. */
export function delimitedFile(contents: FileContents, separator: ',' | '\t'): Blob {
  const { table, rows } = contents;
  const { columns } = table;
  const head = columns.map(({ name }) => csvCell(name, separator)).join(separator);
  const pieces = [`${csvComments(table.notes)}${head}\n`];
  const line = lineOf(table, separator);
  const count = rowsIn(contents);
  for (let from = 0; from < count; from += linesOfPiece) {
    let piece = '';
    const to = Math.min(count, from + linesOfPiece);
    for (let at = from; at < to; at++) piece += line(rows?.[at] ?? at);
    pieces.push(piece);
  }
  const type = separator === ',' ? 'text/csv' : 'text/tab-separated-values';
  return new Blob(pieces, { type: `${type};charset=utf-8` });
}

function lineOf({ columns }: Pick<TableColumns, 'columns'>, separator: ',' | '\t'): (row: number) => string {
  // A text is escaped once, however many rows have it.
  const escaped = columns.map((column) =>
    column.numbers === undefined ? column.categories.map((text) => csvCell(text, separator)) : [],
  );
  return (row) => {
    let line = '';
    for (let place = 0; place < columns.length; place++) {
      const column = columns[place]!;
      if (place > 0) line += separator;
      line +=
        column.numbers === undefined ? (escaped[place]![column.codes[row]!] ?? '') : textAt(column, row);
    }
    return `${line}\n`;
  };
}
