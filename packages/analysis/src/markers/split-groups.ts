import type { CategoricalColumn, CellMask } from '@cellfolio/model';
import { type CellGroups, cellGroups, groupLimit, TooManyGroups } from './cell-groups.ts';

/** Maximum number of parts; each takes two bytes per cell of the dataset. */
const maxParts = 60;

interface SplitPart {
  name: string;
  groups: CellGroups;
}

/**
 * Groups of a column within each category of another, without empty parts. A counted cell is in the groups of one part
 * and outside all others; without a category to split by it is in none. Throws TooManyGroups, and RangeError for a mask
 * or a column of other cells. `geneCount` as for `cellGroups`, of all parts together.
 */
export function splitGroups(
  column: CategoricalColumn,
  { codes, categories }: Pick<CategoricalColumn, 'codes' | 'categories'>,
  mask?: CellMask,
  geneCount?: number,
): SplitPart[] {
  if (codes.length !== column.codes.length) {
    throw new RangeError(`a column of ${codes.length} cells does not split one of ${column.codes.length}`);
  }
  const counts = new Float64Array(categories.length);
  for (let cell = 0; cell < codes.length; cell++) {
    const part = codes[cell]!;
    if (part >= 0 && (!mask || mask.bits[cell] === 1)) counts[part]!++;
  }
  const filled = [...counts.keys()].filter((part) => counts[part]! > 0);
  if (filled.length > maxParts)
    throw new TooManyGroups(filled.length, 'the column to split by has', maxParts);
  const parts = filled.map((part) => {
    const bits = Uint8Array.from(codes, (code, cell) =>
      code === part && (!mask || mask.bits[cell] === 1) ? 1 : 0,
    );
    return { name: categories[part]!, groups: cellGroups(column, { bits, count: counts[part]! }, geneCount) };
  });
  const groupCount = parts.reduce((sum, { groups }) => sum + groups.names.length, 0);
  const limit = groupLimit(geneCount);
  if (groupCount > limit)
    throw new TooManyGroups(groupCount, 'the two columns together form', limit, geneCount);
  return parts;
}
