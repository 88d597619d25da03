import { z } from 'zod';
import type { FigureFormat, FigureSource, FigureView, RenderFigureRequest } from '@cellfolio/contract';
import { readFigureSource } from '@cellfolio/contract';
import type { ApiClient } from '@/lib/api-client.ts';
import { anyFile } from '@/lib/api-client.ts';
import { dataUrl } from '@/lib/files.ts';

export interface FigureSetting {
  view?: FigureView | undefined;
  /** Range of the colour bar or value axis, instead of the default. */
  range?: FigureRange | undefined;
  /** Group labels in drawing order, instead of the default order. */
  order?: readonly string[] | undefined;
  shown?: RenderFigureRequest['shown'];
  /** Title block and width of a file, instead of the figure's own. */
  file?: FigureFile | undefined;
}

export type FigureFile = NonNullable<RenderFigureRequest['file']>;

export type FigureRange = readonly [number, number];

/** Drops fields that do not belong to the kind of the source: it may have been made from a source of another kind. */
export function sentSource(source: FigureSource): FigureSource {
  return readFigureSource(source) ?? source;
}

export function renderFigure(
  api: ApiClient,
  source: FigureSource,
  format: FigureFormat,
  signal?: AbortSignal,
  { view, range, order, shown, file }: FigureSetting = {},
): Promise<Blob> {
  return api({
    path: '/api/render-figure',
    body: {
      source: sentSource(source),
      format,
      ...(view && { view }),
      ...(file && { file }),
      ...(range && { range }),
      ...(order && { order: [...order] }),
      ...(shown && { shown }),
    },
    answer: anyFile,
    expects: 'file',
    signal,
  });
}

/** Sizes of a figure's files if drawn now; those of an SVG are in CSS pixels, of a PDF in millimetres. */
export function figureFileSizes(
  api: ApiClient,
  source: FigureSource,
  { range, order, shown, file }: FigureSetting,
  signal: AbortSignal,
): Promise<FileSizes> {
  return api({
    path: '/api/render-figure',
    body: {
      source: sentSource(source),
      format: 'json',
      ...(file && { file }),
      ...(range && { range }),
      ...(order && { order: [...order] }),
      ...(shown && { shown }),
    },
    answer: { parse: (spec) => sizesOfSpec.parse(spec).files },
    signal,
  });
}

export type FileSizes = z.infer<typeof sizesOfSpec>['files'];

const pixels = z.object({ width: z.number(), height: z.number() });
/** Spec of a figure, as far as the sizes of its files. */
export const sizesOfSpec = z.object({
  files: z.object({ png: pixels, 'png-300dpi': pixels, svg: pixels, pdf: pixels }),
});

export async function drawFigure(
  api: ApiClient,
  source: FigureSource,
  signal?: AbortSignal,
): Promise<string> {
  return dataUrl(await renderFigure(api, source, 'png', signal));
}

export interface ShownRange {
  range: FigureRange;
  unit: string;
}

export function figureRange(api: ApiClient, source: FigureSource, signal: AbortSignal): Promise<ShownRange> {
  return api({
    path: '/api/render-figure',
    body: { source: sentSource(source), format: 'json' },
    answer: { parse: rangeOfSpec },
    signal,
  });
}

/**
 * UMAP specs name the ends of their colour bar, violin specs list those of their axis; genes by groups have those of
 * their means, or of the single cells they draw.
 */
function rangeOfSpec(spec: unknown): ShownRange {
  const fields = spec as { domain?: unknown; unit?: unknown; violins?: object; meanDomain?: unknown };
  const { domain, unit } = { domain: fields.meanDomain, ...fields, ...fields.violins } as typeof fields;
  const { low, high } = (domain ?? {}) as { low?: unknown; high?: unknown };
  const ends: unknown[] = Array.isArray(domain) ? domain : [low, high];
  const [from, to] = ends;
  if (typeof from !== 'number' || typeof to !== 'number' || typeof unit !== 'string') {
    throw new TypeError('A figure with a range was expected.');
  }
  return { range: [from, to], unit };
}
