/** A label of each sample: `codes` into `categories`, -1 where it is missing. */
export interface SampleFactor {
  readonly kind: 'categorical';
  readonly name: string;
  /** The first that has samples is the reference that the others are compared with, but for the tested column. */
  readonly categories: readonly string[];
  readonly codes: ArrayLike<number>;
  /** The categories are whole numbers: R's `factor` of them. */
  readonly isOfNumbers?: true;
}

/** A number of each sample, NaN where it is missing. */
export interface SampleCovariate {
  readonly kind: 'numeric';
  readonly name: string;
  readonly values: ArrayLike<number>;
}

export type SampleColumn = SampleFactor | SampleCovariate;

/** More distinct numbers are quantities. */
const maxCodes = 10;

/**
 * The categories of a covariate of few distinct whole numbers, which are mostly codes, such as batches 1, 2 and 3;
 * undefined where the numbers are quantities: fractions, many, or nearly as many as samples.
 * @param samples how many there are
 * @param isCode the name says so, whatever the number of samples
 */
export function codesAsFactor(
  { name, values }: SampleCovariate,
  { samples, isCode }: { readonly samples: number; readonly isCode: boolean },
): SampleFactor | undefined {
  const present = Array.from(values).filter((value) => !Number.isNaN(value));
  const distinct = [...new Set(present)].sort((one, other) => one - other);
  if (distinct.length > maxCodes || !distinct.every(Number.isInteger)) return undefined;
  if (!isCode && 2 * distinct.length > samples) return undefined;
  const codeOf = new Map(distinct.map((value, code) => [value, code]));
  return {
    kind: 'categorical',
    name,
    categories: distinct.map(String),
    codes: Int32Array.from(values, (value) => codeOf.get(value) ?? -1),
    isOfNumbers: true,
  };
}

/** What to compare, and what to allow for. */
export interface DesignRequest {
  /** The column of the comparison, `level` against `reference`. */
  readonly tested: SampleFactor;
  readonly level: string;
  readonly reference: string;
  /** Columns to allow for: batches, covariates, or the patient of each sample for pairs of samples. */
  readonly covariates?: readonly SampleColumn[];
  /**
   * Columns without a coefficient of their own that others may interact with: where samples are paired and both of a
   * pair have one value, the pairs hold its effect.
   */
  readonly withoutMainEffect?: readonly SampleColumn[];
  /** Names of two of the columns each: effects of the one that differ with the other. */
  readonly interactions?: readonly (readonly [string, string])[];
}

/** One column of the model: a column of the samples (at a level where it is categorical), or the product of two. */
export interface Coefficient {
  /** As R names it: column and level together, `a:b` for a product, `(Intercept)`. */
  readonly name: string;
  readonly parts: readonly { readonly column: string; readonly level?: string }[];
}

/** The model of samples: R's `model.matrix` of `~ tested + covariates + interactions` with treatment contrasts. */
export interface Design {
  readonly sampleCount: number;
  readonly coefficients: readonly Coefficient[];
  /** Of each categorical column the level that its others are compared with. */
  readonly references: ReadonlyMap<string, string>;
  /** One for each coefficient: a value for each sample. */
  readonly columns: readonly Float64Array[];
}

/** A contrast: the weight of each coefficient named. Throws RangeError for a name that no or several coefficients have. */
export function contrastOf({ coefficients }: Design, weights: ReadonlyMap<string, number>): Float64Array {
  const contrast = new Float64Array(coefficients.length);
  for (const [name, weight] of weights) {
    const places = coefficients.flatMap((coefficient, at) => (coefficient.name === name ? [at] : []));
    if (places.length !== 1) throw new RangeError(`${places.length} coefficients are named '${name}'`);
    contrast[places[0]!] = weight;
  }
  return contrast;
}

/**
 * The contrast of two levels of a column, where other columns that it interacts with are at their reference or 0. Throws
 * RangeError for levels that have no samples and for a level against itself.
 */
export function levelContrast(
  { coefficients, references }: Design,
  column: string,
  level: string,
  reference: string,
): Float64Array {
  const contrast = new Float64Array(coefficients.length);
  if (level === reference) throw new RangeError(`'${level}' of '${column}' cannot be compared with itself`);
  for (const [name, weight] of [
    [level, 1],
    [reference, -1],
  ] as const) {
    const place = coefficients.findIndex(
      ({ parts }) => parts.length === 1 && parts[0]!.column === column && parts[0]!.level === name,
    );
    if (place >= 0) contrast[place] = weight;
    else if (references.get(column) !== name) {
      throw new RangeError(`no sample of the column '${column}' has the level '${name}'`);
    }
  }
  return contrast;
}
