import type {
  FigureSource,
  PlotCellStateRequest,
  PlotIsolatedCellTypesAnswer,
  PlotIsolatedCellTypesRequest,
  PlotSignatureRequest,
  PlotUmapWithGenesRequest,
} from '@cellfolio/contract';
import {
  plotCellStateAnswer,
  plotIsolatedCellTypesAnswer,
  plotSignatureAnswer,
  plotUmapWithGenesAnswer,
} from '@cellfolio/contract';
import { drawFigure } from '@/features/images/index.ts';
import type { ApiClient } from '@/lib/api-client.ts';
import { ApiRefusal, CallFailed } from '@/lib/api-errors.ts';
import { withFailureText } from '@/lib/call-failure.ts';
import { useServices } from '@/lib/services.ts';
import type { CallHandle } from '@/lib/use-cancellable-call.ts';
import { useCancellableCall } from '@/lib/use-cancellable-call.ts';

/** A figure with its image as a data URL. */
export interface DrawnContent {
  source: FigureSource;
  imageUrl: string;
}

export interface DrawnContents {
  request: { sources: readonly FigureSource[] };
  answer: readonly DrawnContent[];
}

/** Up to this number of genes, figures arrive before progress could be shown. */
const unwatchedGenes = 4;

/**
 * The calls of the panels on the active cells; their state is also shown over the figures. `prepareMaps` loads the data
 * that gene maps are drawn from.
 */
export function usePlotCalls(prepareMaps: (genes: readonly string[]) => Promise<void>) {
  const { api } = useServices();
  return {
    gene: useCancellableCall((body: PlotUmapWithGenesRequest, { signal, onProgress }) =>
      withFailureText('Failed to generate gene UMAP plots', signal, async () => {
        const maps = prepareMaps(body.genes);
        const answer = await api({
          path: '/api/plot-umap-with-genes',
          body,
          answer: plotUmapWithGenesAnswer,
          signal,
          onProgress: body.genes.length > unwatchedGenes ? onProgress : undefined,
        });
        // A card that stands before its map would be drawn twice.
        await maps;
        return answer;
      }),
    ),
    signature: useCancellableCall((body: PlotSignatureRequest, handle) =>
      withFailureText('Failed to score signature', handle.signal, () =>
        api({ path: '/api/plot-signature-enrichment', body, answer: plotSignatureAnswer, ...handle }),
      ),
    ),
    cellState: useCancellableCall((body: PlotCellStateRequest, handle) =>
      withFailureText('Failed to visualize cell state', handle.signal, () =>
        api({ path: '/api/plot-umap-with-cell-state', body, answer: plotCellStateAnswer, ...handle }),
      ),
    ),
    contents: useCancellableCall(({ sources }: DrawnContents['request'], { signal, onProgress }) =>
      withFailureText('Failed to draw the figure', signal, async () => {
        const figures: DrawnContent[] = [];
        for (const source of sources) {
          // One after the other, so that the first is there early and others have their turn in between.
          // oxlint-disable-next-line no-await-in-loop
          const imageUrl = await drawFigure(api, source, signal);
          figures.push({ source, imageUrl });
          onProgress({ stage: 'Drawing figures', done: figures.length, total: sources.length });
        }
        return figures;
      }),
    ),
    cellType: useCancellableCall((body: PlotIsolatedCellTypesRequest, handle) =>
      withFailureText('Failed to filter cell types', handle.signal, () => plotCellTypes(api, body, handle)),
    ),
  };
}

async function plotCellTypes(
  api: ApiClient,
  body: PlotIsolatedCellTypesRequest,
  handle: CallHandle,
): Promise<PlotIsolatedCellTypesAnswer> {
  try {
    const answer = plotIsolatedCellTypesAnswer;
    return await api({ path: '/api/plot-isolated-cell-types', body, answer, ...handle });
  } catch (cause) {
    // The cell types or clusters that this page shows are not those of the dataset on the server.
    if (cause instanceof ApiRefusal && (cause.code === 'no_such_column' || cause.code === 'unknown_value')) {
      throw new CallFailed('Error retrieving cell types from dataset. Please refresh the page.', cause);
    }
    throw cause;
  }
}
