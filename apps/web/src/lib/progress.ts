import type { ProgressEvent } from '@cellfolio/contract';

/** Whole percent from 0 to 100; `null` if unknown. */
export function percentOf(progress: ProgressEvent | null): number | null {
  if (progress === null || progress.total <= 0) return null;
  return Math.round(100 * Math.min(Math.max(progress.done / progress.total, 0), 1));
}
