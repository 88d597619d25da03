import { type CategoricalColumn, unitName, type UnitName } from '@cellfolio/model';

type Labels = Pick<CategoricalColumn, 'codes' | 'categories'>;

/** A column with more values holds names of cells or runs, not samples. */
export const maxSamples = 2000;

/** A column whose values group the samples: animals with several libraries, libraries with several lanes. */
export interface SampleUnits {
  readonly column: string;
  readonly values: number;
  readonly name: Exclude<UnitName, 'attribute'> | undefined;
}

/**
 * Units of a column if each sample belongs to one of them and there are several, but fewer than samples; undefined for
 * other columns, and for attributes, which also group samples but are no units. Cells without a sample are ignored; a
 * sample with a cell without a unit belongs to none.
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

export function valueCount({ codes, categories }: Labels): number {
  const isThere = new Uint8Array(categories.length);
  for (let cell = 0; cell < codes.length; cell++) if (codes[cell]! >= 0) isThere[codes[cell]!] = 1;
  return isThere.reduce((count, flag) => count + flag, 0);
}

export interface SideCells {
  readonly a: Float64Array;
  readonly b: Float64Array;
}

export function replicatesOnSides({ a, b }: SideCells): boolean {
  const present = (cells: Float64Array) => cells.reduce((count, own) => count + Number(own > 0), 0);
  return Math.min(present(a), present(b)) > 1;
}

export function isOnBothSides({ a, b }: SideCells): boolean {
  return a.some((cells, value) => cells > 0 && b[value]! > 0);
}
