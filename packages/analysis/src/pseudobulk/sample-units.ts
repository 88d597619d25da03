import { type CategoricalColumn, unitName, type UnitName } from '@cellfolio/model';

/** Labels of cells: `codes` into `categories`, -1 where it is missing. */
type Labels = Pick<CategoricalColumn, 'codes' | 'categories'>;

/** A column in whose values the samples are: libraries in animals, lanes in libraries. */
export interface SampleUnits {
  readonly column: string;
  /** How many values hold the samples. */
  readonly values: number;
  readonly name: Exclude<UnitName, 'attribute'> | undefined;
}

/**
 * The units of a column where each sample is in one of them, there are several, and fewer than samples; undefined for
 * other columns, and for attributes, which hold samples as well and are no units. Cells without a sample tell nothing; a
 * sample with a cell without a unit is in none.
 */
export function unitsOfSamples(samples: Labels, column: string, units: Labels): SampleUnits | undefined {
  const name = unitName(column);
  if (name === 'attribute') return undefined;
  const unitOf = new Int32Array(samples.categories.length).fill(-1);
  const { codes } = samples;
  for (let cell = 0; cell < codes.length; cell++) {
    const sample = codes[cell]!;
    if (sample < 0) continue;
    const unit = units.codes[cell]!;
    if (unit < 0 || (unitOf[sample]! >= 0 && unitOf[sample] !== unit)) return undefined;
    unitOf[sample] = unit;
  }
  const present = unitOf.filter((unit) => unit >= 0);
  const values = new Set(present).size;
  return values > 1 && values < present.length ? { column, values, name } : undefined;
}

/** How many values of a column cells have. */
export function valueCount({ codes, categories }: Labels): number {
  const isThere = new Uint8Array(categories.length);
  for (let cell = 0; cell < codes.length; cell++) if (codes[cell]! >= 0) isThere[codes[cell]!] = 1;
  return isThere.reduce((count, flag) => count + flag, 0);
}

/** Cells of each value of a column on both sides. */
export interface SideCells {
  readonly a: Float64Array;
  readonly b: Float64Array;
}

/** Whether each side has two values or more, which tell how much they vary. */
export function replicatesOnSides({ a, b }: SideCells): boolean {
  const present = (cells: Float64Array) => cells.reduce((count, own) => count + Number(own > 0), 0);
  return Math.min(present(a), present(b)) > 1;
}

/** Whether a value has cells of both sides. */
export function isOnBothSides({ a, b }: SideCells): boolean {
  return a.some((cells, value) => cells > 0 && b[value]! > 0);
}
