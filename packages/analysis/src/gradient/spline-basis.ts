import { quantileOf } from '../statistics/quantile.ts';

/** Orthonormal columns that span the natural cubic splines of an axis, without what is constant in each stratum. */
export interface SplineBasis {
  /** Of every cell: its values in the columns, one cell after another; 0 where it has no place. */
  readonly values: Float64Array;
  /** Columns: degrees of freedom of the curve; 0 where the axis varies in no stratum. */
  readonly degrees: number;
  /** Degrees of freedom of what is left: cells less strata less columns. */
  readonly left: number;
  /** Where the cubics meet, both ends among them. */
  readonly knots: readonly number[];
  /** Of every cell: its stratum, or -1 where it has no place. */
  readonly strata: Int16Array;
  /** Cells of each stratum. */
  readonly sizes: Int32Array;
  /** How unequal the cells' leverages are: the sum of their squares less that of equal ones. */
  readonly leverage: number;
  /** Of strata taken for replicates; undefined where no two of them say anything of the same shape. */
  readonly replicates: CurveReplicates | undefined;
}

/** How much each stratum says of each shape of a curve, and what their differences are worth. */
export interface CurveReplicates {
  /** Stratum after stratum, the products of its rows of columns (degrees × degrees); all strata add up to the identity. */
  readonly information: Float64Array;
  /** What the squared differences of strata add up to where the residual variance is 1, and their degrees of freedom. */
  readonly trace: number;
  readonly degrees: number;
}

/** A column that others explain to this part of its length adds nothing but rounding errors. */
const minPart = 1e-7;

/**
 * Natural cubic splines of `degrees` degrees of freedom besides the constant, with knots at the ends and at quantiles of
 * the distinct places, as patsy's `cr` has them: cubic between knots, straight beyond the ends. A place that most cells
 * share, such as the zeros of a gene, takes no knot from the others. Of few distinct places fewer degrees of freedom are
 * left. The columns stand at right angles to the strata and to each other, so that least squares are sums of products
 * over the cells that express a gene. NaN and Infinity are no place.
 */
export function splineBasis(
  values: Float64Array,
  degrees: number,
  strata: Int16Array = new Int16Array(values.length),
): SplineBasis {
  const placed = strata.map((stratum, cell) => (Number.isFinite(values[cell]) ? stratum : -1));
  const cells = Int32Array.from(values.keys()).filter((cell) => placed[cell]! >= 0);
  const distinct = Float64Array.from(new Set(Float64Array.from(cells, (cell) => values[cell]!))).sort();
  const shares = Array.from({ length: degrees + 1 }, (_, at) => at / degrees);
  const knots = [...new Set(shares.map((share) => quantileOf(distinct, share)))];
  const sizes = new Int32Array(placed.reduce((most, stratum) => Math.max(most, stratum + 1), 0));
  for (const cell of cells) sizes[placed[cell]!]!++;
  const ofCells = Int16Array.from(cells, (cell) => placed[cell]!);
  const columns: Float64Array[] = [];
  if (knots.length > 1) {
    for (const column of naturalColumns(cells, values, knots)) {
      const rest = normalised(column, columns, { strata: ofCells, sizes });
      if (rest) columns.push(rest);
    }
  }
  const width = columns.length;
  const rows = new Float64Array(values.length * width);
  cells.forEach((cell, place) => {
    for (let at = 0; at < width; at++) rows[cell * width + at] = columns[at]![place]!;
  });
  const used = sizes.reduce((count, size) => count + (size > 0 ? 1 : 0), 0);
  return {
    values: rows,
    degrees: width,
    left: cells.length - used - width,
    knots,
    strata: placed,
    sizes,
    leverage: unequalLeverage(columns, cells.length),
    replicates: used < 2 ? undefined : replicatesOf(columns, ofCells, sizes.length),
  };
}

function unequalLeverage(columns: readonly Float64Array[], cellCount: number): number {
  let squares = -(columns.length ** 2) / cellCount;
  for (let cell = 0; cell < cellCount; cell++) {
    squares += columns.reduce((sum, column) => sum + column[cell]! ** 2, 0) ** 2;
  }
  return Math.max(0, squares);
}

/** Shapes that one stratum alone tells of have no replicates. */
const minTrace = 1e-6;

/**
 * Strata s have sums u of products of a gene with the columns, whose covariance is C (their information) where cells are
 * independent, and differ from the common curve by u − C · Σ u. By Satterthwaite (1946) the sum of their squares is
 * like one of tr(A)² / tr(A²) degrees of freedom, with A = C less C C between all strata.
 */
function replicatesOf(
  columns: readonly Float64Array[],
  strata: Int16Array,
  count: number,
): CurveReplicates | undefined {
  const width = columns.length;
  const information = new Float64Array(count * width * width);
  for (let cell = 0; cell < strata.length; cell++) {
    const base = strata[cell]! * width * width;
    for (let row = 0; row < width; row++) {
      for (let at = 0; at < width; at++) {
        information[base + row * width + at]! += columns[row]![cell]! * columns[at]![cell]!;
      }
    }
  }
  let [trace, square] = [width, 0];
  const sum = new Float64Array(width * width);
  for (let stratum = 0; stratum < count; stratum++) {
    const own = information.subarray(stratum * width * width, (stratum + 1) * width * width);
    for (let row = 0; row < width; row++) {
      for (let at = 0; at < width; at++) {
        let product = 0;
        for (let k = 0; k < width; k++) product += own[row * width + k]! * own[k * width + at]!;
        const one = own[row * width + at]!;
        trace -= one * one;
        square += (one - product) ** 2 - product * product;
        sum[row * width + at]! += product;
      }
    }
  }
  square += productOf(sum, sum);
  return trace > minTrace ? { information, trace, degrees: trace ** 2 / square } : undefined;
}

/** The natural basis of truncated powers without the constant, on the axis from 0 at its first knot to 1 at its last. */
function* naturalColumns(cells: Int32Array, values: Float64Array, knots: readonly number[]) {
  const [first, last] = [knots[0]!, knots.at(-1)!];
  const places = Float64Array.from(cells, (cell) => (values[cell]! - first) / (last - first));
  const at = knots.map((knot) => (knot - first) / (last - first));
  yield places;
  const cube = (excess: number) => (excess > 0 ? excess ** 3 : 0);
  const slope = (place: number, knot: number) => (cube(place - knot) - cube(place - 1)) / (1 - knot);
  const lastInner = at.at(-2)!;
  for (const knot of at.slice(0, -2))
    yield places.map((place) => slope(place, knot) - slope(place, lastInner));
}

/** The column at right angles to strata and other columns, of length 1; undefined where nothing is left of it. */
function normalised(
  column: Float64Array,
  columns: readonly Float64Array[],
  strata: { readonly strata: Int16Array; readonly sizes: Int32Array },
): Float64Array | undefined {
  const rest = Float64Array.from(column);
  const before = Math.sqrt(productOf(rest, rest));
  // Twice: the first pass leaves rounding errors of what it takes away.
  for (let pass = 0; pass < 2; pass++) {
    takeMeans(rest, strata);
    for (const other of columns) {
      const share = productOf(rest, other);
      for (let cell = 0; cell < rest.length; cell++) rest[cell]! -= share * other[cell]!;
    }
  }
  const length = Math.sqrt(productOf(rest, rest));
  return length > minPart * before ? rest.map((value) => value / length) : undefined;
}

function takeMeans(
  column: Float64Array,
  { strata, sizes }: { readonly strata: Int16Array; readonly sizes: Int32Array },
): void {
  const sums = new Float64Array(sizes.length);
  for (let cell = 0; cell < column.length; cell++) sums[strata[cell]!]! += column[cell]!;
  for (let cell = 0; cell < column.length; cell++) {
    const stratum = strata[cell]!;
    column[cell]! -= sums[stratum]! / sizes[stratum]!;
  }
}

function productOf(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += one[at]! * other[at]!;
  return sum;
}
