import type { ExpressionAnswer } from '../expression/choose-expression.ts';

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
