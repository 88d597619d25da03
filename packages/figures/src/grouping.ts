import { defaultParts, type Grouping } from '@cellfolio/analysis/parameters';

export { type Bins, type Grouping, grouping } from '@cellfolio/analysis/parameters';

/** Column of a grouping; by default the cell types, else the clusters, else all cells. */
export function groupingInput(by: Grouping | undefined) {
  return by === undefined
    ? ({ from: 'column', of: 'groups' } as const)
    : ({ from: 'obs', column: by.column } as const);
}

export const quartiles = { by: 'quantiles', parts: defaultParts } as const;
