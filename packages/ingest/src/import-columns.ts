/** What the user says the values of a file are; `counts`: take the raw counts of the file, else these values, which may have fractions. */
export type ExpressionAnswer = 'log1p' | 'counts' | 'linear' | 'log2' | 'log10';

/** Side of a table or a matrix of text that lists the genes, where its owner says so. */
export type GenesIn = 'rows' | 'columns';

/** Columns named by the user instead of detected. */
export interface ImportColumns {
  readonly cellType?: string;
  readonly cluster?: string;
  readonly patient?: string;
  /** Key of obsm. */
  readonly embedding?: string;
  /** Column of var. */
  readonly symbol?: string;
  /** What the values of the expression are, where they do not show it or the user knows better. */
  readonly expression?: ExpressionAnswer;
  /** Shown name to obs column; replaces the detected metadata. */
  readonly metadata?: Readonly<Record<string, string>>;
}
