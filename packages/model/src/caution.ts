/** What a careful statistician would say of a dataset or a result, as data and in words for its user. */
export interface Caution {
  /** Stable tag such as `scaled-values` or `small-groups`. */
  readonly code: string;
  readonly message: string;
  /** The figures behind the words, under names that do not depend on the data: names from a file are values here. */
  readonly numbers?: Readonly<Record<string, CautionNumber | readonly CautionNumber[]>>;
}

type CautionNumber = number | string;
