import type { CategoricalColumn, Column, NumericArray, NumericType, Table } from './column.ts';

export function isCategorical(column: Column | undefined): column is CategoricalColumn {
  return column?.kind === 'categorical';
}

/** Whether values that were read into float64 are 64-bit integers that it cannot tell apart: one is 2^53 or more in size. */
export function isWide<T extends string>(
  type: T | NumericType,
  values: NumericArray,
): type is 'int64' | 'uint64' {
  if (type !== 'int64' && type !== 'uint64') return false;
  for (let i = 0; i < values.length; i++) if (Math.abs(values[i]!) >= 2 ** 53) return true;
  return false;
}

/** Number of rows that a column describes. */
export function rowsOf(column: Column): number {
  switch (column.kind) {
    case 'categorical':
      return column.codes.length;
    case 'numeric':
    case 'wide-integer':
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
