import type { FilterRequest } from '@cellfolio/contract';
import { filterPreview } from '@cellfolio/contract';
import { useState } from 'react';
import { toast } from '@/components/ui/toast.ts';
import type { GeneratedImage } from '@/features/images/index.ts';
import { drawFigure } from '@/features/images/index.ts';
import type { SavedSubset } from '@/features/subsets/index.ts';
import type { ApiClient } from '@/lib/api-client.ts';
import { callFailure, failureNotice } from '@/lib/call-failure.ts';
import { useServices } from '@/lib/services.ts';
import type { CallHandle } from '@/lib/use-cancellable-call.ts';
import { isCancelled, useCancellableCall } from '@/lib/use-cancellable-call.ts';
import type { ImageScope, PlotKind } from './explorer-images.ts';
import { drawnImage, geneContent, identityOf } from './explorer-images.ts';
import type { GeneratedCount } from './panels/run-outcome.tsx';
import { generatedText } from './panels/run-outcome.tsx';

/** Maximum images per run: the library keeps thirty. */
const maxImages = 12;

const failed = 'Failed to generate gene UMAP plots. Please try again.';

export interface SubsetPlots {
  subsets: readonly SavedSubset[];
  genes: readonly string[];
  kinds: readonly PlotKind[];
}

export interface SubsetPlotsOptions {
  whole: ImageScope;
  saved: readonly SavedSubset[];
  take: (images: readonly GeneratedImage[]) => GeneratedCount;
}

export function useSubsetPlots({ whole, saved, take }: SubsetPlotsOptions) {
  const { api } = useServices();
  const [ids, setIds] = useState<readonly string[]>([]);
  const chosen = saved.filter(({ id }) => ids.includes(id));
  const call = useCancellableCall((plots: SubsetPlots, handle) => drawInEach(api, whole, plots, handle));
  return {
    subsets: saved,
    chosen: chosen.map(({ id }) => id),
    onChange: setIds,
    call,
    maxImages,
    draw: (genes: readonly string[], kinds: readonly PlotKind[]) =>
      call.mutate(
        { subsets: chosen, genes, kinds },
        {
          onSuccess: (images) => {
            toast.dismiss(failed);
            const count = take(images);
            if (count.added === 0) return;
            toast.success('Gene UMAP Generated', { description: generatedText(count, genes) });
          },
          onError: (error) => {
            if (isCancelled(error)) return;
            toast.error('Error', { id: failed, description: failureNotice(error, failed) });
          },
        },
      ),
  };
}

async function drawInEach(
  api: ApiClient,
  whole: ImageScope,
  { subsets, genes, kinds }: SubsetPlots,
  { signal }: CallHandle,
): Promise<GeneratedImage[]> {
  const contents = genes.flatMap((gene) => kinds.map((kind) => geneContent(gene, kind)));
  const images: GeneratedImage[] = [];
  for (const { name, filter } of subsets) {
    try {
      const cellCount = await countCells(api, filter, signal);
      const cells: ImageScope = { ...whole, subsetGroupName: name, filter, cellCount };
      const drawings = contents.map(async (content) => {
        const { source } = identityOf(cells, content);
        if (!source) return [];
        return [drawnImage(cells, source, await drawFigure(api, source, signal))];
      });
      images.push(...(await Promise.all(drawings)).flat());
    } catch (cause) {
      if (signal.aborted) throw cause;
      throw callFailure(`Failed to draw in ${name}`, cause);
    }
  }
  return images;
}

/** Counts the cells that pass a filter. @throws what the API client throws. */
export async function countCells(
  api: ApiClient,
  filter: FilterRequest,
  signal: AbortSignal,
): Promise<number> {
  const answer = await api({ path: '/api/preview-filter', body: filter, answer: filterPreview, signal });
  return answer.cell_count;
}
