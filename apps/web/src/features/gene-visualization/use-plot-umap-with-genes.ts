import type { PlotUmapWithGenesRequest } from '@cellfolio/contract';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useServices } from '@/lib/services.ts';
import { plotUmapWithGenes } from './plot-umap-with-genes.ts';

/** The call as a mutation that can be cancelled, and that is when its page is left. */
export function usePlotUmapWithGenes() {
  const { api } = useServices();
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const mutation = useMutation({
    mutationFn: (request: PlotUmapWithGenesRequest) => {
      running.current?.abort();
      running.current = new AbortController();
      return plotUmapWithGenes(api, request, running.current.signal);
    },
  });
  return {
    ...mutation,
    cancel: () => {
      running.current?.abort();
      mutation.reset();
    },
  };
}
