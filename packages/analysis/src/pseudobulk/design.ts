/** One label per sample: `codes` into `categories`, -1 if missing. */
export interface SampleFactor {
  readonly kind: 'categorical';
  readonly name: string;
  /** The first with samples is the reference level, except for the tested column. */
  readonly categories: readonly string[];
  readonly codes: ArrayLike<number>;
  /** The categories are whole numbers, like R's `factor` of numbers. */
  readonly isOfNumbers?: true;
}

/** One number per sample, NaN if missing. */
export interface SampleCovariate {
  readonly kind: 'numeric';
  readonly name: string;
  readonly values: ArrayLike<number>;
}

export type SampleColumn = SampleFactor | SampleCovariate;

/** Maximum distinct numbers for codes; more are quantities. */
const maxCodes = 10;

/**
 * Converts a covariate of few distinct whole numbers, mostly codes such as batches 1, 2 and 3, to categories; undefined
 * for quantities: fractions, many distinct numbers, or nearly as many as samples. `samples`: their number. `isCode`:
 * the name indicates a code, whatever the number of samples.
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

export interface DesignRequest {
  readonly tested: SampleFactor;
  readonly level: string;
  readonly reference: string;
  /** Columns to adjust for: batches, covariates, or the patient of each sample for paired samples. */
  readonly covariates?: readonly SampleColumn[];
  /**
   * Columns without a coefficient of their own with which others may interact: if samples are paired and both of a pair
   * have the same value, the pairs contain its effect.
   */
  readonly withoutMainEffect?: readonly SampleColumn[];
  /** Pairs of column names: the effect of one may differ with the other. */
  readonly interactions?: readonly (readonly [string, string])[];
}

/** One column of the model matrix: a column of the samples (at a level if categorical), or a product of two. */
export interface Coefficient {
  /** R's name: column and level together, `a:b` for a product, `(Intercept)`. */
  name: string;
  parts: readonly { column: string; level?: string }[];
}

/** The model of samples: R's `model.matrix` of `~ tested + covariates + interactions` with treatment contrasts. */
export interface Design {
  readonly sampleCount: number;
  readonly coefficients: readonly Coefficient[];
  /** Reference level of each categorical column. */
  readonly references: ReadonlyMap<string, string>;
  /** One per coefficient, with a value per sample. */
  readonly columns: readonly Float64Array[];
}

/**
 * Contrast from the weights of named coefficients. Throws RangeError for a name that matches no or several
 * coefficients.
 */
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
 * Contrast of two levels of a column, with interacting columns at their reference or 0. Throws RangeError for levels
 * without samples and for a level against itself.
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
