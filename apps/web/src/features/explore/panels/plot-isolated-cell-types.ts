import type { PlotIsolatedCellTypesAnswer, PlotIsolatedCellTypesRequest } from '@cellfolio/contract';
import { plotIsolatedCellTypesAnswer } from '@cellfolio/contract';
import type { ApiClient } from '@/lib/api-client.ts';
import { ApiRefusal, CallFailed } from '@/lib/api-errors.ts';
import { plotFailure } from '@/lib/call-failure.ts';
import type { CallHandle } from '@/lib/use-cancellable-call.ts';

const cellTypesUnknown = 'Error retrieving cell types from dataset. Please refresh the page.';

/** One figure per cell type, and one of all the clusters where some are given. @throws {CallFailed} */
export async function plotIsolatedCellTypes(
  api: ApiClient,
  request: PlotIsolatedCellTypesRequest,
  { signal, onProgress }: CallHandle,
): Promise<PlotIsolatedCellTypesAnswer> {
  try {
    return await api({
      path: '/api/plot-isolated-cell-types',
      body: request,
      answer: plotIsolatedCellTypesAnswer,
      signal,
      onProgress,
    });
  } catch (cause) {
    if (signal.aborted) throw cause;
    // The cell types or clusters that this page shows are not those of the dataset on the server.
    if (cause instanceof ApiRefusal && (cause.code === 'no_such_column' || cause.code === 'unknown_value')) {
      throw new CallFailed(cellTypesUnknown, cause);
    }
    throw plotFailure('Failed to filter cell types', cause);
  }
}
