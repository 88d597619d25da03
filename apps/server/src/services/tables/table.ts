/** Columns of p-values, in tables of any analysis. */
const pValueColumns = new Set(['pvals', 'pvals_adj', 'P-value', 'Adjusted P-value']);

/** Whether a column has p-values, of which 0 says that a number is too small to be written. */
export function isPValue(column: string | undefined): boolean {
  return column !== undefined && pValueColumns.has(column);
}

/** Rows as they go into a CSV file and a preview: numbers stay numbers, everything else is text of strangers. */
export interface ResultTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}
