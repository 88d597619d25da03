export { type FormatId, type TableFormat, tableFormats } from './files/table-file.ts';
export { type HeldTable, joinTables, readAnswerTable } from './held-table.ts';
export { type JoinedSide, passLabels } from './joined-table.ts';
export type { FoundRows, RowLimits, RowQuery, SortedColumn } from './row-order.ts';
export type { ColumnKind, TableColumn, TableColumns, TextColumn } from './table-columns.ts';
export { columnNamed, groupsIn, numbersOf, textAt, textsOf } from './table-columns.ts';
