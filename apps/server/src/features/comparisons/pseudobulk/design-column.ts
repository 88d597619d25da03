import type { Dataset } from '@cellfolio/store';
import { ApiFailure } from '../../../runtime/api-failure.ts';
import { namedColumn } from '../../../runtime/group-column.ts';
import { quotedColumn } from '../../../runtime/quoted-column.ts';

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
