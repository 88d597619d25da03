import { categoryColours } from './category-colours.ts';

/** A colour for each module, the same for its number in every figure. */
export function moduleColours(count: number): readonly string[] {
  return categoryColours({ categories: Array.from({ length: count }, (_, at) => String(at)) });
}
