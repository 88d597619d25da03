import type { FigureFormat, FigureSource } from '@cellfolio/contract';
import type { ApiClient } from '@/lib/api-client.ts';

const file = {
  parse(value: unknown): Blob {
    if (!(value instanceof Blob) || value.size === 0) throw new TypeError('A file was expected.');
    return value;
  },
};

/** Draws a figure again as a file. @throws what the API client throws. */
export function renderFigure(
  api: ApiClient,
  source: FigureSource,
  format: FigureFormat,
  signal?: AbortSignal,
): Promise<Blob> {
  return api({ path: '/api/render-figure', body: { source, format }, answer: file, expects: 'file', signal });
}
