import { columnTitle } from '@cellfolio/model/names';
import { z } from 'zod';
import { declarations as contents } from './all.ts';
import type { PlotInput, PlotInputs } from './plot.ts';
import type { GroupedBy, Measure, PlotContent, PlotTitles } from './plot-content.ts';
import type { ScoreChoice } from './scores.ts';
import { hidesSome, type MapShown } from './shown.ts';

export { lookAlike, type Sight, surelyDistinct } from './drawing/colour/colour-vision.ts';
export {
  darkMeanRamp,
  dotArea,
  dotMaxOf,
  legendFractions,
  meanColour,
  meanRamp,
} from './drawing/gene-matrix/scales.ts';
export { sideName } from './pair-umap/content.ts';
export { pairGroups, pairLevel, pairLevels, pairShade } from './pair-umap/groups.ts';
export { geneClip, scoreClip } from './drawing/expression-domain.ts';
export { maxListedGenes } from './gene-matrix/content.ts';
export { maxHeatmapGenes } from './heatmap/content.ts';
export { clustersTitle } from './umap/content.ts';
export type { GroupedBy } from './plot-content.ts';
export { type Correlations, correlationsOf } from '@cellfolio/analysis/correlations';
export { maxQualityColumns } from './quality/content.ts';
export { qualityColumns, qualityMeasure } from './quality/measures.ts';
export { defaultMinimumGenes, minimumGenes, scoreChoices } from './scores.ts';
export { maxNamedInteractions } from './ligand-receptor/content.ts';
export { type MapShown, mapShown } from './shown.ts';
export { foldChangeAxis, meanAxis, statisticAxis, surenessAxis } from './gene-points/axes.ts';
export { scoreScale, type ScoreScale } from './gene-points/score-scale.ts';
export { maxNamedGenes } from './gene-points/content.ts';

type Schemas<List extends readonly PlotContent[]> = {
  -readonly [Place in keyof List]: List[Place]['schema'];
};

/** Content of a figure, by names: the same content redraws the same figure. */
export const figureContent = z
  .discriminatedUnion('kind', contents.map(({ schema }) => schema) as Schemas<typeof contents>)
  .meta({ id: 'FigureContent' });

export type FigureContent = z.output<typeof figureContent>;
export type PlotKind = FigureContent['kind'];

/** Former kind names in images and links. */
const formerKinds: ReadonlyMap<unknown, { kind: PlotKind; of?: string }> = new Map([
  ['default-umap', { kind: 'category-umap' }],
  ['signature-umap', { kind: 'score-umap', of: 'signature' }],
  ['signature-violin', { kind: 'score-violin', of: 'signature' }],
  ['cell-state-umap', { kind: 'score-umap', of: 'cell-state' }],
  ['cell-state-violin', { kind: 'score-violin', of: 'cell-state' }],
  ['cell-type-umap', { kind: 'highlight-umap', of: 'cell-type' }],
  ['cluster-umap', { kind: 'highlight-umap', of: 'cluster' }],
  ['marker-dot-plot', { kind: 'dot-plot' }],
  ['enrichment-bar-plot', { kind: 'enrichment-bar' }],
]);

/** Stored content under current names; anything else unchanged. */
export function keptContent(content: unknown): unknown {
  const former = formerKinds.get((content as { kind?: unknown } | null | undefined)?.kind);
  return former === undefined ? content : { ...(content as object), ...former };
}

const contentOf: ReadonlyMap<string, PlotContent> = new Map(
  contents.map((content) => [content.kind, content as unknown as PlotContent]),
);

function plotOf({ kind }: { kind: PlotKind }): PlotContent {
  return contentOf.get(kind)!;
}

/** Fields, at any depth, that this kind of figure does not have, such as a misspelt option, which would have no effect. */
export function unknownFields(content: object): string[] {
  const plot = contentOf.get(String((content as { kind?: unknown }).kind));
  return plot ? unknownIn(plot.schema, content) : [];
}

/** Paths of the fields of a value that no part of its schema has. Saved filters may be of other versions: not theirs. */
export function unknownIn(schema: z.core.$ZodType, value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const parts = partsOf(schema);
  return Object.entries(value).flatMap(([field, part]) => {
    const at = path === '' ? field : `${path}.${field}`;
    const schemas = parts.flatMap((one) =>
      one instanceof z.ZodArray ? one.element : (new Map(Object.entries(one.shape)).get(field) ?? []),
    );
    if (schemas.length === 0) return parts.some((one) => one instanceof z.ZodObject) ? [at] : [];
    if (field === 'filter') return [];
    const lists = schemas.map((one) => unknownIn(one, part, at));
    return lists.reduce((fewest, list) => (list.length < fewest.length ? list : fewest));
  });
}

/** The objects and lists that a schema allows. */
function partsOf(schema: z.core.$ZodType): (z.ZodObject | z.ZodArray)[] {
  if (schema instanceof z.ZodObject || schema instanceof z.ZodArray) return [schema];
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(partsOf);
  if (schema instanceof z.ZodPipe) return partsOf(schema.in);
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable
    ? partsOf(schema.unwrap())
    : [];
}

export function inputsOf(content: FigureContent): PlotInputs {
  return plotOf(content).inputs(content);
}

/**
 * Title, subtitle and type of a figure's image. `own`: columns named by the user, which keep their names. `map`: name
 * of the embedding that a map is drawn on.
 */
export function describeFigure(
  content: FigureContent,
  groupedBy: GroupedBy,
  own: readonly { readonly name: string }[] = [],
  map = defaultMap,
): PlotTitles & { type: ImageType } {
  const plot = plotOf(content);
  const { title, subtitle } = plot.titles(content, groupedBy, (column) => columnTitle(column, own));
  return { title, subtitle: onMap(content, subtitle, map), type: plot.imageType?.(content) ?? 'gene' };
}

/** The kinds' texts use this name for the map. */
const defaultMap = 'UMAP';

function onMap(content: FigureContent, text: string, map: string): string {
  return isMap(content) ? text.replace(defaultMap, () => map) : text;
}

export type ImageType = 'default' | 'gene' | 'cellType' | 'leiden';

/** Name of the figure's kind in file names. `map`: name of the embedding that a map is drawn on. */
export function figureName(content: FigureContent, map = defaultMap): string {
  return onMap(content, plotOf(content).name, map);
}

/** Measure of the colour bar or axis; undefined if the figure has none. */
export function measureOf(content: FigureContent): Measure | undefined {
  return plotOf(content).measure?.(content);
}

/**
 * Whether a figure may have a colour bar or axis with adjustable ends; for a column of obs this is only clear once it
 * is read.
 */
export function mayHaveRange(content: FigureContent): boolean {
  if (plotOf(content).hasSeveralScales === true) return false;
  return isDrawnFrom(content, ['gene', 'gene-sums', 'gene-lines', 'score', 'obs']);
}

export function cellNumbersName(content: FigureContent): string | undefined {
  return plotOf(content).cellNumbers?.(content);
}

export const kindsWithCellNumbers: readonly PlotKind[] = contents.flatMap((content) =>
  'cellNumbers' in content ? content.kind : [],
);

/** Kinds offered under Figures by Group, which need only groups, or also a number of genes. */
export const kindsByGroup = contents.flatMap((content) =>
  'byGroup' in content && content.byGroup !== undefined
    ? [{ kind: content.kind, label: content.name, genes: content.byGroup.genes }]
    : [],
);

export function scoresIn(content: FigureContent): readonly ScoreChoice[] {
  return drawnFrom(content).flatMap((input) => (input.from === 'score' ? input.score : []));
}

/** Whether a figure has rows or columns of groups that can be reordered. */
export function hasGroupOrder(content: FigureContent): boolean {
  const inputs = Object.entries(inputsOf(content));
  return !isMap(content) && inputs.some(([name, input]) => name === 'groups' && !isNone(input));
}

function isNone(input: PlotInput | readonly PlotInput[]): boolean {
  return Array.isArray(input) && input.length === 0;
}

/** Comparable key of a figure's grouping; undefined if its groups have no order. */
export function groupsKey(content: FigureContent): string | undefined {
  if (!hasGroupOrder(content)) return undefined;
  const by = 'by' in content ? content.by : undefined;
  return JSON.stringify(by ?? null);
}

/** Why a figure cannot show this selection, and the field at fault; undefined if it can, or if its column decides. */
export function notShown(
  content: FigureContent,
  shown: MapShown,
): { readonly field?: keyof MapShown; readonly message: string } | undefined {
  if (!isDrawnFrom(content, ['embedding'])) return { message: 'Only a UMAP has parts that are shown.' };
  if (!isLiveMap(content) && (hidesSome(shown) || shown.window !== undefined || shown.log === true)) {
    return { message: 'Of maps beside each other only the embedding and its axes can be chosen.' };
  }
  if (hidesSome(shown) && !isDrawnFrom(content, ['column', 'obs'])) {
    return { field: 'hidden', message: 'This kind of figure has no categories that could be hidden.' };
  }
  const highlights = drawnFrom(content).some(
    (input) => input.from === 'column' && input.chosen !== undefined,
  );
  if (shown.hide_others === true && !highlights) {
    return { field: 'hide_others', message: 'Only a figure that highlights groups has other cells.' };
  }
  const hasLog = isDrawnFrom(content, ['gene', 'obs']) && plotOf(content).hasSeveralScales !== true;
  if (shown.log === true && !hasLog) {
    return { field: 'log', message: 'Only a gene or a column of numbers is colored by log(1 + x).' };
  }
  return undefined;
}

function isDrawnFrom(content: FigureContent, kinds: readonly PlotInput['from'][]): boolean {
  return drawnFrom(content).some(({ from }) => kinds.includes(from));
}

function drawnFrom(content: FigureContent): readonly PlotInput[] {
  return Object.values(inputsOf(content)).flat();
}

export function plotShape(content: FigureContent): 'umap' | 'violin' {
  return plotOf(content).shape ?? 'umap';
}

/** Whether cells are drawn at their places on an embedding; other figures consist of lines and type alone. */
export function isMap(content: FigureContent): boolean {
  return Object.values(inputsOf(content)).some((input) => 'from' in input && input.from === 'embedding');
}

/** Whether it is a single map of cells, which browsers can draw and move themselves. */
export function isLiveMap(content: FigureContent): boolean {
  return isMap(content) && plotOf(content).isMaps !== true;
}

export function picturedContent(content: FigureContent): object {
  return plotOf(content).pictured?.(content) ?? content;
}

/**
 * Content as text for an address: its kind, a colon, and its names, percent-encoded and separated by commas.
 * `undefined` for content that an address does not hold.
 */
export function contentAddress(content: FigureContent): string | undefined {
  const names = plotOf(content).address?.names(content);
  if (names === undefined || names.length === 0) return names && content.kind;
  return `${content.kind}:${names.map(encodeURIComponent).join(',')}`;
}

/** Parses the result of {@link contentAddress}, also under a former name; `undefined` for anything else. */
export function readContentAddress(text: string): FigureContent | undefined {
  const [, written = '', list] = /^([^:]*)(?::(.*))?$/s.exec(text)!;
  const { kind, of } = formerKinds.get(written) ?? { kind: written };
  try {
    const names = [...(of === undefined ? [] : [of]), ...(list?.split(',').map(decodeURIComponent) ?? [])];
    const read = contentOf.get(kind)?.address?.read(names);
    return read && figureContent.safeParse({ ...read, kind }).data;
  } catch {
    // A percent sign that begins no character.
    return undefined;
  }
}

export { smallSize } from './drawing/scene/style.ts';
