import type { FigureFormat, FigureSource } from '@cellfolio/contract';
import type { ApiClient } from '@/lib/api-client.ts';
import { anyFile } from '@/lib/api-client.ts';

/** Draws a figure again as a file. @throws what the API client throws. */
export function renderFigure(
  api: ApiClient,
  source: FigureSource,
  format: FigureFormat,
  signal?: AbortSignal,
): Promise<Blob> {
  return api({
    path: '/api/render-figure',
    body: { source, format },
    answer: anyFile,
    expects: 'file',
    signal,
  });
}
