import {
  type ListedPoints,
  type NearestCells,
  nearestCells,
  nearestInLists,
  type PlacedPoints,
} from '@cellfolio/kernels';

interface PlaceRange {
  k: number;
  from: number;
  to: number;
}

/** Searches all places, those of other cells, or the lists that contain this many cells. */
export type SearchJob = PlaceRange &
  ({ placed: PlacedPoints; among?: PlacedPoints | undefined } | { listed: ListedPoints; wanted: number });

export function searchRange(job: SearchJob): NearestCells {
  return 'placed' in job
    ? nearestCells(job.placed, job.k, job, job.among)
    : nearestInLists(job.listed, job.k, job);
}
