export type GeneModel = 'danb' | 'normal';

export interface CellDepth {
  readonly totals: Float64Array;
  readonly sum: number;
  readonly sumOfSquares: number;
}

export function cellDepth(totals: Float64Array): CellDepth {
  let [sum, sumOfSquares] = [0, 0];
  for (const total of totals) {
    sum += total;
    sumOfSquares += total * total;
  }
  return { totals, sum, sumOfSquares };
}

export interface GeneEntries {
  count: number;
  places: Int32Array;
  values: Float64Array;
}

/** Below it, a gene's variance could not be explained by depth. */
const smallestSize = 1e-10;
/** Size for a gene with less than Poisson variance. */
const sizeOfPoisson = 1e9;

/**
 * Writes (value - expectation) / standard deviation into `into`; 0 is the expectation from the cell's depth. `danb` is
 * the depth-adjusted negative binomial of Hotspot (DeTomaso and Yosef 2021; Andrews and Hemberg 2019): expectation is
 * the gene's share of all counts times the total of the cell, and the size follows from the variance over cells.
 * `normal` is a regression on the total with one variance. Returns false if the gene does not vary; `into` is then
 * invalid.
 */
export function standardised(
  entries: GeneEntries,
  depth: CellDepth,
  model: GeneModel,
  into: Float64Array | Float32Array,
): boolean {
  return model === 'danb' ? byCounts(entries, depth, into) : byRegression(entries, depth, into);
}

function byCounts(
  { count, places, values }: GeneEntries,
  { totals, sum, sumOfSquares }: CellDepth,
  into: Float64Array | Float32Array,
): boolean {
  let ofGene = 0;
  for (let at = 0; at < count; at++) ofGene += values[at]!;
  if (!(ofGene > 0) || !(sum > 0)) return false;
  const share = ofGene / sum;
  let squares = share * share * sumOfSquares;
  for (let at = 0; at < count; at++) {
    const expected = share * totals[places[at]!]!;
    squares += (values[at]! - expected) ** 2 - expected * expected;
  }
  const raw = (ofGene * share * sumOfSquares) / sum / (squares - ofGene);
  if (Number.isNaN(raw)) return false;
  const size = raw < 0 ? sizeOfPoisson : Math.max(smallestSize, raw);
  // A value of 0 is −μ / √(μ + μ² / size).
  for (let cell = 0; cell < totals.length; cell++) {
    const expected = share * totals[cell]!;
    into[cell] = -Math.sqrt(expected / (1 + expected / size));
  }
  for (let at = 0; at < count; at++) {
    const cell = places[at]!;
    const expected = share * totals[cell]!;
    if (expected > 0) into[cell] = (values[at]! - expected) / Math.sqrt(expected * (1 + expected / size));
  }
  return true;
}

function byRegression(
  { count, places, values }: GeneEntries,
  { totals, sum, sumOfSquares }: CellDepth,
  into: Float64Array | Float32Array,
): boolean {
  const cells = totals.length;
  const meanTotal = sum / cells;
  const ofTotals = sumOfSquares - sum * meanTotal;
  let [ofGene, product] = [0, 0];
  for (let at = 0; at < count; at++) {
    ofGene += values[at]!;
    product += values[at]! * (totals[places[at]!]! - meanTotal);
  }
  // Totals that are all the same explain nothing; their squares differ by rounding alone.
  const slope = ofTotals > 1e-12 * sumOfSquares ? product / ofTotals : 0;
  const mean = ofGene / cells;
  for (let cell = 0; cell < cells; cell++) into[cell] = -(mean + slope * (totals[cell]! - meanTotal));
  for (let at = 0; at < count; at++) into[places[at]!]! += values[at]!;
  let squares = 0;
  for (let cell = 0; cell < cells; cell++) squares += into[cell]! ** 2;
  if (!(squares > 0) || squares === Infinity) return false;
  const deviation = Math.sqrt(squares / cells);
  for (let cell = 0; cell < cells; cell++) into[cell]! /= deviation;
  return true;
}
