/** Something legal but worth knowing about a result, in words for its user. */
export interface AnalysisWarning {
  /** Stable tag such as `small-group`. */
  readonly code: string;
  readonly message: string;
}
