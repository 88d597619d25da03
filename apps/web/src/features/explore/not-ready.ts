import type { DatasetNotReady } from '@cellfolio/contract';
import { datasetNotReady } from '@cellfolio/contract';
import { ApiRefusal, CallFailed } from '@/lib/api-errors.ts';

/** How far the dataset of an upload is, where that is why it could not be opened. */
export function notReadyOf(error: unknown): DatasetNotReady | undefined {
  const cause = error instanceof CallFailed ? error.cause : error;
  return cause instanceof ApiRefusal && cause.code === 'dataset_not_ready'
    ? datasetNotReady.safeParse(cause.details).data
    : undefined;
}
