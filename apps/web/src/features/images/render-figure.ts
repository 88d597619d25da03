import { z } from 'zod';
import type { FigureFormat, FigureSource, FigureView, RenderFigureRequest } from '@cellfolio/contract';
import { readFigureSource } from '@cellfolio/contract';
import type { ApiClient } from '@/lib/api-client.ts';
import { anyFile } from '@/lib/api-client.ts';
import { dataUrl } from '@/lib/files.ts';
import type { ImagePixels } from './image-data.ts';

/** How a figure is drawn beyond its format. */
export interface FigureSetting {
  /** Lays a PNG or SVG out for its place in the page. */
  view?: FigureView | undefined;
  /** Of its colour bar or axis of values, instead of its own. */
  range?: FigureRange | undefined;
  /** Labels of its groups in the order that they are drawn in, instead of its own. */
  order?: readonly string[] | undefined;
  /** What of a map is drawn, instead of all of it. */
  shown?: RenderFigureRequest['shown'];
}

export type FigureRange = readonly [number, number];

/** A source without what is no field of its kind: one of another kind may have become it. */
export function sentSource(source: FigureSource): FigureSource {
  return readFigureSource(source) ?? source;
}

/** Draws a figure again as a file. @throws what the API client throws. */
export function renderFigure(
  api: ApiClient,
  source: FigureSource,
  format: FigureFormat,
  signal?: AbortSignal,
  { view, range, order, shown }: FigureSetting = {},
): Promise<Blob> {
  return api({
    path: '/api/render-figure',
    body: {
      source: sentSource(source),
      format,
      ...(view && { view }),
      ...(range && { range }),
      ...(order && { order: [...order] }),
      ...(shown && { shown }),
    },
    answer: anyFile,
    expects: 'file',
    signal,
  });
}

/** How large the files of a figure are that would be drawn now; pixels, of an SVG in CSS pixels. @throws what the API client throws. */
export function figureFileSizes(
  api: ApiClient,
  source: FigureSource,
  { range, order, shown }: FigureSetting,
  signal: AbortSignal,
): Promise<Record<FigureFormat, ImagePixels>> {
  return api({
    path: '/api/render-figure',
    body: {
      source: sentSource(source),
      format: 'json',
      ...(range && { range }),
      ...(order && { order: [...order] }),
      ...(shown && { shown }),
    },
    answer: { parse: (spec) => sizesOfSpec.parse(spec).files },
    signal,
  });
}

const pixels = z.object({ width: z.number(), height: z.number() });
const sizesOfSpec = z.object({ files: z.object({ png: pixels, 'png-300dpi': pixels, svg: pixels }) });

/** Draws a figure again as a PNG in a data URL. @throws what the API client throws. */
export async function drawFigure(
  api: ApiClient,
  source: FigureSource,
  signal?: AbortSignal,
): Promise<string> {
  return dataUrl(await renderFigure(api, source, 'png', signal));
}

/** The range that a figure shows by itself. */
export interface ShownRange {
  range: FigureRange;
  /** Such as 'log-normalised expression'. */
  unit: string;
}

/** The range of a figure by its spec. @throws what the API client throws. */
export function figureRange(api: ApiClient, source: FigureSource, signal: AbortSignal): Promise<ShownRange> {
  return api({
    path: '/api/render-figure',
    body: { source: sentSource(source), format: 'json' },
    answer: { parse: rangeOfSpec },
    signal,
  });
}

/**
 * UMAPs have the ends of their colour bar by name, violins those of their axis as a list; genes by groups those of their
 * means, or of what they draw of single cells.
 */
function rangeOfSpec(spec: unknown): ShownRange {
  const given = spec as { domain?: unknown; unit?: unknown; violins?: object; meanDomain?: unknown };
  const { domain, unit } = { domain: given.meanDomain, ...given, ...given.violins } as typeof given;
  const { low, high } = (domain ?? {}) as { low?: unknown; high?: unknown };
  const ends: unknown[] = Array.isArray(domain) ? domain : [low, high];
  const [from, to] = ends;
  if (typeof from !== 'number' || typeof to !== 'number' || typeof unit !== 'string') {
    throw new TypeError('A figure with a range was expected.');
  }
  return { range: [from, to], unit };
}
