import type { PlotUmapWithGenesAnswer, PlotUmapWithGenesRequest } from '@cellfolio/contract';
import { plotUmapWithGenesAnswer } from '@cellfolio/contract';
import type { ApiClient } from '@/lib/api-client.ts';
import { ApiRefusal, CallFailed } from '@/lib/api-errors.ts';

export const noDatasetLoaded =
  'No dataset loaded on the server. Please refresh the page to reload your selected dataset and try again.';

/** One UMAP and, when asked, one violin plot per gene of the active dataset. @throws {CallFailed} */
export async function plotUmapWithGenes(
  api: ApiClient,
  request: PlotUmapWithGenesRequest,
  signal: AbortSignal,
): Promise<PlotUmapWithGenesAnswer> {
  try {
    return await api({
      path: '/api/plot-umap-with-genes',
      body: request,
      answer: plotUmapWithGenesAnswer,
      signal,
    });
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw new CallFailed(messageOf(cause), cause);
  }
}

function messageOf(cause: unknown): string {
  if (cause instanceof ApiRefusal && cause.status === 400 && cause.body.includes('No dataset loaded')) {
    return noDatasetLoaded;
  }
  return `Failed to generate gene UMAP plots: ${cause instanceof Error ? cause.message : String(cause)}`;
}
