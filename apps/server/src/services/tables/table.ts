/** Rows as they go into a CSV file and a preview: numbers stay numbers, everything else is text of strangers. */
export interface ResultTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}
