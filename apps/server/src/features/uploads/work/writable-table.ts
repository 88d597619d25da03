import { safelyNamed } from '@cellfolio/ingest/parts-of-h5ad';
import type { Table } from '@cellfolio/model';

/** The table with names that HDF5 accepts. */
export function writableTable(table: Table): Table {
  const [[indexName]] = safelyNamed([[table.indexName, null]]) as [[string, null]];
  return { ...table, indexName, columns: new Map(safelyNamed([...table.columns], [indexName])) };
}
