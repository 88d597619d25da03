import type { TableColumns } from '../table-columns.ts';

/** What a file of a table holds. */
export interface FileContents {
  /** With the lines that stand above the table. */
  readonly table: TableColumns;
  /** Places in the table, in their order; absent for all. */
  readonly rows: Int32Array | undefined;
}

export function rowsIn({ table, rows }: FileContents): number {
  return rows?.length ?? table.rowCount;
}

export interface TableFormat {
  readonly id: 'csv' | 'tsv' | 'xlsx' | 'parquet';
  readonly label: string;
  /** What it is for. */
  readonly hint: string;
  /** Most rows, where the format has a limit. */
  readonly maxRows?: number;
}

export type FormatId = TableFormat['id'];

/** A worksheet of Excel has so many rows; the heading takes one. */
const sheetRows = 1_048_576;

export const tableFormats: readonly TableFormat[] = [
  { id: 'csv', label: 'CSV', hint: 'Comments with # above the table' },
  { id: 'tsv', label: 'TSV', hint: 'Tabs between the columns' },
  { id: 'xlsx', label: 'XLSX', hint: 'For spreadsheets: gene names stay text', maxRows: sheetRows - 1 },
  { id: 'parquet', label: 'Parquet', hint: 'For Python and R: numbers keep all digits' },
];
