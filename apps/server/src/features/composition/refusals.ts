import { minTypes } from '@cellfolio/analysis';
import { countText } from '@cellfolio/model';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { TestedComposition } from './tasks.ts';
import { quotedColumn } from '../../runtime/quoted-column.ts';

/** Why the categories of a column cannot be compared. */
export function categoriesRefused(
  by: string,
  { refusal, categories }: Extract<TestedComposition, { refusal: unknown }>,
): ApiFailure {
  const column = quotedColumn(by);
  const message =
    refusal === 'too_few_categories'
      ? `These samples have cells of ${countText(categories)} ${categories === 1 ? 'category' : 'categories'} of ${column}: the test learns from at least ${minTypes} how much shares vary. Choose another column, or larger sets of cells.`
      : `${column} has ${countText(categories)} categories: so many name cells or clones, not groups of cells. Choose another column.`;
  return new ApiFailure(422, refusal, message, {
    details: [{ field: 'by', problem: `has ${categories} categories` }],
  });
}
