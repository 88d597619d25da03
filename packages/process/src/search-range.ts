import {
  type ListedPoints,
  type NearestCells,
  nearestCells,
  nearestInLists,
  type PlacedPoints,
} from '@cellfolio/kernels';

/** The places of the cells that a thread searches for. */
interface PlaceRange {
  readonly k: number;
  readonly from: number;
  readonly to: number;
}

/** In all places, or in the lists that have so many cells. */
export type SearchJob = PlaceRange &
  ({ readonly placed: PlacedPoints } | { readonly listed: ListedPoints; readonly wanted: number });

export function searchRange(job: SearchJob): NearestCells {
  return 'placed' in job ? nearestCells(job.placed, job.k, job) : nearestInLists(job.listed, job.k, job);
}
