import { type CategoricalColumn, type Column, isCategorical } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';

/** What a column of obs would need to be. */
export class NotCategorical extends Error {
  override readonly name = 'NotCategorical';
  readonly column: string;

  constructor(column: string, kind: Column['kind']) {
    super(`The column ${JSON.stringify(column)} is ${kind}: choose a categorical column.`);
    this.column = column;
  }
}

/** A column as groups of cells: categorical ones, and true and false. Throws UnknownColumn, NotCategorical. */
export async function categoricalColumn(
  dataset: Dataset,
  name: string,
  signal?: AbortSignal,
): Promise<CategoricalColumn> {
  const column = await dataset.obs(name, signal);
  if (isCategorical(column)) return column;
  if (column.kind !== 'boolean') throw new NotCategorical(name, column.kind);
  const { values, missing } = column;
  return {
    kind: 'categorical',
    codes: Int8Array.from(values, (value, cell) => (missing?.[cell] ? -1 : value)),
    categories: ['False', 'True'],
    categoryType: 'boolean',
    ordered: false,
  };
}
