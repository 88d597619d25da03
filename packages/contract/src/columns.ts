import { cellNumbersName, kindsWithCellNumbers, pairLevels, scoreChoices } from '@cellfolio/figures/content';
import { dataName, selectedCells } from '@cellfolio/model/names';
import { z } from 'zod';
import { filterRequest } from './subsets.ts';
import { annotationName } from './annotations.ts';
import { figureSource } from './figures.ts';

const named = z.object({ name: z.string(), title: z.string().describe('As people read it.') });

/** `GET /api/datasets/{id}/columns`: columns by which a map of the cells can be drawn. */
export const mapColumnList = z
  .object({
    version: z.string().describe('Of the dataset; the order of the cells belongs to it.'),
    cell_count: z.number().int(),
    default_embedding: z.string().optional().describe('That of the figures; absent where there is none.'),
    sample_column: z
      .string()
      .optional()
      .describe('Column of obs whose categories are samples or patients; absent where none is known.'),
    embeddings: z.array(z.object({ name: z.string(), dimensions: z.number().int() })),
    obs: z
      .array(
        named.extend({
          kind: z
            .enum(['categories', 'levels', 'none'])
            .describe('`levels` are numbers; `none` has a text or an id for each cell and cannot be drawn.'),
          categories: z.number().int().optional().describe('How many categories there are.'),
          missing: z.number().int().optional().describe('Cells without a value.'),
          role: z.enum(['cellType', 'cluster', 'patient']).optional(),
          has_terms: z
            .literal(true)
            .optional()
            .describe('Its labels have ontology ids: `GET /api/datasets/{id}/terms`.'),
          own: z.literal(true).optional().describe('An annotation of one’s own.'),
          modality: z
            .literal('protein')
            .optional()
            .describe('A protein that was measured beside the genes: no column of obs, but named as one.'),
        }),
      )
      .describe('Columns of obs but those of ontology ids of a column of labels, then the proteins.'),
  })
  .meta({ id: 'MapColumnList' });
export type MapColumnList = z.infer<typeof mapColumnList>;

const version = z.string().max(128).optional().describe('Refuses another version of the dataset with 409.');

export const columnQuery = z.object({ version });

/** Two axes of an embedding, such as `axes=0,1`; of all cells, or exact positions within a square of their grid. */
export const embeddingQuery = columnQuery.extend({
  axes: z
    .string()
    .regex(/^\d{1,3},\d{1,3}$/, 'Give two numbers from 0 on, such as 0,1.')
    .transform((text) => text.split(',').map(Number) as [number, number])
    .default([0, 1]),
  square: z
    .string()
    .regex(/^\d{1,5},\d{1,5},\d{1,5}$/, 'Give left, bottom and side of a square, such as 4096,0,1024.')
    .transform((text) => text.split(',').map(Number) as [number, number, number])
    .refine(
      ([left, bottom, side]) =>
        side >= 64 &&
        Number.isInteger(Math.log2(side)) &&
        left % (side / 2) === 0 &&
        bottom % (side / 2) === 0,
      'The side is a power of two from 64 on; left and bottom are multiples of half of it.',
    )
    .optional()
    .describe('Only the cells in this square of the grid of positions, at their exact coordinates.'),
});

const names = z.preprocess(
  (value) => (typeof value === 'string' ? [value] : value),
  z.array(z.string().max(500)).max(20).default([]),
);

/** Exact values of one cell: `gene` and `obs` may be given several times. */
export const cellQuery = columnQuery.extend({ gene: names, obs: names });

export const mapCell = z
  .object({
    barcode: z.string(),
    obs: z.array(named.extend({ value: z.union([z.string(), z.number(), z.boolean(), z.null()]) })),
    genes: z.array(z.object({ name: z.string(), value: z.number() })),
  })
  .meta({ id: 'MapCell' });
export type MapCell = z.infer<typeof mapCell>;

const subset = filterRequest.optional().describe('Cells to work on; absent for all.');

/** `POST /api/datasets/{id}/columns/score`: a score of each cell of a subset. */
export const scoreColumnRequest = z
  .object({
    score: z.discriminatedUnion('of', [scoreChoices.signature, scoreChoices.cellState]),
    subset,
    version,
  })
  .meta({ id: 'ScoreColumnRequest' });

/** `POST /api/datasets/{id}/columns/mask`: which cells a filter keeps. */
export const maskColumnRequest = z
  .object({ subset: filterRequest, version })
  .meta({ id: 'MaskColumnRequest' });

/** Maximum number of points of a map of them, and of those of one call. */
export const mapPointLimits = { points: 200_000, call: 50_000 } as const;

/** Each how many cells are a point of a map of so many: 1 for all. */
export function mapPointsEvery(placedCells: number): number {
  return Math.max(1, Math.ceil(placedCells / mapPointLimits.points));
}

export const mapColor = z
  .union([z.strictObject({ gene: dataName }), z.strictObject({ column: dataName })])
  .meta({ id: 'MapColor' });
export type MapColor = z.infer<typeof mapColor>;

/** `POST /api/datasets/{id}/columns/points`: a map of at most 200,000 points, in pieces. */
export const mapPointsRequest = z
  .object({
    embedding: z.string().max(500).optional().describe('That of the figures, if absent.'),
    color: mapColor.optional().describe('A gene or a column of obs; without it the points have no values.'),
    subset,
    version,
    from: z.number().int().min(0).default(0).describe('Number of the first point.'),
  })
  .meta({ id: 'MapPointsRequest' });

const count = z.number().int();

export const mapPoints = z
  .object({
    version: z.string(),
    embedding: z.string(),
    cells: count.describe('Those of the filter, or all.'),
    placed: count.describe('Those of them that have a position.'),
    every: count.describe('Each how many of them in map order are a point: 1 for all.'),
    points: count.describe('Of the whole map.'),
    from: count,
    next_from: count.nullable().describe('Null at the end.'),
    positions: z
      .string()
      .describe('x and y of each point, 0 to 65,535 with y upwards: uint16, little endian, in base64.'),
    places: z.string().describe('Place of each point in map order: uint32, little endian, in base64.'),
    values: z
      .object({
        kind: z.enum(['categories', 'levels']),
        width: z.union([z.literal(1), z.literal(2)]).describe('Bytes of each value.'),
        bytes: z
          .string()
          .describe('Values as those of a column, little endian, in base64: codes of categories, or levels.'),
        level_values: z
          .array(z.number().nullable())
          .optional()
          .describe('What each level stands for; null for a missing value.'),
      })
      .optional(),
  })
  .meta({ id: 'MapPoints' });
export type MapPoints = z.infer<typeof mapPoints>;

const colour = z.string().regex(/^#[0-9a-f]{6}$/i);
const group = z.object({
  label: z.string(),
  colour,
  cells: z.number(),
  code: z.number().int(),
  name: z.string().optional(),
});
const ofCells = {
  title: z.string(),
  summary: z.string().describe('The line that counts the cells.'),
  counts: z.object({ cells: z.number(), datasetCells: z.number(), withoutPosition: z.number() }),
  words: z
    .object({ title: z.string(), reading: z.string(), cautions: z.array(z.string()) })
    .optional()
    .describe('What the figure shows, in two sentences, and what limits it.'),
};

const pairSide = z.object({
  label: z.string(),
  high: z.number().describe('Value of the last level.'),
  clipped: z.boolean(),
  expressing: z.number(),
});

/**
 * The part of a figure's spec (`POST /api/render-figure` as `json`) that a live map uses: groups with colours, a range,
 * or the colours of two genes.
 */
export const mapFigure = z.union([
  z.object({
    ...ofCells,
    groups: z.array(group),
    rest: z.object({ groups: z.number(), cells: z.number(), colour }).optional(),
    missing: z.number().default(0),
    others: z.number().default(0),
    colours: z.object({ outside: colour, missing: colour.optional(), others: colour.optional() }),
  }),
  z.object({
    ...ofCells,
    unit: z.string(),
    domain: z.object({ low: z.number(), high: z.number() }),
    order: z.enum(['expressing-on-top', 'shuffled']).optional(),
    colours: z.object({ outside: colour, ramp: z.array(colour).min(2), zero: colour.optional() }),
  }),
  z.object({
    ...ofCells,
    unit: z.string(),
    first: pairSide,
    second: pairSide,
    both: z.number(),
    neither: z.number(),
    colours: z.object({ outside: colour, shades: z.array(colour).length(pairLevels ** 2) }),
  }),
]);
export type MapFigure = z.infer<typeof mapFigure>;

/** Maximum number of images that the viewer shows beside each other. */
export const maxViewerImages = 12;

export const mapView = z.object({
  /** Centre in [0, 1]² of the map, and magnification. */
  camera: z
    .tuple([z.number().min(0).max(1), z.number().min(0).max(1), z.number().min(0.5).max(4000)])
    .optional(),
  density: z.boolean().optional(),
  embedding: z.object({ name: z.string(), axes: z.tuple([z.number().int(), z.number().int()]) }).optional(),
  cards: z
    .array(
      z.object({
        column: dataName.optional(),
        hidden: z.array(z.string()).max(5000).optional(),
        range: z.tuple([z.number(), z.number()]).optional(),
        log: z.boolean().optional(),
        split: dataName.optional(),
      }),
    )
    .max(maxViewerImages)
    .optional(),
  /** Whether maps show the active cells alone, in place of the cells of their figures. */
  kept: z.boolean().optional(),
  /** The selected cells, or the saved subset that equals them. */
  selection: z.union([selectedCells, z.object({ subset: z.string().max(100) })]).optional(),
});
export type MapViewState = z.infer<typeof mapView>;

/** `POST /api/datasets/{id}/number-columns`: saves the numbers of a result as a column of the user. */
export const newNumberColumn = z
  .object({
    name: annotationName,
    source: figureSource
      .refine(({ content }) => cellNumbersName(content) !== undefined, {
        path: ['content', 'kind'],
        message: `Only a figure of the kinds ${kindsWithCellNumbers.join(', ')} has a number for each cell.`,
      })
      .describe('Of the map of a result.'),
  })
  .meta({ id: 'NewNumberColumn' });
