import {
  type ListedPoints,
  type NearestCells,
  nearestCells,
  nearestInLists,
  type PlacedPoints,
} from '@cellfolio/kernels';

interface PlaceRange {
  readonly k: number;
  readonly from: number;
  readonly to: number;
}

/** Searches all places, those of other cells, or the lists that contain this many cells. */
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
