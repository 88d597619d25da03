import { csvCell, csvComments } from '@cellfolio/contract';
import { textAt } from '../table-columns.ts';
import { type FileContents, rowWriter } from './table-file.ts';

/**
 * CSV or TSV below comment lines, as the server writes CSV. The full table is the file received from the server, not
 * written here.
 */
export async function delimitedFile(
  { columns, notes, pieces }: FileContents,
  separator: ',' | '\t',
): Promise<Blob> {
  const head = columns.map(({ name }) => csvCell(name, separator)).join(separator);
  // Each piece is handed to the browser, which has room for files that memory has not.
  const parts = [new Blob([`${csvComments(notes)}${head}\n`])];
  const linesOf = rowWriter(
    // A text is escaped once, however many rows have it.
    (column) =>
      column.numbers === undefined ? column.categories.map((text) => csvCell(text, separator)) : [],
    (of, escaped, row) => {
      let line = '';
      for (let place = 0; place < of.length; place++) {
        const column = of[place]!;
        if (place > 0) line += separator;
        line +=
          column.numbers === undefined ? (escaped[place]![column.codes[row]!] ?? '') : textAt(column, row);
      }
      return `${line}\n`;
    },
  );
  for await (const piece of pieces) parts.push(new Blob([linesOf(piece)]));
  const type = separator === ',' ? 'text/csv' : 'text/tab-separated-values';
  return new Blob(parts, { type: `${type};charset=utf-8` });
}
