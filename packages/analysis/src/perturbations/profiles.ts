import { leafOrder, linkage } from '../statistics/linkage.ts';

/**
 * Pearson’s correlations of rows of a matrix, `count` × `count`; 0 with a constant row, 1 on the diagonal.
 * @param values row after row, `count` × `columns`
 */
export function rowCorrelations(values: Float64Array, count: number, columns: number): Float64Array {
  const standardised = Float64Array.from(values);
  for (let row = 0; row < count; row++) {
    const own = values.subarray(row * columns, (row + 1) * columns);
    const mean = own.reduce((sum, value) => sum + value, 0) / columns;
    let squares = 0;
    for (let i = 0; i < columns; i++) squares += (own[i]! - mean) ** 2;
    const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0;
    for (let i = 0; i < columns; i++) standardised[row * columns + i] = (own[i]! - mean) * scale;
  }
  const correlations = new Float64Array(count * count);
  for (let one = 0; one < count; one++) {
    correlations[one * count + one] = 1;
    for (let other = 0; other < one; other++) {
      let [sum, a, b] = [0, one * columns, other * columns];
      for (const end = a + columns; a < end; a++, b++) sum += standardised[a]! * standardised[b]!;
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
export function inflation(scores: ArrayLike<number>): number {
  const squares = Float64Array.from(scores, (score) => score * score).sort();
  const middle = squares.length / 2;
  const median =
    squares.length % 2 === 1 ? squares[Math.floor(middle)]! : (squares[middle - 1]! + squares[middle]!) / 2;
  return median / medianOfChiSquare;
}

/** With one degree of freedom. */
const medianOfChiSquare = 0.454936423119572;
