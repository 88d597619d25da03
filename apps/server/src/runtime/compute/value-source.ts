import type { ValueSource } from '@cellfolio/analyses/serve';
import { type Column, denseValues } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';

/** One value per cell; NaN when missing. */
export async function readValues(
  source: ValueSource,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<Float64Array> {
  switch (source.from) {
    case 'values':
      return source.values;
    case 'gene':
      return Float64Array.from(denseValues(await dataset.gene(source.row, signal)));
    case 'column':
      return numbersOf(await dataset.obs(source.column, signal));
  }
}

/** Numbers of a column; NaN when missing. Throws for a column of another kind. */
export function numbersOf(column: Column): Float64Array {
  if (column.kind !== 'numeric')
    throw new Error(`a column of numbers was asked for, not a ${column.kind} one`);
  const { values, missing } = column;
  return Float64Array.from(values, (value, cell) => (missing?.[cell] ? NaN : value));
}
