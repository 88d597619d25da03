/** Columns named by the user instead of detected. */
export interface ImportColumns {
  readonly cellType?: string;
  readonly cluster?: string;
  readonly patient?: string;
  /** Key of obsm. */
  readonly embedding?: string;
  /** Column of var. */
  readonly symbol?: string;
  /** Shown name to obs column; replaces the detected metadata. */
  readonly metadata?: Readonly<Record<string, string>>;
}
