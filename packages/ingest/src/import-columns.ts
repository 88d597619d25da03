import type { ExpressionAnswer } from '@cellfolio/model';

export type GenesIn = 'rows' | 'columns';

export interface ImportColumns {
  readonly cellType?: string;
  readonly cluster?: string;
  readonly patient?: string;
  /** Key of obsm. */
  readonly embedding?: string;
  /** Column of var. */
  readonly symbol?: string;
  /**
   * Scale of the expression values, if they do not show it or the user knows better; `counts`: the file's raw counts,
   * else these values, which may have fractions.
   */
  readonly expression?: ExpressionAnswer;
  /** Display name to obs column; replaces the detected metadata. */
  readonly metadata?: Readonly<Record<string, string>>;
}
