import { largestOf } from '../drawing/chosen-groups.ts';
import type { CommonSpec, Drawing } from '../drawing/figure.ts';
import { withMinimumSize } from '../drawing/minimum-size.ts';
import { heading, panelTop } from '../drawing/scene/panel.ts';
import type { Rectangle, VectorMark, VectorScene } from '../drawing/scene/scene.ts';
import { figureWidth, margin, smallSize, softInk } from '../drawing/scene/style.ts';
import { ellipsised, wrappedWords } from '../drawing/text/fit-text.ts';
import { fitText } from '../drawing/text/number-text.ts';
import type { FontStyle } from '../drawing/text/svg-text.ts';
import { label, type Mark } from '../marks.ts';
import {
  acrossAxis,
  axisBelowColumns,
  axisBelowRows,
  axisGutter,
  type ColumnAxis,
  type NumberAxis,
  rowFoot,
  upAxis,
} from './axes.ts';
import type { Legend } from './legend.ts';
import {
  barSizes,
  type RowAxis,
  rowGutters,
  rowMarks,
  rowScale,
  rowsOfFile,
  rowsWithTexts,
  type TextColumn,
} from './rows.ts';
import { bandScale, numberScale, type Scale } from './scales.ts';

/** Everything that a kind of figure says of its picture; the frame decides where it is. */
export interface Chart {
  readonly x: NumberAxis | ColumnAxis;
  readonly y: NumberAxis | RowAxis;
  readonly marks: readonly Mark[];
  readonly legend?: Legend | undefined;
  /** A line above the panel, at its right end. */
  readonly note?: string;
  /** A sentence instead of axes and marks, for figures without data. */
  readonly nothing?: string | undefined;
  /** Width of the panel in a page below which things beside it yield; default 120. */
  readonly minPanel?: number;
  /** Default semibold; names of genes are in italics, as in print. */
  readonly titleStyle?: FontStyle;
}

export interface FrameOptions<Spec extends CommonSpec> {
  /** Pure; called for each spec that is laid out, so that it is quick: marks do their work when they are drawn. */
  chart(spec: Spec): Chart;
  /** Default height 460; rows have their own. */
  readonly file?: Partial<CommonSpec['size']>;
  /** Text of a page too small for a picture. */
  sentence(spec: Spec): string;
  dark?(spec: Spec): Partial<Spec>;
}

/**
 * In a page, where space is short, parts yield in this order. Title and dataset always do, since the page names the
 * figure. Numbers of axes are thinned, and names are cut. Type shrinks (`fitToView`). While the panel is narrower than
 * `minPanel` the next one of these goes: a legend that is not needed, the texts beside rows from the last, a needed
 * legend. Rows of the least weight go where not all are as high as they must be. Below `minFigure` one sentence stands
 * for the figure. Words and note of the figure say what is missing.
 */
const minFigure = { width: 200, height: 160 } as const;
const usualMinPanel = 120;

/** Height between the top and the panel: for the head of rows, for a note, or free. */
const head = { rows: 22, note: 20, free: 6 } as const;
/** Space at the right, where the last number of an axis is half outside its panel. */
const overhang = { rows: 14, plane: 8 } as const;

export function frame<Spec extends CommonSpec>(options: FrameOptions<Spec>): Drawing<Spec> {
  const { sentence, dark } = options;
  const charts = new WeakMap<Spec, Chart>();
  const chartOf = (spec: Spec): Chart => {
    const chart = charts.get(spec) ?? options.chart(spec);
    charts.set(spec, chart);
    return chart;
  };
  const drawing: Drawing<Spec> = {
    scene: (spec) => sceneOf(spec, chartOf(spec)),
    fit: (spec, size) => {
      const chart = chartOf(spec);
      const { leftOut, without, isWhole } = partsIn({ ...spec, size, fitted: { leftOut: '' } }, chart);
      const fitted = { ...spec, size, fitted: { leftOut, ...(without.length > 0 && { without }) } };
      charts.set(fitted, chart);
      return { spec: fitted, isWhole };
    },
    ...(dark && { dark }),
  };
  return withMinimumSize(drawing, { size: minFigure, sentence });
}

/** Size of a file: of a plane it is given, rows and their legend have as much height as they need. */
export function fileSize<Spec extends CommonSpec>(
  spec: Omit<Spec, 'size'>,
  { chart: chartOf, file: { width = figureWidth, height = 460 } = {} }: FrameOptions<Spec>,
): CommonSpec['size'] {
  const unsized = { ...spec, size: { width, height } } as Spec;
  const chart = chartOf(unsized);
  if (!hasRows(chart)) return { width, height };
  const { legend, y } = chart;
  const side = legend?.file?.() ?? { width: 0, height: 0 };
  const rows = Math.max((y.sizes ?? barSizes).file(0), rowsOfFile(y).height);
  const body = headHeight(chart) + Math.max(rows + footHeight(chart), side.height);
  return { width: width + side.width, height: panelTop(unsized) + aboveHeight(chart) + body + margin };
}

function hasRows(chart: Chart): chart is Chart & { readonly y: RowAxis } {
  return 'rows' in chart.y;
}

function headHeight(chart: Chart): number {
  return hasRows(chart) ? head.rows : chart.note === undefined ? head.free : head.note;
}

function aboveHeight({ legend }: Chart): number {
  return legend?.side === 'above' ? legend.room({ width: 0, isFile: true }) : 0;
}

/** Below a panel without rows half of the margin is enough. */
function footHeight(chart: Chart): number {
  return hasRows(chart) ? rowFoot : axisGutter.bottom + margin / 2;
}

type Sized = Pick<CommonSpec, 'size' | 'fitted' | 'noteLines'> & { readonly subtitle?: string };

interface Parts {
  /** Places of the rows that have room. */
  readonly shownRows: readonly number[];
  readonly legend: Legend | undefined;
  readonly texts: readonly TextColumn[];
  readonly leftOut: string;
  readonly without: readonly string[];
  readonly isWhole: boolean;
}

/** The parts of a figure that have room; all of them in a file. */
function partsIn(spec: Sized, chart: Chart): Parts {
  const all = { legend: chart.legend, texts: hasRows(chart) ? (chart.y.texts ?? []) : [] };
  if (spec.fitted === undefined) {
    const shownRows = hasRows(chart) ? [...chart.y.rows.keys()] : [];
    return { ...all, shownRows, leftOut: '', without: [], isWhole: true };
  }
  const { minPanel = usualMinPanel } = chart;
  const choices = inOrder(all, spec.size);
  const { legend, texts } =
    choices.find((choice) => panelWidth(spec, chart, choice) >= minPanel) ?? choices.at(-1)!;
  const shownRows = keptRows(spec, chart);
  const leftOut = hasRows(chart) ? fitText(shownRows.length, chart.y.rows.length, chart.y.noun) : '';
  const unnamed = legend?.without?.(legendHeight(spec));
  const without = [
    ...(all.legend && !legend ? [all.legend.name] : []),
    ...(unnamed === undefined ? [] : [unnamed]),
    ...all.texts.slice(texts.length).map(({ name }) => name),
  ];
  // Colours without a name cannot be read.
  const isReadable = all.legend?.isNeeded !== true || (legend !== undefined && unnamed === undefined);
  return { shownRows, legend, texts, leftOut, without, isWhole: leftOut === '' && isReadable };
}

type Beside = Pick<Parts, 'legend' | 'texts'>;

/** Choices of parts beside a panel: all first, then fewer and fewer, in the order in which they yield. */
function inOrder({ legend, texts }: Beside, { height }: CommonSpec['size']): Beside[] {
  const fitting = height < (legend?.minHeight ?? 0) ? undefined : legend;
  const isBeside = fitting?.side === 'right';
  const needed = isBeside && !fitting.isNeeded ? undefined : fitting;
  return [
    { legend: fitting, texts },
    ...texts.map((_, gone) => ({ legend: needed, texts: texts.slice(0, texts.length - gone) })),
    { legend: needed, texts: [] },
    { legend: isBeside ? undefined : fitting, texts: [] },
  ];
}

function keptRows(spec: Sized, chart: Chart): readonly number[] {
  if (!hasRows(chart)) return [];
  const { rows, weight, sizes = barSizes } = chart.y;
  const max = Math.max(1, Math.floor(innerHeight(spec, chart) / sizes.min));
  return rows.length <= max ? [...rows.keys()] : largestOf(rows.keys(), weight, max);
}

function panelWidth({ size: { width }, fitted }: Sized, chart: Chart, { legend, texts }: Beside): number {
  const figure = { width, isFile: fitted === undefined };
  const rows = hasRows(chart) && rowGutters(chart.y, { figure, texts });
  const { left, right } = rows || { left: margin + axisGutter.left, right: 0 };
  return width - left - margin - rightOf(chart, legend, right, figure);
}

/** Space between panel and margin: the legend, texts of rows, or what a number needs. */
function rightOf(
  chart: Chart,
  legend: Legend | undefined,
  texts: number,
  figure: { readonly width: number; readonly isFile: boolean },
): number {
  if (legend?.side === 'right') return texts + legend.room(figure);
  if (texts > 0 || 'columns' in chart.x) return texts;
  return hasRows(chart) ? overhang.rows : overhang.plane;
}

function legendHeight(spec: Sized): number {
  return spec.size.height - panelTop(spec) - margin;
}

function innerHeight(spec: Sized, chart: Chart): number {
  return spec.size.height - panelTop(spec) - aboveHeight(chart) - headHeight(chart) - footHeight(chart);
}

function sceneOf(spec: CommonSpec, chart: Chart): VectorScene {
  const titles = heading(spec, chart.titleStyle ?? 'semibold');
  const { width } = spec.size;
  const top = panelTop(spec);
  if (chart.nothing !== undefined) {
    const lines = wrappedWords(chart.nothing, width - 2 * margin, smallSize);
    const labels = lines.map((line, i) => label(line, { x: margin, y: top + 22 + 20 * i }));
    return { ...spec.size, panel: { x: 0, y: 0, width: 0, height: 0 }, marks: [...titles, ...labels] };
  }
  const { shownRows, legend, texts } = partsIn(spec, chart);
  const figure = { width, isFile: spec.fitted === undefined };
  const inner = innerHeight(spec, chart);
  const rows = hasRows(chart)
    ? rowsWithTexts(chart.y, shownRows, { figure, texts, height: inner })
    : undefined;
  const right = rightOf(chart, legend, rows?.right ?? 0, figure);
  const x = rows?.left ?? margin + axisGutter.left;
  const height = rows?.named.height ?? inner;
  const panel = {
    x,
    // Half of the height that few rows leave is above them.
    y: top + aboveHeight(chart) + headHeight(chart) + (figure.isFile ? 0 : Math.max(0, inner - height) / 2),
    width: width - x - margin - right,
    height,
  };
  const plane = { panel, x: acrossScale(chart, panel), y: upScale(chart, panel, shownRows, rows) };
  const marks: VectorMark[] = [
    ...titles,
    ...axisMarks(chart, plane, { shownRows, rows, figureWidth: width }),
    ...chart.marks.flatMap((mark) => mark(plane)),
  ];
  if (chart.note !== undefined) {
    const place = { x: panel.x + panel.width, y: panel.y - 7, anchor: 'end', colour: softInk } as const;
    marks.push(label(ellipsised(chart.note, panel.width, smallSize), place, chart.note));
  }
  if (legend !== undefined) {
    const room = legend.side === 'right' ? legend.room(figure) : width - 2 * margin;
    const place = { x: width - margin - room, y: top, width: room, height: legendHeight(spec) };
    marks.push(...legend.marks({ ...place, panel, isFile: figure.isFile }));
  }
  return { ...spec.size, panel, marks };
}

type Rows = ReturnType<typeof rowsWithTexts> | undefined;

function acrossScale({ x }: Chart, panel: Rectangle): Scale {
  if ('columns' in x) {
    const step = panel.width / x.columns.length;
    const places = [...x.columns.keys()];
    return bandScale(
      places,
      places.map((place) => panel.x + (place + 0.5) * step),
      step,
    );
  }
  const { domain, place, inset = 0 } = x;
  return numberScale(domain, [panel.x + inset, panel.x + panel.width - inset], place);
}

function upScale(chart: Chart, panel: Rectangle, shownRows: readonly number[], rows: Rows): Scale {
  if (rows) return rowScale(shownRows, rows.named, panel);
  const { domain, place } = chart.y as NumberAxis;
  return numberScale(domain, [panel.y + panel.height, panel.y], place);
}

function axisMarks(
  chart: Chart,
  { panel, x, y }: { readonly panel: Rectangle; readonly x: Scale; readonly y: Scale },
  { shownRows, rows, figureWidth: width }: { shownRows: readonly number[]; rows: Rows; figureWidth: number },
): VectorMark[] {
  if (hasRows(chart)) {
    const below = axisBelowRows(chart.x as NumberAxis, x, panel, width);
    return [...rowMarks(chart.y, shownRows, rows!, { y, panel }), ...below];
  }
  const up = upAxis(panel, planeAxis(chart.y as NumberAxis, panel.height, y));
  if ('columns' in chart.x) return [...up, ...axisBelowColumns(chart.x, x, panel)];
  return [...up, ...acrossAxis(panel, planeAxis(chart.x, panel.width, x))];
}

function planeAxis({ domain, name, style = 'regular', ticks }: NumberAxis, length: number, scale: Scale) {
  const text = typeof name === 'string' ? name : name[0]!;
  return {
    domain,
    name: { text, style },
    scale,
    ...(ticks && { ticks: ticks(length, scale) }),
  };
}
