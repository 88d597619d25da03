import type { PlotUmapWithGenesRequest } from '@cellfolio/contract';
import { useServices } from '@/lib/services.ts';
import { useCancellableCall } from '@/lib/use-cancellable-call.ts';
import { plotUmapWithGenes } from './plot-umap-with-genes.ts';

export function usePlotUmapWithGenes() {
  const { api } = useServices();
  return useCancellableCall((request: PlotUmapWithGenesRequest, handle) =>
    plotUmapWithGenes(api, request, handle),
  );
}
