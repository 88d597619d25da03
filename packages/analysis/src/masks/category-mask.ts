import type { CategoricalColumn, CellMask } from '@cellfolio/model';

/**
 * The cells whose category is one of `categories`. A cell without a category is never kept; a name that the column
 * does not have keeps nothing.
 */
export function categoryMask(column: CategoricalColumn, categories: readonly string[]): CellMask {
  const names = new Set(categories);
  const wanted = Uint8Array.from(column.categories, (category) => (names.has(category) ? 1 : 0));
  const { codes } = column;
  const bits = new Uint8Array(codes.length);
  let count = 0;
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]!;
    if (code >= 0 && wanted[code] === 1) {
      bits[i] = 1;
      count++;
    }
  }
  return { bits, count };
}
