import type { PlotUmapWithGenesAnswer, PlotUmapWithGenesRequest } from '@cellfolio/contract';
import { plotUmapWithGenesAnswer } from '@cellfolio/contract';
import type { ApiClient } from '@/lib/api-client.ts';
import { plotFailure } from '@/lib/call-failure.ts';
import type { CallHandle } from '@/lib/use-cancellable-call.ts';

/** So few figures come before their progress could be told. */
const unwatchedGenes = 4;

/** One UMAP and, when asked, one violin plot per gene of the active cells. @throws {CallFailed} */
export async function plotUmapWithGenes(
  api: ApiClient,
  request: PlotUmapWithGenesRequest,
  { signal, onProgress }: CallHandle,
): Promise<PlotUmapWithGenesAnswer> {
  try {
    return await api({
      path: '/api/plot-umap-with-genes',
      body: request,
      answer: plotUmapWithGenesAnswer,
      signal,
      onProgress: request.genes.length > unwatchedGenes ? onProgress : undefined,
    });
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw plotFailure('Failed to generate gene UMAP plots', cause);
  }
}
