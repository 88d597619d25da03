import type { CategoricalColumn } from '@cellfolio/model';
import { categoryColours, type CategoryPalette } from './colour/category-colours.ts';
import type { CategoryGroup, RestOfGroups } from './figure.ts';
import { largestOf } from './chosen-groups.ts';
import { restGrey } from './scene/style.ts';
import { categoryLabel, columnLabels } from './text/fit-text.ts';

/** Maximum groups named in a legend: as many as the import detects automatically. Beyond it, colours repeat. */
const maxNamed = 200;

/**
 * Groups of a legend with their colours, which are those of the whole column: all chosen ones, or the largest 200 in
 * code order and the rest, which is drawn in one grey.
 */
export function legendGroups(
  column: Pick<CategoricalColumn, 'categories' | 'colours' | 'labels'>,
  { chosen, perCategory }: { chosen: readonly number[]; perCategory: Uint32Array },
  palette: CategoryPalette | undefined,
): { groups: readonly CategoryGroup[]; rest?: RestOfGroups } {
  const colours = categoryColours(column, palette);
  const named =
    chosen.length <= maxNamed ? chosen : largestOf(chosen, (code) => perCategory[code]!, maxNamed);
  const labels = columnLabels(column, named);
  const groups = named.map((code, place) => ({
    label: labels[place]!,
    colour: colours[code]!,
    cells: perCategory[code]!,
    code,
    ...(isRenamed(column, code) && { name: categoryLabel(column.categories[code]!) }),
  }));
  if (named.length === chosen.length) return { groups };
  const isNamed = new Set(named);
  const left = chosen.filter((code) => !isNamed.has(code));
  const filled = left.filter((code) => perCategory[code]! > 0).length;
  if (filled === 0) return { groups };
  const cells = left.reduce((sum, code) => sum + perCategory[code]!, 0);
  return { groups, rest: { groups: filled, cells, colour: restGrey, codes: left } };
}

function isRenamed({ categories, labels }: Pick<CategoricalColumn, 'categories' | 'labels'>, code: number) {
  return labels !== undefined && labels[code] !== categories[code];
}

export function restText(rest: object | undefined, named: number): string[] {
  return rest === undefined ? [] : [`the ${named} largest of them named`];
}
