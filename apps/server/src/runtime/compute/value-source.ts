import { type Column, denseValues } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';

/** Where a compute thread finds one number of each cell. */
export type ValueSource =
  | { readonly from: 'gene'; readonly row: number }
  | { readonly from: 'column'; readonly column: string }
  /** In shared memory; NaN or infinite where there is none. */
  | { readonly from: 'values'; readonly values: Float64Array };

/** Of all cells; NaN where one is missing. */
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

/** Numbers of a column; NaN where one is missing. Throws where it holds something else. */
export function numbersOf(column: Column): Float64Array {
  if (column.kind !== 'numeric')
    throw new Error(`a column of numbers was asked for, not a ${column.kind} one`);
  const { values, missing } = column;
  return Float64Array.from(values, (value, cell) => (missing?.[cell] ? NaN : value));
}
