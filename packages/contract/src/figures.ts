import {
  figureContent,
  hasGroupOrder,
  keptContent,
  unknownFields,
  unknownIn,
  mapShown,
  mayHaveRange,
  notShown,
  defaultMinimumGenes,
  minimumGenes,
} from '@cellfolio/figures/content';
import { datasetId, geneName, dataName } from '@cellfolio/model/names';
import { caution } from '@cellfolio/model/caution';
import { z } from 'zod';
import { annotationRevision, maxAnnotations } from './annotations.ts';
import { displayRevision, maxCategoryDisplays } from './category-displays.ts';
import { chosenCells, filterRequest, namedDataset } from './subsets.ts';
import { geneSetOrigin } from '@cellfolio/analyses';

const sourceSchema = z
  .object({
    dataset_filename: datasetId,
    version: z
      .string()
      .max(100)
      .optional()
      .describe('Version of the dataset that the figure was drawn from.'),
    subset: filterRequest.optional().describe('The active subset; absent for all cells.'),
    annotations: z
      .array(annotationRevision)
      .max(maxAnnotations)
      .optional()
      .describe('The user’s annotations that the content or the subset names, as they were.'),
    displays: z
      .array(displayRevision)
      .max(maxCategoryDisplays)
      .optional()
      .describe(
        'The user’s orders, colors and names of its categories, as they were; absent for those of the dataset.',
      ),
    content: figureContent,
  })
  .meta({ id: 'FigureSource' });

// By their names, so that types made of them stay short: written out, they are the content of every kind of figure.
export interface FigureSource extends z.output<typeof sourceSchema> {}
export interface FigureSourceInput extends z.input<typeof sourceSchema> {}

/** Identifies a figure: store it beside the image, and `POST /api/render-figure` draws it again in any format. */
export const figureSource: z.ZodType<FigureSource, FigureSourceInput> = sourceSchema;

/** Updates a stored source to the current names of figure kinds. */
export function renamedSource(stored: unknown): unknown {
  if (typeof stored !== 'object' || stored === null || !('content' in stored)) return stored;
  return { ...stored, content: keptContent(stored.content) };
}

export function readFigureSource(stored: unknown): FigureSource | undefined {
  return figureSource.safeParse(renamedSource(stored)).data;
}

/** Fields that a request for a figure, its source or its kind of figure does not have, each with the problem. */
export function unknownFieldsOf({ source, ...others }: { readonly source: unknown }): UnknownField[] {
  const request: UnknownField[] = Object.entries(others).flatMap(([field, value]) => {
    const { shape } = renderFigureRequest;
    const unknown = Object.hasOwn(shape, field)
      ? unknownIn(shape[field as keyof typeof shape], value, field)
      : [field];
    return unknown.map((one) => ({ field: one, problem: 'is no field of the request' }));
  });
  return [...request, ...unknownInSource(source)];
}

interface UnknownField {
  readonly field: string;
  readonly problem: string;
}

function unknownInSource(source: unknown): UnknownField[] {
  if (typeof source !== 'object' || source === null) return [];
  const unknown = Object.keys(source)
    .filter((field) => !Object.hasOwn(sourceSchema.shape, field))
    .map((field) => ({ field: `source.${field}`, problem: 'is no field of a source' }));
  const { content } = source as { readonly content?: unknown };
  if (typeof content !== 'object' || content === null) return unknown;
  const { kind } = content as { readonly kind?: unknown };
  const problem = `is not a field of figures of the kind ${String(kind)}`;
  return [
    ...unknown,
    ...unknownFields(content).map((field) => ({ field: `source.content.${field}`, problem })),
  ];
}

export const figureFormats = ['png', 'png-300dpi', 'svg', 'pdf'] as const;

/** Maximum device pixels of a view: more would need a hundred megabytes during processing. */
export const maxViewPixels = 8_000_000;

const viewSide = z
  .number()
  .int()
  .min(120, 'A view has at least 120 CSS pixels a side.')
  .max(4096, 'A view has at most 4096 CSS pixels a side.');

const figureTheme = z.enum(['light', 'dark']);

/** Widths that a file may have on paper, in millimetres. */
export const minFileMm = 30;
export const maxFileMm = 420;

/** A figure embedded in a page that has its title and dataset: laid out for its place, without these. */
const figureView = z
  .object({
    width: viewSide.describe('CSS pixels.'),
    height: viewSide.describe('CSS pixels.'),
    ratio: z
      .number()
      .min(1, 'A view has 1 to 4 device pixels a CSS pixel.')
      .max(4, 'A view has 1 to 4 device pixels a CSS pixel.')
      .default(1)
      .describe('Device pixels a CSS pixel.'),
    theme: figureTheme.default('light').describe('What the page around it is in.'),
    whole: z
      .boolean()
      .default(false)
      .describe('Makes the type smaller than 11 CSS pixels rather than leave groups, genes or terms out.'),
    as_file: z
      .boolean()
      .optional()
      .describe('Draws the file, with its title and layout, as large as it fits in the place.'),
  })
  .refine(
    ({ width, height, ratio }) => width * height * ratio * ratio <= maxViewPixels,
    'A view has at most 8 million device pixels: width × height × ratio × ratio.',
  )
  .meta({ id: 'FigureView' });
export type FigureView = z.infer<typeof figureView>;

/** How a figure is laid out as a file, in place of its own title block and width. */
const figureFile = z
  .object({
    title_block: z
      .boolean()
      .default(true)
      .describe('`false` leaves title, dataset and counts out; simulated data still says that it is.'),
    title: z.string().trim().min(1).max(300).optional().describe('Title instead of the figure’s own.'),
    width_mm: z
      .number()
      .min(minFileMm, `A file is ${minFileMm} to ${maxFileMm} mm wide.`)
      .max(maxFileMm, `A file is ${minFileMm} to ${maxFileMm} mm wide.`)
      .optional()
      .describe('Width on paper in millimeters, which the type is scaled with.'),
  })
  .meta({ id: 'FigureFile' });

/** The same in the query of an address. */
export const figureFileQuery = figureFile.extend({
  title_block: z.enum(['true', 'false']).default('true').describe(figureFile.shape.title_block.description!),
  width_mm: z.coerce
    .number()
    .pipe(figureFile.shape.width_mm.unwrap())
    .optional()
    .describe(figureFile.shape.width_mm.description!),
});

const figureRange = z
  .tuple([z.number(), z.number()])
  .refine(
    ([low, high]) => low < high && Number.isFinite(high - low),
    'A range rises from its first number to its second.',
  )
  .describe(
    'Ends of the color bar, or of the axis of values, instead of the figure’s own. Values beyond take the last color, or are not drawn; the figure says so.',
  );

/**
 * `POST /api/render-figure`: a figure as a file, for slides (`png`), print (`png-300dpi`, `pdf`) and editing (`svg`), or as
 * its full specification (`json`).
 */
export const renderFigureRequest = z
  .object({
    source: figureSource,
    format: z.enum([...figureFormats, 'json']).default('png'),
    view: figureView.optional().describe('Lays a PNG or SVG out for its place in a page; absent for a file.'),
    file: figureFile.optional().describe('Title block and width of a file; defaults to those of the figure.'),
    range: figureRange.optional(),
    order: z
      .array(z.string().max(500))
      .min(1)
      .max(500)
      .optional()
      .describe(
        'Labels of groups, as the figure has them: these come first, in this order, the others after them. For figures by group.',
      ),
    shown: mapShown.optional().describe('What of a UMAP is drawn, and how; absent for all of it.'),
    theme: figureTheme.optional().describe('Of the colors in "json"; default `light`. A view has its own.'),
  })
  .refine(({ format, theme }) => theme === undefined || format === 'json', {
    path: ['theme'],
    message: 'Only a figure of the format "json" has a theme; a PNG has that of its view.',
  })
  .refine(({ format, view }) => view === undefined || format === 'png' || format === 'svg', {
    path: ['view'],
    message: 'Only a figure of the format "png" or "svg" has a view.',
  })
  .refine(({ file, view }) => file === undefined || view === undefined, {
    path: ['file'],
    message: 'A figure for the page is not a file: give either "view" or "file".',
  })
  .refine(({ source, range }) => range === undefined || mayHaveRange(source.content), {
    path: ['range'],
    message: 'This kind of figure has no range of values.',
  })
  .refine(({ source, order }) => order === undefined || hasGroupOrder(source.content), {
    path: ['order'],
    message: 'This kind of figure has no groups that could be put in an order.',
  })
  .superRefine(({ source, shown }, context) => {
    const refused = shown && notShown(source.content, shown);
    if (refused === undefined) return;
    const { field, message } = refused;
    context.addIssue({ code: 'custom', path: ['shown', ...(field ? [field] : [])], message });
  })
  .meta({ id: 'RenderFigureRequest' });
export type RenderFigureRequest = z.input<typeof renderFigureRequest>;
export type FigureFormat = (typeof figureFormats)[number];

/** A PNG as a data URL, with its size so that the page can reserve the space. */
const figureImage = z
  .object({
    value: z.string().startsWith('data:image/png;base64,'),
    width: z.number().int(),
    height: z.number().int(),
  })
  .meta({ id: 'FigureImage' });
export type FigureImage = z.infer<typeof figureImage>;

/** Size of the file that `POST /api/render-figure` draws for print. */
export const filePixels = z
  .object({ width: z.number().int(), height: z.number().int() })
  .optional()
  .describe('Pixels of the figure as `png-300dpi`, never fewer than of the plain one.');

export const figureParts = {
  // name-dictionary: the keys are words of ours
  figure: z.record(z.string(), z.unknown()).meta({
    id: 'Figure',
    description:
      'Serializable spec: all that was decided about the figure, the numbers behind it, and its words: title, reading of two sentences and cautions.',
  }),
  source: figureSource.describe('What `POST /api/render-figure` needs to draw it again.'),
};

/** `POST /api/plot-umap-with-genes`: one UMAP per gene and, optionally, one violin plot per gene. */
export const plotUmapWithGenesRequest = z
  .object({
    genes: z
      .array(geneName)
      .min(1, 'Name at least one gene.')
      .describe('Symbols or ids, at most `limits.genesPerCall` of `/config.json`.'),
    violin_plot: z.boolean().default(false).describe('Also violins by cell type.'),
  })
  .meta({ id: 'PlotUmapWithGenesRequest' });
export type PlotUmapWithGenesRequest = z.input<typeof plotUmapWithGenesRequest>;

export const genePlot = z
  .object({
    gene: z
      .string()
      .describe('Symbol as the dataset spells it; the name of the score for a signature or cell state.'),
    plot_type: z.enum(['umap', 'violin']),
    image: figureImage,
    ...figureParts,
  })
  .meta({ id: 'GenePlot' });
export type GenePlot = z.infer<typeof genePlot>;

export const plotUmapWithGenesAnswer = z
  .object({
    plots: z.array(genePlot).describe('One for each figure, the genes in the order asked for.'),
    found_genes: z.array(z.string()).describe('Symbols found, in the order asked for.'),
    not_found_genes: z.array(z.string()).describe('Names as they were asked for.'),
    renamed_genes: z
      .array(z.object({ given: z.string(), gene: z.string() }))
      .default([])
      .describe('Genes found by another name: a former symbol or an alias, and the symbol of the dataset.'),
  })
  .meta({ id: 'PlotUmapWithGenesAnswer' });
export type PlotUmapWithGenesAnswer = z.infer<typeof plotUmapWithGenesAnswer>;

const names = z.array(dataName).max(5000);

/** `POST /api/plot-isolated-cell-types`: one figure per chosen type, one for all the chosen clusters. */
export const plotIsolatedCellTypesRequest = z
  .object({
    cell_types: names.describe('May be empty where clusters are named.'),
    leiden_clusters: names
      .default([])
      .describe('Clusters for the one cluster figure; none for no such figure.'),
  })
  .refine(({ cell_types, leiden_clusters }) => cell_types.length + leiden_clusters.length > 0, {
    message: 'Choose at least one cell type.',
    path: ['cell_types'],
  })
  .meta({ id: 'PlotIsolatedCellTypesRequest' });
export type PlotIsolatedCellTypesRequest = z.input<typeof plotIsolatedCellTypesRequest>;

export const plotIsolatedCellTypesAnswer = z
  .object({
    cell_types: z.array(z.string()).describe('The types that were drawn, each once.'),
    plots: z
      .array(
        z.object({
          cell_type: z.string(),
          image: figureImage,
          cell_count: z.number().int().describe('Cells of the type in the active subset.'),
          ...figureParts,
        }),
      )
      .describe('One for each type.'),
    leiden_cluster_image: figureImage.nullable().describe('The cluster figure, or null.'),
    leiden_cluster_figure: figureParts.figure.nullable(),
    leiden_cluster_source: figureParts.source.nullable(),
  })
  .meta({ id: 'PlotIsolatedCellTypesAnswer' });
export type PlotIsolatedCellTypesAnswer = z.infer<typeof plotIsolatedCellTypesAnswer>;

/** `POST /api/plot-signature-enrichment`: a signature scored as scanpy's `score_genes` does, on the UMAP. */
export const plotSignatureRequest = z
  .object({
    genes: z
      .array(geneName)
      .min(1, 'Name at least one gene.')
      .max(5000, 'A signature can have at most 5,000 genes.')
      .describe('Symbols or ids.'),
    score_name: z
      .string()
      .trim()
      .max(200)
      .default('')
      .describe('Title of the figures; `Unnamed Signature` where it is empty.'),
    violin_plot: z.boolean().default(false).describe('Also violins by cell type.'),
  })
  .meta({ id: 'PlotSignatureRequest' });
export type PlotSignatureRequest = z.input<typeof plotSignatureRequest>;

/** `POST /api/plot-umap-with-cell-state`: one of the fifty hallmark states, scored the same way. */
export const plotCellStateRequest = z
  .object({
    cell_state: z
      .string()
      .trim()
      .min(1, 'Choose a cell state.')
      .max(100)
      .describe('A name from `cell_states` of `/api/gene-set-libraries`, in any case.'),
    violin_plot: z.boolean().default(false).describe('Also violins by cell type.'),
    minimum_genes: minimumGenes.default(defaultMinimumGenes),
  })
  .meta({ id: 'PlotCellStateRequest' });
export type PlotCellStateRequest = z.input<typeof plotCellStateRequest>;

const plotScoresAnswer = z.object({
  plots: z.array(genePlot).describe('The UMAP, and the violins where they were asked for.'),
  found_genes: z.array(z.string()).describe('Symbols found.'),
  not_found_genes: z.array(z.string()).describe('Genes that the dataset does not have.'),
  control_gene_count: z
    .number()
    .int()
    .describe(
      'Genes that the score is compared with: chosen by a seed among genes of similar mean expression.',
    ),
  warnings: z.array(caution).describe('What to know of the score before it is interpreted.'),
});

export const plotSignatureAnswer = plotScoresAnswer
  .extend({ score_name: z.string().describe('As it was sent.') })
  .meta({ id: 'PlotSignatureAnswer' });
export type PlotSignatureAnswer = z.infer<typeof plotSignatureAnswer>;

export const plotCellStateAnswer = plotScoresAnswer
  .extend({
    cell_state: z.string().describe('Name of the state.'),
    minimum_genes: z.number().int().describe('As it was applied.'),
    library: geneSetOrigin,
  })
  .meta({ id: 'PlotCellStateAnswer' });
export type PlotCellStateAnswer = z.infer<typeof plotCellStateAnswer>;

/** Details of the refusal `too_few_genes`: genes of the cell state that the dataset has. */
export const fewGenes = z.object({
  found_genes: z.array(z.string()),
  set_genes: z.number().int(),
  minimum_genes: z.number().int(),
});

/** `POST /api/export-cells`: the active cells as a CSV file, one line per cell. */
export const exportCellsRequest = z
  .object({
    genes: z
      .array(geneName)
      .default([])
      .describe(
        'Symbols or ids, at most `limits.genesPerCall`: each a column of its expression, as it is stored.',
      ),
    metadata: z.boolean().default(true).describe('Every column of obs, and every annotation of the user.'),
    columns: z
      .array(dataName)
      .max(1000)
      .optional()
      .describe('Only these columns of obs and annotations, whatever `metadata` is.'),
    coordinates: z.boolean().default(true).describe('The embedding that figures are drawn on.'),
    signature: plotSignatureRequest
      .omit({ violin_plot: true })
      .optional()
      .describe('A signature: a column of its score.'),
    cell_state: plotCellStateRequest
      .omit({ violin_plot: true })
      .optional()
      .describe('A cell state: a column of its score.'),
    format: z
      .enum(['csv', 'parquet'])
      .default('csv')
      .describe('`parquet` is `application/vnd.apache.parquet`.'),
    dataset: namedDataset.optional(),
    cells: chosenCells.optional().describe('Other cells than the active ones; `{}` for all.'),
  })
  .meta({ id: 'ExportCellsRequest' });
export type ExportCellsRequest = z.input<typeof exportCellsRequest>;
