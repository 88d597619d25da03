import type { SampleColumnInput } from '../../pseudobulk-input.ts';

/**
 * Share of the variance of `values` explained by a column of the samples, from 0 to 1: by the means of its categories,
 * or by a straight line over its numbers. Null if it would explain any values: with more than one category per two
 * samples, with a single one, or if a value is missing.
 */
export function explainedBy(column: SampleColumnInput, values: readonly number[]): number | null {
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const total = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  if (!(total > 0)) return null;
  if (column.kind === 'numeric') {
    const share = byLine(column.values, values, mean) / total;
    return Number.isNaN(share) ? null : share;
  }
  const groups = new Map<string, { sum: number; count: number }>();
  for (const [at, category] of column.values.entries()) {
    if (category === null) return null;
    const group = groups.get(category) ?? { sum: 0, count: 0 };
    groups.set(category, { sum: group.sum + values[at]!, count: group.count + 1 });
  }
  if (groups.size < 2 || 2 * groups.size > count) return null;
  let between = 0;
  for (const group of groups.values()) between += group.count * (group.sum / group.count - mean) ** 2;
  return between / total;
}

function byLine(numbers: readonly (number | null)[], values: readonly number[], mean: number): number {
  const centre = numbers.reduce<number>((sum, number) => sum + (number ?? NaN), 0) / numbers.length;
  let [products, squares] = [0, 0];
  numbers.forEach((number, at) => {
    products += (number! - centre) * (values[at]! - mean);
    squares += (number! - centre) ** 2;
  });
  return squares > 0 ? products ** 2 / squares : NaN;
}
