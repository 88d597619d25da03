import type { DatasetAnalysis } from '@cellfolio/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { renderFigure, useObjectUrl } from '@/features/images/index.ts';
import { useServices } from '@/lib/services.ts';

/** The default figure of an upload, which has no public address. Nothing is drawn without `analysis`. */
export function useCustomFigure(analysis: DatasetAnalysis | undefined): {
  /** `null` where there is none: not asked for, or not drawable. */
  url: string | null;
  isPending: boolean;
} {
  const { api } = useServices();
  const filename = analysis?.dataset_filename ?? '';
  const version = analysis?.version ?? '';
  const figure = useQuery({
    queryKey: ['default-figure', filename, version],
    queryFn: ({ signal }) =>
      renderFigure(
        api,
        { dataset_filename: filename, version, content: { kind: 'category-umap' } },
        'png',
        signal,
      ),
    enabled: analysis !== undefined,
    staleTime: Infinity,
    // A dataset that was built anew while it is open takes nothing off the page.
    placeholderData: keepPreviousData,
  });
  const url = useObjectUrl(figure.data ?? null);
  const [shown, setShown] = useState<string | null>(null);
  if (url !== null && url !== shown) setShown(url);
  // The address comes one render after the file. Until then the one of the file before is good.
  const waiting = figure.isPending || (figure.isSuccess && url === null);
  return {
    url: url ?? (waiting ? shown : null),
    isPending: analysis !== undefined && waiting && shown === null,
  };
}
