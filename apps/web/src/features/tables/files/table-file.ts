import type { TableColumn, TableColumns } from '../table-columns.ts';

/** Some of the rows of a file: those at the places `from` to `to` among `rows`, or in the columns where `rows` is absent. */
export interface FileRows {
  readonly columns: readonly TableColumn[];
  readonly rows?: Int32Array | undefined;
  readonly from: number;
  readonly to: number;
}

/** What a file of a table holds. No writer has more than one piece of it in memory. */
export interface FileContents {
  /** For the headings and kinds of the columns. */
  readonly columns: readonly TableColumn[];
  /** What stands above the table. */
  readonly notes: readonly string[];
  /** Of all pieces. */
  readonly rowCount: number;
  readonly pieces: Iterable<FileRows> | AsyncIterable<FileRows>;
}

const rowsOfPiece = 20_000;

/** Rows of a table that is held, in their order; all of it where `rows` is absent. */
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
 * Writes pieces as text, row by row.
 * @param prepare makes of a column what its rows are written from: once for columns that several pieces share
 */
export function rowWriter<Prepared>(
  prepare: (column: TableColumn) => Prepared,
  write: (columns: readonly TableColumn[], prepared: readonly Prepared[], row: number) => string,
): (piece: FileRows) => string {
  let known: { readonly columns: readonly TableColumn[]; readonly prepared: readonly Prepared[] } | undefined;
  return ({ columns, rows, from, to }) => {
    if (known?.columns !== columns) known = { columns, prepared: columns.map(prepare) };
    let text = '';
    for (let at = from; at < to; at++) text += write(columns, known.prepared, rows?.[at] ?? at);
    return text;
  };
}

export interface TableFormat {
  readonly id: 'csv' | 'tsv' | 'xlsx' | 'parquet';
  readonly label: string;
  /** What it is for. */
  readonly hint: string;
  /** Rows of one sheet, where it has such: of more rows it has several. */
  readonly sheetRows?: number;
}

export type FormatId = TableFormat['id'];

/** A worksheet of Excel has 1,048,576 rows; the heading takes one. */
export const sheetRows = 1_048_575;

export const tableFormats: readonly TableFormat[] = [
  { id: 'csv', label: 'CSV', hint: 'Comments with # above the table' },
  { id: 'tsv', label: 'TSV', hint: 'Tabs between the columns' },
  { id: 'xlsx', label: 'XLSX', hint: 'For spreadsheets: gene names stay text', sheetRows },
  { id: 'parquet', label: 'Parquet', hint: 'For Python and R: numbers keep all digits' },
];
