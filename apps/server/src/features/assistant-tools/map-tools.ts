import {
  type ChosenCells,
  mapColor,
  type MapColor,
  type MapColumnList,
  type MapFigure,
  mapFigure,
  mapPointLimits,
  mapPoints,
  type MapPoints,
  mapPointsEvery,
} from '@cellfolio/contract';
import { z } from 'zod';
import { cells, dataset, json, tool, type ToolCall } from './tools.ts';

/** The page that draws the map in a chat. */
export const mapPage = 'ui://cellfolio/map.html';

/** Themes of the hosts of apps. */
const themes = ['light', 'dark'] as const;

const maps = {
  scope: 'analyse',
  visitors: 'demo',
  reads: z.object({
    dataset,
    color: mapColor
      .optional()
      .describe(
        'A gene, or a column of the cells as `describe_dataset` spells it; absent for cell types, else clusters.',
      ),
  }),
} as const;

interface MapArguments {
  readonly dataset: z.output<typeof dataset>;
  readonly color?: MapColor | undefined;
  readonly cells?: ChosenCells | undefined;
}

/** The figure of a map as its numbers, in the colors of a theme. */
async function figureOf(
  { dataset: { filename, version }, color, cells: chosen }: MapArguments,
  theme: (typeof themes)[number],
  { ask, requestId }: ToolCall,
): Promise<MapFigure> {
  const content =
    color === undefined
      ? { kind: 'category-umap' }
      : 'gene' in color
        ? { kind: 'gene-umap', gene: color.gene }
        : { kind: 'obs-umap', column: color.column };
  const source = { dataset_filename: filename, version, subset: chosen?.subset, content };
  const body = { source, format: 'json', theme };
  const path = '/api/render-figure';
  return mapFigure.parse(await json(ask({ method: 'POST', path, body, dataset: filename, requestId })));
}

async function columnsOf({ dataset: { filename, version } }: MapArguments, { ask }: ToolCall) {
  const query = version === undefined ? '' : `?version=${encodeURIComponent(version)}`;
  const path = `/api/datasets/${encodeURIComponent(filename)}/columns${query}`;
  return json<MapColumnList>(ask({ method: 'GET', path, dataset: filename }));
}

const group = z.object({ name: z.string(), color: z.string(), cells: z.number().int() });

export const showMap = tool({
  ...maps,
  name: 'show_map',
  title: 'Show a map of the cells',
  description:
    'Shows the person a live map of the cells (UMAP or another embedding) in the chat, to move, zoom and encircle cells in, and returns what it shows in words. A client that shows no apps has the words alone: `draw_figure` draws a picture.',
  meta: { ui: { resourceUri: mapPage } },
  passes: { cells: cells.optional() },
  output: z.object({
    dataset: z.object({ filename: z.string(), version: z.string() }),
    title: z.string(),
    reading: z.string().describe('What the map shows, in two sentences.'),
    cautions: z.array(z.string()),
    embedding: z.string(),
    cells: z.object({
      shown: z.number().int(),
      in_dataset: z.number().int(),
      without_position: z.number().int(),
    }),
    points: z.object({
      count: z.number().int(),
      every: z.number().int().describe('Each how many cells are a point of the map: 1 for all.'),
    }),
    groups: z.array(group).optional().describe('Groups with their colors, and their cells that are shown.'),
    other_groups: z
      .object({ groups: z.number().int(), cells: z.number().int() })
      .optional()
      .describe('Further groups, which share a color.'),
    range: z
      .object({ low: z.number(), high: z.number(), unit: z.string() })
      .optional()
      .describe('Of the colors of numbers, such as the expression of a gene.'),
  }),
  async run({ dataset: named, color }, call, others) {
    const args = { ...(others as Pick<MapArguments, 'cells'>), dataset: named, color };
    const [figure, { version, default_embedding: embedding = '' }] = await Promise.all([
      figureOf(args, 'light', call),
      columnsOf(args, call),
    ]);
    const { title, words, counts } = figure;
    const placed = counts.cells - counts.withoutPosition;
    const every = mapPointsEvery(placed);
    const sampled = `The map draws one in ${every} cells, at most ${mapPointLimits.points.toLocaleString('en')} points; counts are those of all cells.`;
    return {
      data: {
        dataset: { filename: named.filename, version },
        title: words?.title ?? title,
        reading: words?.reading ?? figure.summary,
        cautions: [...(words?.cautions ?? []), ...(every > 1 ? [sampled] : [])],
        embedding,
        cells: {
          shown: counts.cells,
          in_dataset: counts.datasetCells,
          without_position: counts.withoutPosition,
        },
        points: { count: Math.ceil(placed / every), every },
        ...('groups' in figure && {
          groups: figure.groups.map((one) => ({ name: one.label, color: one.colour, cells: one.cells })),
        }),
        ...('groups' in figure &&
          figure.rest && { other_groups: { groups: figure.rest.groups, cells: figure.rest.cells } }),
        ...('domain' in figure && { range: { ...figure.domain, unit: figure.unit } }),
      },
    };
  },
});

export const mapPointsTool = tool({
  ...maps,
  name: 'map_points',
  title: 'Get the points of a map',
  description:
    'Points of a map for the page that `show_map` opens: positions and values as bytes in base64. It tells a model nothing: call `show_map`.',
  meta: { ui: { resourceUri: mapPage, visibility: ['app'] } },
  passes: { cells: z.looseObject({}).optional().describe('As those of `show_map`.') },
  reads: maps.reads.extend({
    from: z.number().int().min(0).default(0).describe('Number of the first point.'),
  }),
  output: mapPoints.extend({
    figures: z
      .object({ light: z.looseObject({}), dark: z.looseObject({}) })
      .optional()
      .describe('Colors and counts in both themes, with the first points.'),
  }),
  async run({ dataset: named, color, from }, call, others) {
    const args = { ...(others as Pick<MapArguments, 'cells'>), dataset: named, color };
    const { filename, version } = named;
    const { obs } = await columnsOf(args, call);
    const groups = obs.find(({ role }) => role === 'cellType') ?? obs.find(({ role }) => role === 'cluster');
    const body = {
      color: color ?? (groups && { column: groups.name }),
      subset: args.cells?.subset,
      version,
      from,
    };
    const path = `/api/datasets/${encodeURIComponent(filename)}/columns/points`;
    const points = await json<MapPoints>(
      call.ask({ method: 'POST', path, body, dataset: filename, requestId: call.requestId }),
    );
    if (from > 0) return { data: points };
    const [light, dark] = await Promise.all(themes.map((theme) => figureOf(args, theme, call)));
    return { data: { ...points, figures: { light, dark } } };
  },
});
