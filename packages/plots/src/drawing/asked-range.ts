import { FigureInputError } from './figure-error.ts';
import { valueText } from './text/number-text.ts';

/** Throws FigureInputError for a range that no colour bar and no axis can have. */
export function checkRange([low, high]: readonly [number, number]): void {
  // The width of a range of the largest numbers is infinite.
  if (!(low < high) || !Number.isFinite(high - low)) {
    throw new FigureInputError('range', `a range from ${low} to ${high} has no width that can be drawn`);
  }
}

/** What the line of counts says of a range that is not the figure's own; nothing where it is. */
export function rangeText(range: readonly [number, number] | undefined): string[] {
  return range === undefined ? [] : [`scale set to ${valueText(range[0])} to ${valueText(range[1])}`];
}
