import type { TableColumn, TableColumns } from '../table-columns.ts';

/** A range of a file's rows: `from` to `to` within `rows`, or within the columns if `rows` is absent. */
export interface FileRows {
  columns: readonly TableColumn[];
  rows?: Int32Array | undefined;
  from: number;
  to: number;
}

/** Contents of a table file. No writer holds more than one piece in memory. */
export interface FileContents {
  /** Used for headings and kinds only. */
  columns: readonly TableColumn[];
  notes: readonly string[];
  rowCount: number;
  pieces: Iterable<FileRows> | AsyncIterable<FileRows>;
}

const rowsOfPiece = 20_000;

/** Rows of a table in memory, in order; all rows if `rows` is absent. */
export function* heldPieces(
  { columns, rowCount }: Pick<TableColumns, 'columns' | 'rowCount'>,
  rows: Int32Array | undefined,
): Generator<FileRows> {
  const count = rows?.length ?? rowCount;
  for (let from = 0; from < count; from += rowsOfPiece) {
    yield { columns, rows, from, to: Math.min(count, from + rowsOfPiece) };
  }
}

/**
 * Writes pieces as text, row by row. `prepare` converts a column for writing; it runs once for columns shared by
 * several pieces.
 */
export function rowWriter<Prepared>(
  prepare: (column: TableColumn) => Prepared,
  write: (columns: readonly TableColumn[], prepared: readonly Prepared[], row: number) => string,
): (piece: FileRows) => string {
  let cached: { columns: readonly TableColumn[]; prepared: readonly Prepared[] } | undefined;
  return ({ columns, rows, from, to }) => {
    if (cached?.columns !== columns) cached = { columns, prepared: columns.map(prepare) };
    let text = '';
    for (let at = from; at < to; at++) text += write(columns, cached.prepared, rows?.[at] ?? at);
    return text;
  };
}

export interface TableFormat {
  id: 'csv' | 'tsv' | 'xlsx' | 'parquet';
  label: string;
  hint: string;
  /** Maximum rows per sheet, for formats with sheets; more rows need several sheets. */
  sheetRows?: number;
}

export type FormatId = TableFormat['id'];

/** An Excel worksheet has 1,048,576 rows, one of which is the heading. */
export const sheetRows = 1_048_575;

export const tableFormats: readonly TableFormat[] = [
  { id: 'csv', label: 'CSV', hint: 'Comments with # above the table' },
  { id: 'tsv', label: 'TSV', hint: 'Tabs between the columns' },
  { id: 'xlsx', label: 'XLSX', hint: 'For spreadsheets: gene names stay text', sheetRows },
  { id: 'parquet', label: 'Parquet', hint: 'For Python and R: numbers keep all digits' },
];
