import type { CategoricalColumn, Column, Table } from './column.ts';

export function isCategorical(column: Column | undefined): column is CategoricalColumn {
  return column?.kind === 'categorical';
}

/** Number of rows that a column describes. */
export function rowsOf(column: Column): number {
  switch (column.kind) {
    case 'categorical':
      return column.codes.length;
    case 'numeric':
    case 'boolean':
      return column.values.length;
    case 'string':
      return column.strings.offsets.length - 1;
  }
}

/** Names of the columns whose length is not the table's: empty for a sound table. */
export function misshapenColumns(table: Table): string[] {
  return [...table.columns].filter(([, column]) => rowsOf(column) !== table.rowCount).map(([name]) => name);
}
