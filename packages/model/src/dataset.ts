import type { ExpressionScale } from './expression-scale.ts';

/** Column of the file for each role. A missing role is absent, never guessed later. */
export interface ColumnRoles {
  readonly cellType?: string;
  readonly cluster?: string;
  readonly patient?: string;
  /** Key in obsm of the two-dimensional embedding that figures are drawn on. */
  readonly embedding?: string;
  /** Column of var with the gene symbols; absent if the index of var holds them. */
  readonly symbol?: string;
  /** Metadata offered to the user: display name to obs column, all categorical. */
  readonly metadata: Readonly<Record<string, string>>;
}

export interface ExpressionSource {
  /** Path in the file: `X`, `raw/X` or `raw.X`. */
  readonly path: string;
  readonly state: 'log-normalised' | 'normalised-here' | 'scaled' | 'unknown';
  /** True if raw counts are kept as `layers/counts`. */
  readonly hasCounts: boolean;
  /** Some of these counts are fractional, as after a correction for ambient RNA. Absent if all are integers. */
  readonly fractionalCounts?: boolean;
  /** Absent in datasets written before this was recorded. */
  readonly scale?: ExpressionScale;
}

export function expressionUnit({ state }: Pick<ExpressionSource, 'state'>): string {
  switch (state) {
    case 'log-normalised':
    case 'normalised-here':
      return 'log-normalized expression';
    case 'scaled':
      return 'scaled expression';
    case 'unknown':
      return 'expression as stored';
  }
}

/** `clr`: centred log ratios of counts, computed here; `stored`: the values of the file. */
export type ProteinScale = 'clr' | 'stored';

/** Attribute of the protein table in a store that holds the scale of its values. */
export const proteinScaleAttribute = 'cellfolio-scale';

/**
 * Keys of `uns` in files beside a protein table: the unit of its values (see `proteinUnit`), and its column names
 * before slashes were removed for HDF5. Both survive reading and writing by anndata.
 */
/** Key of `uns` with the assets of a dataset: a dict of byte arrays. */
export const assetsUnsKey = 'cellfolio_assets';

export const proteinUnsKeys = { unit: 'protein_expression_unit', names: 'protein_names' } as const;

export function proteinUnit(scale: ProteinScale): string {
  return scale === 'clr' ? 'centered log ratio (CLR)' : 'protein level as stored';
}

/** Scale of a unit; undefined for a unit that `proteinUnit` does not write, or none. */
export function proteinScaleOf(unit: string | undefined): ProteinScale | undefined {
  // Earlier files of ours have the British spelling.
  const spelled = unit?.replace('centred', 'centered');
  return (['clr', 'stored'] as const).find((scale) => proteinUnit(scale) === spelled);
}
