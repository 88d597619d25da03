import { z } from 'zod';
import { dataName, datasetId, geneName } from './data-names.ts';
import { filterRequest } from './filter-active-dataset.ts';
import { minimumGenes } from './minimum-genes.ts';

const geneList = z.array(geneName).min(1).max(20_000);

/** Parameters of a marker analysis. */
export const markerParameters = z
  .object({
    groupby: z
      .string('Name the column to group the cells by.')
      .max(500)
      .refine((name) => name.trim() !== '', 'Name the column to group the cells by.')
      .describe(
        'A categorical column of obs, by its name or the name it is shown under; outer blanks may belong to it.',
      ),
    n_genes: z
      .number()
      .int()
      .min(1, 'Ask for at least one gene for each group.')
      .max(1000)
      .default(10)
      .describe('Most genes reported for each group.'),
    pvals_adj: z.number().min(0).max(1).default(0.05).describe('Only genes whose adjusted p-value is below.'),
    logfoldchanges: z
      .number()
      .min(-100)
      .max(100)
      .default(0.25)
      .describe('Only genes whose log2 fold change is above.'),
    method: z.enum(['wilcoxon', 't-test']).default('wilcoxon'),
    tie_correct: z
      .boolean()
      .default(false)
      .describe('Corrects the Wilcoxon scores for ties, as scanpy does with `tie_correct=True`.'),
    min_cells: z
      .number()
      .int()
      .min(2, 'A group of one cell cannot be compared.')
      .max(10_000)
      .default(3)
      .describe('Groups of fewer cells are not compared, nor those that leave fewer to compare with.'),
    unlabelled: z
      .enum(['reference', 'left-out'])
      .default('reference')
      .describe(
        'Cells without a value in the column: part of the reference of every group, as in scanpy, or left out.',
      ),
  })
  .meta({ id: 'MarkerParameters' });
export type MarkerParameters = z.infer<typeof markerParameters>;

/** Names that a dataset's species is given by, where it is given. */
export const speciesName = z.enum([
  'human',
  'mouse',
  'rat',
  'zebrafish',
  'macaque',
  'pig',
  'cow',
  'dog',
  'chicken',
  'fruit fly',
  'worm',
]);

/**
 * A gene counts as expressed from one percent of the cells (min.pct of Seurat 5's FindMarkers) and three cells
 * (min.cells of Seurat, min_cells of scanpy's tutorials) on.
 */
export const expressedDefaults = { kind: 'expressed', minimum_share: 0.01, minimum_cells: 3 } as const;

/** The genes that the list could have been drawn from. */
export const enrichmentBackground = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('expressed'),
      minimum_share: z
        .number()
        .min(0, 'A share is from 0 to 1.')
        .max(1, 'A share is from 0 to 1.')
        .default(expressedDefaults.minimum_share)
        .describe('Least share of the active cells with a value above 0, from 0 to 1.'),
      minimum_cells: z
        .number()
        .int()
        .min(1, 'At least one cell has to express a gene.')
        .max(1_000_000_000)
        .default(expressedDefaults.minimum_cells)
        .describe('Least number of active cells with a value above 0, whatever share they are.'),
    }),
    z.object({ kind: z.literal('library') }),
    z.object({ kind: z.literal('dataset') }),
    z.object({
      kind: z.literal('own'),
      genes: z
        .array(geneName)
        .min(1, 'Name at least one gene of the background.')
        .max(60_000, 'A background of your own has at most 60,000 genes.'),
    }),
  ])
  .describe(
    'The genes that the list could have been drawn from: those expressed in the active cells (default), all genes of the library, all genes of the dataset, or a list of your own.',
  )
  .meta({ id: 'EnrichmentBackground' });
export type EnrichmentBackground = z.infer<typeof enrichmentBackground>;

/** Parameters of a gene set enrichment analysis. */
export const pathwayParameters = z
  .object({
    pathway_genes: z
      .array(geneName)
      .min(1, 'Name at least one gene.')
      .max(20_000, 'At most 20,000 genes can be tested at once.'),
    library_name: z.string().trim().min(1).max(80).default('KEGG_2021_Human'),
    background: enrichmentBackground.default(expressedDefaults),
    minimum_overlap: z
      .number()
      .int()
      .min(1, 'A set is reported from one gene on.')
      .max(1000)
      .default(2)
      .describe(
        'Sets that share fewer genes with the list are tested and count in the adjustment, but are not reported.',
      ),
    species: speciesName
      .optional()
      .describe(
        'Species of the dataset; only needed where it is detected wrongly from the names of the genes.',
      ),
  })
  .meta({ id: 'PathwayParameters' });
export type PathwayParameters = z.infer<typeof pathwayParameters>;

/*
 * What a figure was drawn with before it could be chosen: a source that lacks it is from then, and is drawn again as it
 * was drawn. New sources say it, so that no default of the calls speaks for them.
 */
const beforeMinimumCells = 2;
const beforeMinimumOverlap = 1;
const beforeMinimumGenes = 1;

const cellState = {
  cell_state: z.string().max(100),
  minimum_genes: minimumGenes
    .default(beforeMinimumGenes)
    .describe(
      `Fewest genes to score; ${beforeMinimumGenes} where it is absent, as older figures were drawn.`,
    ),
};
const drawnMarkers = {
  ...markerParameters.shape,
  min_cells: markerParameters.shape.min_cells
    .unwrap()
    .default(beforeMinimumCells)
    .describe(
      `Groups of fewer cells are not compared; ${beforeMinimumCells} where it is absent, as older figures were drawn.`,
    ),
  markers: z
    .array(z.object({ group: dataName, genes: z.array(dataName).min(1).max(1000) }))
    .min(1)
    .max(5000)
    .optional()
    .describe(
      'Of the markers that are found, those to draw, the genes of each group in this order; absent for all.',
    ),
};
const drawnEnrichment = {
  ...pathwayParameters.shape,
  background: enrichmentBackground
    .default({ kind: 'dataset' })
    .describe('All genes of the dataset where it is absent, as older figures were drawn.'),
  minimum_overlap: pathwayParameters.shape.minimum_overlap
    .unwrap()
    .default(beforeMinimumOverlap)
    .describe(
      `Sets that share fewer genes are not shown; ${beforeMinimumOverlap} where it is absent, as older figures were drawn.`,
    ),
};

/** What a figure shows, by names: the same words draw the same figure again. */
export const figureContent = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('default-umap') }),
    z.object({ kind: z.literal('gene-umap'), gene: geneName }),
    z.object({ kind: z.literal('gene-violin'), gene: geneName }),
    z.object({ kind: z.literal('signature-umap'), score_name: z.string().max(200), genes: geneList }),
    z.object({ kind: z.literal('signature-violin'), score_name: z.string().max(200), genes: geneList }),
    z.object({ kind: z.literal('cell-state-umap'), ...cellState }),
    z.object({ kind: z.literal('cell-state-violin'), ...cellState }),
    z.object({ kind: z.literal('cell-type-umap'), cell_type: dataName }),
    z.object({
      kind: z.literal('cluster-umap'),
      leiden_clusters: z.array(dataName).min(1).max(5000),
    }),
    z.object({ kind: z.literal('marker-dot-plot'), ...drawnMarkers }),
    z.object({
      kind: z.literal('enrichment-bar-plot'),
      ...drawnEnrichment,
      library_version: z
        .string()
        .max(100)
        .optional()
        .describe('Version of the library that was tested: with another one the figure would be another.'),
    }),
  ])
  .meta({ id: 'FigureContent' });
export type FigureContent = z.infer<typeof figureContent>;

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

/** Kinds of figures whose colours or axis show a range of values. */
const rangedKinds: ReadonlySet<FigureContent['kind']> = new Set([
  'gene-umap',
  'gene-violin',
  'signature-umap',
  'signature-violin',
  'cell-state-umap',
  'cell-state-violin',
]);

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
  .refine(({ source, range }) => range === undefined || rangedKinds.has(source.content.kind), {
    path: ['range'],
    message: 'This kind of figure has no range of values.',
  })
  .meta({ id: 'RenderFigureRequest' });
export type RenderFigureRequest = z.input<typeof renderFigureRequest>;
export type FigureFormat = (typeof figureFormats)[number];
