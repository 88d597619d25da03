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

/** In all places, or those of other cells, or in the lists that have so many cells. */
export type SearchJob = PlaceRange &
  (
    | { readonly placed: PlacedPoints; readonly among?: PlacedPoints | undefined }
    | { readonly listed: ListedPoints; readonly wanted: number }
  );

export function searchRange(job: SearchJob): NearestCells {
  return 'placed' in job
    ? nearestCells(job.placed, job.k, job, job.among)
    : nearestInLists(job.listed, job.k, job);
}
