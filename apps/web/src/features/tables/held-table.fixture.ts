import type { HeldTable } from './held-table.ts';
import { readCsv } from './read-csv.ts';
import { RowOrder } from './row-order.ts';
import type { ColumnKind } from './table-columns.ts';
import { fileOf, wholeOf } from './table-host.ts';

export function heldCsv(csv: string, kinds: ReadonlyMap<string, ColumnKind> = new Map()): HeldTable {
  const table = readCsv(csv, kinds);
  const order = new RowOrder(table);
  return {
    ...table,
    id: 0,
    whole: wholeOf(table),
    fileRows: table.rowCount,
    rows: (query) => Promise.resolve(order.find(query)),
    file: (format, rows, notes) => fileOf({ ...table, notes }, rows, format),
    close: () => {},
  };
}
