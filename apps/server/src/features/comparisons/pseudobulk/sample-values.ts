import type { PseudobulkSamples, SampleColumn } from '@cellfolio/analysis';
import type { Column } from '@cellfolio/model';
import { categoriesOf } from '../../../runtime/compute/open-datasets.ts';
import type { Dataset } from '@cellfolio/store';
import { ApiFailure } from '../../../runtime/api-failure.ts';
import { namedColumn } from '../../../runtime/group-column.ts';
import { quotedColumn } from '../../../runtime/quoted-column.ts';

/**
 * The value of a column that all cells of a sum share, or the first sum whose cells differ; a missing value is one, too.
 * Throws RangeError for free text and for integers of more than 53 bits.
 */
export function sampleValues(
  name: string,
  column: Column,
  { sums, codes: sumOf }: PseudobulkSamples,
): SampleColumn | { readonly varying: string; readonly sum: number } {
  const labels = categoriesOf(column);
  if (!labels && column.kind !== 'numeric') throw new RangeError(`the column ${name} is ${column.kind}`);
  const missing = column.kind === 'numeric' ? column.missing : undefined;
  const given = labels ? labels.codes : (column as Extract<Column, { kind: 'numeric' }>).values;
  const values = new Float64Array(sums.length);
  const isSeen = new Uint8Array(sums.length);
  for (let cell = 0; cell < sumOf.length; cell++) {
    const sum = sumOf[cell]!;
    if (sum < 0) continue;
    const value = missing?.[cell] ? NaN : given[cell]! + 0;
    if (isSeen[sum] === 0) {
      isSeen[sum] = 1;
      values[sum] = value;
    } else if (!Object.is(values[sum], value)) return { varying: name, sum };
  }
  return labels
    ? { kind: 'categorical', name, categories: labels.categories, codes: Int32Array.from(values) }
    : { kind: 'numeric', name, values };
}

/** The column of obs that a user means, of labels or numbers. Throws ApiFailure 400. */
export async function designColumn(
  dataset: Dataset,
  asked: string,
  field: 'covariates' | 'interaction',
): Promise<string> {
  const column = await namedColumn(dataset, asked, field);
  const { kind } = await dataset.obs(column);
  if (kind !== 'string' && kind !== 'wide-integer') return column;
  const what = kind === 'string' ? 'free text' : 'integers too long for numbers';
  throw new ApiFailure(
    400,
    'unusable_column',
    `The column ${quotedColumn(column)} holds ${what}: a design takes labels or numbers.`,
    { details: [{ field, problem: `holds ${what}` }] },
  );
}
