import { figureContent, keptContent, measureOf } from '@cellfolio/plots/content';
import { datasetId } from '@cellfolio/model/names';
import { z } from 'zod';
import { filterRequest } from './filter-active-dataset.ts';

/** Names one figure: keep it beside the image and `POST /api/render-figure` draws it again in any format. */
export const figureSource = z
  .object({
    dataset_filename: datasetId,
    version: z
      .string()
      .max(100)
      .optional()
      .describe('Version of the dataset that the figure was drawn from.'),
    subset: filterRequest.optional().describe('The active subset; absent for all cells.'),
    content: figureContent,
  })
  .meta({ id: 'FigureSource' });
export type FigureSource = z.infer<typeof figureSource>;

/** A source as it was kept, perhaps since kinds of figures had other names, in the names of today. */
export function renamedSource(kept: unknown): unknown {
  if (typeof kept !== 'object' || kept === null || !('content' in kept)) return kept;
  return { ...kept, content: keptContent(kept.content) };
}

/** Reads a source that was kept; undefined for anything else. */
export function readFigureSource(kept: unknown): FigureSource | undefined {
  return figureSource.safeParse(renamedSource(kept)).data;
}

export const figureFormats = ['png', 'png-300dpi', 'svg'] as const;

/** Device pixels of a view: more would cost a hundred megabytes on their way. */
export const mostViewPixels = 8_000_000;

const viewSide = z
  .number()
  .int()
  .min(120, 'A view has at least 120 CSS pixels a side.')
  .max(4096, 'A view has at most 4096 CSS pixels a side.');

/** A figure as a part of a page that names it: laid out for its place, without title and dataset. */
export const figureView = z
  .object({
    width: viewSide.describe('CSS pixels.'),
    height: viewSide.describe('CSS pixels.'),
    ratio: z
      .number()
      .min(1, 'A view has 1 to 4 device pixels a CSS pixel.')
      .max(4, 'A view has 1 to 4 device pixels a CSS pixel.')
      .default(1)
      .describe('Device pixels a CSS pixel.'),
    theme: z.enum(['light', 'dark']).default('light').describe('What the page around it is in.'),
    whole: z
      .boolean()
      .default(false)
      .describe('Makes the type smaller than 11 CSS pixels rather than leave groups, genes or terms out.'),
  })
  .refine(
    ({ width, height, ratio }) => width * height * ratio * ratio <= mostViewPixels,
    'A view has at most 8 million device pixels: width × height × ratio × ratio.',
  )
  .meta({ id: 'FigureView' });
export type FigureView = z.infer<typeof figureView>;

const figureRange = z
  .tuple([z.number(), z.number()])
  .refine(
    ([low, high]) => low < high && Number.isFinite(high - low),
    'A range rises from its first number to its second.',
  )
  .describe(
    'Ends of the colour bar, or of the axis of values, instead of the figure’s own. Values beyond take the last colour, or are not drawn; the figure says so.',
  );

/**
 * `POST /api/render-figure`: a figure as a file, for slides (`png`), print (`png-300dpi`) and editing (`svg`), or all that
 * was decided about it (`json`).
 */
export const renderFigureRequest = z
  .object({
    source: figureSource,
    format: z.enum([...figureFormats, 'json']).default('png'),
    view: figureView.optional().describe('Lays a PNG out for its place in a page; absent for a file.'),
    range: figureRange.optional(),
  })
  .refine(({ format, view }) => view === undefined || format === 'png', {
    path: ['view'],
    message: 'Only a figure of the format "png" has a view.',
  })
  .refine(({ source, range }) => range === undefined || measureOf(source.content) !== undefined, {
    path: ['range'],
    message: 'This kind of figure has no range of values.',
  })
  .meta({ id: 'RenderFigureRequest' });
export type RenderFigureRequest = z.input<typeof renderFigureRequest>;
export type FigureFormat = (typeof figureFormats)[number];
