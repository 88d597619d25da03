import type { MatrixSample } from './sample-matrix.ts';

export type NormalisedScale = 'log1p' | 'log2' | 'log10' | 'linear';

export interface ScaleTest {
  scale: NormalisedScale;
  /** Median of the cells' sums of un-logged values. */
  total: number;
  /** Distance between the 5th and 95th percentile of these sums, relative to the median. */
  spread: number;
  /**
   * Share of the un-logged values that are integer multiples of their cell's smallest (or of a half or a third of it),
   * as for counts divided by a size factor. NaN with too few values.
   */
  multiples: number;
  /** Share of the cells whose un-logged values are proportional to their raw counts. NaN without raw counts. */
  counts: number;
}

/** Steps between integers, which rounded normalised values have and counts do not. */
export interface WholeSteps {
  /** Median of the cells' smallest positive values; 1 for nearly all counts. */
  smallest: number;
  /**
   * Share of the cells with visible steps that have no value between their smallest and its double. NaN with too few
   * cells.
   */
  even: number;
  /** Spread of the cells' largest values, defined as `spread` is for totals. */
  largestSpread: number;
}

const ln2 = Math.LN2;
const ln10 = Math.LN10;

const unlog: Readonly<Record<NormalisedScale, (value: number) => number>> = {
  log1p: Math.expm1,
  log2: (value) => Math.expm1(value * ln2),
  log10: (value) => Math.expm1(value * ln10),
  linear: (value) => value,
};

/** Minimum visible step of integers, if at least half of the cells have one. */
const minStep = 3;
const minStepCells = 20;
/** Maximum multiple; larger ones are too uncertain to be evidence. */
const maxMultiple = 30;
const nearlyWhole = 0.01;
/** Minimum number of values or cells for evidence. */
const minValues = 40;
const minCells = 3;

export function scaleTests(
  { cells }: MatrixSample,
  scales: readonly NormalisedScale[],
  counts?: MatrixSample,
): ScaleTest[] {
  const sound = [...cells].filter(
    ([, values]) => values.length > 0 && values[0]! > 0 && Number.isFinite(values.at(-1)),
  );
  return scales.map((scale) => {
    const unlogged = new Map(sound.map(([row, values]) => [row, values.map(unlog[scale])]));
    return {
      scale,
      ...totalsOf([...unlogged.values()]),
      multiples: multiplesOf([...unlogged.values()]),
      counts: counts === undefined ? NaN : countsShare(unlogged, counts.cells),
    };
  });
}

/** Steps in cells with integers only: in a normalised cell a step is one count, up to rounding. */
export function wholeSteps({ cells }: MatrixSample): WholeSteps {
  const filled = [...cells.values()].filter((values) => values.length > 0);
  const smallest = Float64Array.from(filled, (values) => values[0]!).sort();
  const stepped = filled.filter((values) => values[0]! >= minStep);
  const isKnown = stepped.length >= minStepCells && stepped.length >= filled.length / 2;
  return {
    smallest: smallest[smallest.length >> 1] ?? NaN,
    even: isKnown ? stepped.filter(isSecondDouble).length / stepped.length : NaN,
    largestSpread: spreadOf(Float64Array.from(filled, (values) => values.at(-1)!).sort()),
  };
}

/** Whether the second smallest distinct value is twice the smallest, up to rounding of both. */
function isSecondDouble(values: Float64Array): boolean {
  const [first = NaN] = values;
  const second = values.find((value) => value > first + 1);
  return second !== undefined && Math.abs(second - 2 * first) <= 1;
}

function totalsOf(cells: readonly Float64Array[]): { total: number; spread: number } {
  if (cells.length < minCells) return { total: NaN, spread: NaN };
  const totals = Float64Array.from(cells, (values) => values.reduce((sum, value) => sum + value, 0)).sort();
  return { total: quantile(totals, 0.5), spread: spreadOf(totals) };
}

function spreadOf(rising: Float64Array): number {
  return (quantile(rising, 0.95) - quantile(rising, 0.05)) / quantile(rising, 0.5);
}

function quantile(rising: Float64Array, share: number): number {
  return rising[Math.round(share * (rising.length - 1))] ?? NaN;
}

function multiplesOf(cells: readonly Float64Array[]): number {
  let valueCount = 0;
  let whole = 0;
  for (const values of cells) {
    const candidates = [1, 2, 3].map((parts) => wholeMultiples(values, parts));
    const best = candidates.reduce((a, b) => (b.whole * a.seen > a.whole * b.seen ? b : a));
    valueCount += best.seen;
    whole += best.whole;
  }
  return valueCount < minValues ? NaN : whole / valueCount;
}

/** Number of values above the smallest, and of those that are nearly integer if the smallest is `parts`. */
function wholeMultiples(values: Float64Array, parts: number): { seen: number; whole: number } {
  const unit = values[0]! / parts;
  let seen = 0;
  let whole = 0;
  for (let i = 0; i < values.length; i++) {
    const multiple = values[i]! / unit;
    if (multiple > maxMultiple) break;
    if (multiple < parts * 1.001) continue;
    seen++;
    if (Math.abs(multiple - Math.round(multiple)) <= nearlyWhole) whole++;
  }
  return { seen, whole };
}

/** Logarithms keep the order of a cell's values, so these are compared in order, without knowing their genes. */
function countsShare(
  cells: ReadonlyMap<number, Float64Array>,
  counts: ReadonlyMap<number, Float64Array>,
): number {
  let compared = 0;
  let agree = 0;
  for (const [row, values] of cells) {
    const rowCounts = counts.get(row);
    if (rowCounts?.length !== values.length || rowCounts[0] === rowCounts.at(-1)) continue;
    compared++;
    const ratios = values.map((value, i) => value / rowCounts[i]!).sort();
    if (ratios.at(-1)! - ratios[0]! <= nearlyWhole * ratios[0]!) agree++;
  }
  return compared < minCells ? NaN : agree / compared;
}
