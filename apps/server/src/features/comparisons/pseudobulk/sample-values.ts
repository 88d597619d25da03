import type { PseudobulkSamples, SampleColumn } from '@cellfolio/analysis';
import type { Column } from '@cellfolio/model';
import { categoriesOf } from '../../../runtime/compute/open-datasets.ts';

/**
 * The value of a column shared by all cells of a sum, or the first sum whose cells differ; a missing value counts as a
 * value. Throws RangeError for free text and for integers of more than 53 bits.
 */
export function sampleValues(
  name: string,
  column: Column,
  { sums, codes: sumOf }: PseudobulkSamples,
): SampleColumn | { readonly varying: string; readonly sum: number } {
  const labels = categoriesOf(column);
  if (!labels && column.kind !== 'numeric') throw new RangeError(`the column ${name} is ${column.kind}`);
  const missing = column.kind === 'numeric' ? column.missing : undefined;
  const source = labels ? labels.codes : (column as Extract<Column, { kind: 'numeric' }>).values;
  const values = new Float64Array(sums.length);
  const isSeen = new Uint8Array(sums.length);
  for (let cell = 0; cell < sumOf.length; cell++) {
    const sum = sumOf[cell]!;
    if (sum < 0) continue;
    const value = missing?.[cell] ? NaN : source[cell]! + 0;
    if (isSeen[sum] === 0) {
      isSeen[sum] = 1;
      values[sum] = value;
    } else if (!Object.is(values[sum], value)) return { varying: name, sum };
  }
  return labels
    ? { kind: 'categorical', name, categories: labels.categories, codes: Int32Array.from(values) }
    : { kind: 'numeric', name, values };
}
