import type { CategoricalColumn } from '@cellfolio/model';

/** Composition of the two sides of a comparison, or of both ends of a ranking. */
export interface SideComposition {
  /** Cells of each category on either side. */
  readonly a: Float64Array;
  readonly b: Float64Array;
  /** Cells of the sides without a category, which are in no share. */
  readonly unlabelled: { readonly a: number; readonly b: number };
  /**
   * Total variation distance of the shares: the part of the cells of one side that would have to be of another category for
   * the two to be made of the same, from 0 to 1. NaN where a side has no labelled cell.
   */
  readonly distance: number;
  /** The distance that sides drawn from one population pass about once in twenty times. */
  readonly chance: number;
}

/**
 * Sides that differ in so large a part of their cells are said to be of other categories. In simulations (`npm run bench --
 * composition-read`) sums of four against four donors begin to find genes that changed in no cell at about this distance.
 */
export const compositionLimit = 0.1;

/** Units and categories whose counts are held at once, 80 MB of them. */
const maxCounts = 10_000_000;

type Labels = Pick<CategoricalColumn, 'codes' | 'categories'>;

/**
 * Counts the cells of each category on both sides. Throws RangeError where the column is not of the same cells.
 * @param sides 0 for a cell of A (or the high end), 1 of B (or the low end), other numbers for all others
 * @param units the replicates of the test, by whose shares the distance varies by chance; absent for cells
 */
export function sideComposition(
  sides: Uint8Array | Uint16Array,
  labels: Labels,
  units?: Labels,
): SideComposition {
  const { codes, categories } = labels;
  if (codes.length !== sides.length) {
    throw new RangeError(`labels of ${codes.length} cells do not fit sides of ${sides.length}`);
  }
  const [a, b] = [new Float64Array(categories.length), new Float64Array(categories.length)];
  const unlabelled = { a: 0, b: 0 };
  for (let cell = 0; cell < sides.length; cell++) {
    const side = sides[cell]!;
    if (side > 1) continue;
    const code = codes[cell]!;
    if (code < 0) unlabelled[side === 0 ? 'a' : 'b']++;
    else (side === 0 ? a : b)[code]!++;
  }
  const [ofA, ofB] = [total(a), total(b)];
  const distance = a.reduce((sum, count, at) => sum + Math.abs(count / ofA - b[at]! / ofB), 0) / 2;
  const isByUnits = units !== undefined && units.categories.length * categories.length <= maxCounts;
  const variances = isByUnits ? variancesOfUnits(sides, labels, units, { a, b }) : variancesOfCells(a, b);
  // The mean of the distance, half of that of absolute normal deviates, and two standard deviations of it.
  const mean = variances.reduce((sum, variance) => sum + Math.sqrt(variance / (2 * Math.PI)), 0);
  const deviation = Math.sqrt((1 - 2 / Math.PI) * total(variances)) / 2;
  return {
    a,
    b,
    unlabelled,
    distance: ofA > 0 && ofB > 0 ? distance : NaN,
    chance: mean + 2 * deviation,
  };
}

/** Whether the sides are made of other categories, by more than the limit and more than chance. */
export function hasOtherComposition({ distance, chance }: SideComposition): boolean {
  return distance > Math.max(compositionLimit, chance);
}

/** Variance of the difference of each share if cells are drawn independently from one population. */
function variancesOfCells(a: Float64Array, b: Float64Array): Float64Array {
  const [ofA, ofB] = [total(a), total(b)];
  return a.map((count, at) => {
    const share = (count + b[at]!) / (ofA + ofB);
    return share * (1 - share) * (1 / ofA + 1 / ofB);
  });
}

/**
 * The same where units are drawn with all their cells: squares of what each unit adds to the difference of two ratios, so
 * that units with cells on both sides count as pairs. Infinite for too few units.
 */
function variancesOfUnits(
  sides: Uint8Array | Uint16Array,
  { codes }: Labels,
  units: Labels,
  { a, b }: Pick<SideComposition, 'a' | 'b'>,
): Float64Array {
  const [ofA, ofB] = [total(a), total(b)];
  const count = a.length;
  const parts = new Float64Array(units.categories.length * count);
  const sizes = Array.from(units.categories, () => ({ a: 0, b: 0 }));
  for (let cell = 0; cell < sides.length; cell++) {
    const [side, code, unit] = [sides[cell]!, codes[cell]!, units.codes[cell]!];
    if (side > 1 || code < 0 || unit < 0) continue;
    parts[unit * count + code]! += side === 0 ? 1 / ofA : -1 / ofB;
    sizes[unit]![side === 0 ? 'a' : 'b']++;
  }
  const unitCount = sizes.filter((size) => size.a + size.b > 0).length;
  const isPaired = sizes.some((size) => size.a > 0 && size.b > 0);
  const scale = unitCount / Math.max(0, unitCount - (isPaired ? 1 : 2));
  return a.map((inA, at) => {
    const [shareA, shareB] = [inA / ofA, b[at]! / ofB];
    const squares = sizes.reduce((sum, size, unit) => {
      const part = parts[unit * count + at]! - (shareA * size.a) / ofA + (shareB * size.b) / ofB;
      return sum + part ** 2;
    }, 0);
    return scale * squares;
  });
}

/** Sums of a gene's values over the cells of each category, on either side. */
interface CategorySums {
  a: Float64Array;
  b: Float64Array;
}

/**
 * Whether a gene differs between the sides by their shares of the categories more than by its means within these
 * (Kitagawa's decomposition of a difference of means, 1955: each part is weighted by the mean of the other's on both
 * sides). A category that one side lacks has no change within.
 */
export function isByComposition(sums: CategorySums, cells: Pick<SideComposition, 'a' | 'b'>): boolean {
  const [ofA, ofB] = [total(cells.a), total(cells.b)];
  let [byShares, within] = [0, 0];
  for (let at = 0; at < cells.a.length; at++) {
    const [inA, inB] = [cells.a[at]!, cells.b[at]!];
    if (inA + inB === 0) continue;
    const meanA = inA > 0 ? sums.a[at]! / inA : sums.b[at]! / inB;
    const meanB = inB > 0 ? sums.b[at]! / inB : meanA;
    byShares += ((inA / ofA - inB / ofB) * (meanA + meanB)) / 2;
    within += ((meanA - meanB) * (inA / ofA + inB / ofB)) / 2;
  }
  return Math.abs(byShares) > Math.abs(within);
}

function total(counts: Float64Array): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
