import type { PlotCellStateAnswer, PlotCellStateRequest } from '@cellfolio/contract';
import { plotCellStateAnswer } from '@cellfolio/contract';
import type { ApiClient } from '@/lib/api-client.ts';
import { plotFailure } from '@/lib/call-failure.ts';
import type { CallHandle } from '@/lib/use-cancellable-call.ts';

/** Scores a hallmark state on the active cells; the answer carries its name. @throws {CallFailed} */
export async function plotUmapWithCellState(
  api: ApiClient,
  request: PlotCellStateRequest,
  { signal, onProgress }: CallHandle,
): Promise<PlotCellStateAnswer> {
  try {
    return await api({
      path: '/api/plot-umap-with-cell-state',
      body: request,
      answer: plotCellStateAnswer,
      signal,
      onProgress,
    });
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw plotFailure('Failed to visualize cell state', cause);
  }
}
