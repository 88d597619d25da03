import type { CellGroups } from '@cellfolio/analysis';
import type { MarkerParameters } from '@cellfolio/contract';
import type { MarkerChecks } from './check-markers.ts';
import type { Markers } from './rank-markers.ts';
import type { Selection } from '../selection/index.ts';

/** What is compared, everything looked up. */
export interface MarkerQuestion {
  readonly selection: Selection;
  readonly column: string;
  readonly parameters: MarkerParameters;
}

/** All that cautions are written from. */
export interface KnownOfMarkers extends MarkerQuestion {
  readonly groups: CellGroups;
  readonly markers: Markers;
  readonly checks: MarkerChecks;
  /** Active cells without a value in the column. */
  readonly unlabelledCells: number;
}

/** Names in a caution before it says how many more there are. */
export const namesShown = 5;
/** Groups whose figures go with a caution. */
export const groupsTold = 60;
