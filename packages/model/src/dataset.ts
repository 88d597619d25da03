/** What a dataset is about: the fields of the public catalogue, as given at import. */
export interface CatalogueEntry {
  readonly name: string;
  readonly disease: string;
  readonly subdisease: string;
  readonly category1: string;
  readonly category2: string;
  readonly description: string;
  readonly gseAccessionNumber?: string;
  readonly patientCount?: number;
  readonly stage?: string;
  readonly treatment?: string;
  readonly lymphNodeStatus?: string;
  readonly diseaseType?: string;
  /** True for data made by the simulator; shown wherever the dataset is. */
  readonly simulated: boolean;
}

/** Which column of the file plays which part. A missing part is absent, never guessed later. */
export interface ColumnRoles {
  readonly cellType?: string;
  readonly cluster?: string;
  readonly patient?: string;
  /** Key in obsm of the two-dimensional embedding that figures are drawn on. */
  readonly embedding?: string;
  /** Column of var with the gene symbols; absent where the index of var holds them. */
  readonly symbol?: string;
  /** Metadata offered to the user: shown name to obs column, all categorical. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** What the values of a matrix can be said to be: logarithms are those of 1 + the value. */
export type ValueScale = 'counts' | 'log1p' | 'log2' | 'log10' | 'linear' | 'scaled' | 'unknown';

/** On which scale the values were in the file and are in the dataset, and how that is known. */
export interface ExpressionScale {
  readonly read: ValueScale;
  readonly stored: ValueScale;
  /** `range`: the values leave no other choice; `record`: `uns/log1p` says so; `answer`: whoever added the file did. */
  readonly basis: 'range' | 'whole-multiples' | 'counts' | 'totals' | 'record' | 'answer';
  /** The evidence in one sentence, with its figures. */
  readonly why: string;
}

/** Where the expression values come from and what was done to them. */
export interface ExpressionSource {
  /** Path in the file: `X`, `raw/X` or `raw.X`. */
  readonly path: string;
  readonly state: 'log-normalised' | 'normalised-here' | 'scaled' | 'unknown';
  /** True where raw counts were kept as `layers/counts`. */
  readonly hasCounts: boolean;
  /** Absent of datasets that were written before this was recorded. */
  readonly scale?: ExpressionScale;
}

/** What the values of a gene are, for an axis or a heading. */
export function expressionUnit({ state }: ExpressionSource): string {
  switch (state) {
    case 'log-normalised':
    case 'normalised-here':
      return 'log-normalised expression';
    case 'scaled':
      return 'scaled expression';
    case 'unknown':
      return 'expression as stored';
  }
}

/** Features of the file that are no genes, such as antibodies or peaks, and stayed in the file. */
export interface OtherFeatures {
  /** As the file calls them. */
  readonly type: string;
  readonly count: number;
  /** The first names. */
  readonly examples: readonly string[];
}
