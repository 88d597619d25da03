import { type Bins, defaultParts, type Grouping } from '@cellfolio/analysis/parameters';

export { type Bins, type Grouping, grouping } from '@cellfolio/analysis/parameters';

/** The column of a grouping; without one the cell types, else the clusters, else all cells. */
export function groupingInput(by: Grouping | undefined) {
  return by === undefined
    ? ({ from: 'column', of: 'groups' } as const)
    : ({ from: 'obs', column: by.column } as const);
}

/** How a column of numbers is cut unless something else is asked for. */
export const quartiles = { by: 'quantiles', parts: defaultParts } as const;

/** What the parts of a column of numbers are called. */
export function binsWords(bins: Bins = quartiles): string {
  if (bins.by === 'edges') return 'ranges';
  return bins.parts === defaultParts ? 'quartiles' : `${bins.parts} quantiles`;
}
