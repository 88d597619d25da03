import { leafOrder, linkage } from '../statistics/linkage.ts';
import { median } from '../statistics/quantile.ts';

/** A difference below this share of the size of a row is rounding. */
const rounding = 1e-12;

/** Centred with length 1: the sum of products of two is Pearson’s correlation. Undefined for a constant row. */
export function standardisedRow(row: Float64Array): Float64Array | undefined {
  const middle = row.reduce((sum, value) => sum + value, 0) / row.length;
  const centred = row.map((value) => value - middle);
  const length = Math.hypot(...centred);
  if (!(length > rounding * Math.hypot(...row))) return undefined;
  return centred.map((value) => value / length);
}

/** Pearson’s correlations of standardised rows, rows × rows: 0 with an undefined row, 1 on the diagonal. */
export function rowCorrelations(rows: readonly (Float64Array | undefined)[]): Float64Array {
  const count = rows.length;
  const correlations = new Float64Array(count * count);
  for (let one = 0; one < count; one++) {
    correlations[one * count + one] = 1;
    for (let other = 0; other < one; other++) {
      const [a, b] = [rows[one], rows[other]];
      if (!a || !b) continue;
      let sum = 0;
      for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
      const value = Math.max(-1, Math.min(1, sum));
      correlations[one * count + other] = value;
      correlations[other * count + one] = value;
    }
  }
  return correlations;
}

/** Order of rows by average linkage of 1 − correlation, so that similar ones are side by side. */
export function clusteredOrder(correlations: Float64Array, count: number): number[] {
  if (count < 3) return [...new Array(count).keys()];
  return leafOrder(
    linkage(
      correlations.map((value) => 1 - value),
      count,
      'average',
    ),
    count,
  );
}

/**
 * Genomic inflation factor λ (Devlin and Roeder 1999): the median of the squared normal scores of two-sided p-values over
 * that of a uniform distribution. 1 if p-values are as by chance; above, too many are small.
 */
export function inflation(scores: Float64Array): number {
  return median(scores.map((score) => score * score)) / medianOfChiSquare;
}

/** With one degree of freedom. */
const medianOfChiSquare = 0.454936423119572;
