import { quantileOf } from '../statistics/quantile.ts';

/**
 * Orthonormal columns that span the natural cubic splines of an axis, without the part that is constant within strata.
 */
export interface SplineBasis {
  /** Values of the columns, cell-major; 0 for a cell without a position. */
  readonly values: Float64Array;
  /** Number of columns, the degrees of freedom of the curve; 0 if the axis varies in no stratum. */
  readonly degrees: number;
  /** Residual degrees of freedom: cells less strata less columns. */
  readonly left: number;
  /** Knots of the cubics, including both ends. */
  readonly knots: readonly number[];
  /** Per cell: its stratum, or -1 without a position. */
  readonly strata: Int16Array;
  readonly sizes: Int32Array;
  /** How unequal the cells' leverages are: the sum of their squares less that of equal ones. */
  readonly leverage: number;
  /** Strata as replicates; undefined if no two of them have curves of the same shape. */
  readonly replicates: CurveReplicates | undefined;
}

/** How much each stratum says of each shape of a curve, and what their differences are worth. */
export interface CurveReplicates {
  /** Stratum after stratum, the products of its rows of columns (degrees × degrees); all strata add up to the identity. */
  information: Float64Array;
  /** Expected sum of the squared differences of strata at a residual variance of 1, and their degrees of freedom. */
  trace: number;
  degrees: number;
}

/** A column of which others leave only this part of its length contributes nothing but rounding errors. */
const minPart = 1e-7;

/**
 * Natural cubic splines with `degrees` degrees of freedom besides the constant, with knots at the ends and at quantiles
 * of the distinct positions, as patsy's `cr`: cubic between knots, linear beyond the ends. Quantiles of distinct
 * positions keep a position that most cells share, such as the zeros of a gene, from taking other knots. With few
 * distinct positions there are fewer degrees of freedom. Columns are orthogonal to the strata and to each other, so
 * that least squares are sums of products over the cells that express a gene. NaN and Infinity are no position.
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
  const sizes = new Int32Array(placed.reduce((maximum, stratum) => Math.max(maximum, stratum + 1), 0));
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

/** Natural truncated power basis without the constant, on the axis scaled from 0 at the first knot to 1 at the last. */
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

/**
 * Projects a column orthogonally to strata and other columns and scales it to length 1; undefined if nothing is left.
 */
function normalised(
  column: Float64Array,
  columns: readonly Float64Array[],
  strata: { strata: Int16Array; sizes: Int32Array },
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

function takeMeans(column: Float64Array, { strata, sizes }: { strata: Int16Array; sizes: Int32Array }): void {
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
