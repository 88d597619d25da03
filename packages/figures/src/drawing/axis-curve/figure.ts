import { countText } from '@cellfolio/model';
import type { AlongAxisInput } from '../../along-axis-input.ts';
import type { Figure, CommonSpec } from '../figure.ts';
import { withMinimumSize } from '../minimum-size.ts';
import {
  figureWidth,
  errorBand,
  gridColour,
  inkColour,
  margin,
  significant,
  smallSize,
  softInk,
} from '../scene/style.ts';
import { cleanLabel, ellipsised } from '../text/fit-text.ts';
import { fitText, placeRounding, tidyTicks, valueText } from '../text/number-text.ts';
import { heading, panelTop } from '../scene/panel.ts';
import type { Rectangle, VectorMark, VectorScene } from '../scene/scene.ts';

export interface AxisCurveSpec extends CommonSpec {
  kind: 'pseudotime-curve' | 'gradient-curve';
  version: 1;
  subtitle: string;
  axis: string;
  unit: string;
  cells: number;
  places: readonly number[];
  ends: readonly [number, number];
  genes: readonly CurveGene[];
}

interface CurveGene {
  gene: string;
  rho: number;
  means: readonly number[];
  errors: readonly number[];
}

const defaultHeight = 150;
const minPanel = { width: 150, height: 105 } as const;
const foot = 30;
const inner = { top: 22, left: 44, bottom: 26, right: 10 } as const;
const bandWidth = 1.96;
const lineWidth = 2;

const small = { kind: 'text', size: smallSize, style: 'regular' } as const;

function heightOf(spec: Parameters<typeof panelTop>[0], genes: number): number {
  return panelTop(spec) + Math.max(1, Math.ceil(genes / columnsFor(genes))) * defaultHeight + foot + margin;
}

function columnsFor(genes: number): number {
  return genes <= 1 ? 1 : genes === 2 || genes === 4 ? 2 : 3;
}

function gridOf(spec: Pick<AxisCurveSpec, 'size' | 'genes' | 'fitted' | 'subtitle'>) {
  const { size, genes, fitted } = spec;
  const width = size.width - 2 * margin;
  const height = size.height - panelTop(spec) - foot - margin;
  const maxColumns = Math.max(1, Math.floor(width / minPanel.width));
  const maxRows = Math.max(1, Math.floor(height / minPanel.height));
  const idealColumns =
    fitted === undefined
      ? columnsFor(genes.length)
      : Math.ceil(Math.sqrt((genes.length * width) / Math.max(1, height)));
  const columns = Math.max(
    1,
    Math.min(maxColumns, genes.length, Math.max(idealColumns, Math.ceil(genes.length / maxRows))),
  );
  const rows = Math.max(1, Math.min(maxRows, Math.ceil(genes.length / columns)));
  return { columns, rows, most: maxColumns * maxRows, width: width / columns, height: height / rows };
}

function axisCurveScene(spec: AxisCurveSpec): VectorScene {
  const { size, genes } = spec;
  const top = panelTop(spec);
  const { columns, width, height } = gridOf(spec);
  const middle = { ...small, colour: softInk, anchor: 'middle' } as const;
  const room = size.width - 2 * margin;
  const foottext = ellipsised(`across: ${spec.axis} · up: mean ${spec.unit}`, room, smallSize);
  return {
    ...size,
    panel: { x: margin, y: top, width: room, height: size.height - top - foot - margin },
    marks: [
      ...heading(spec, 'semibold'),
      ...genes.flatMap((gene, at) => {
        const x = margin + (at % columns) * width;
        const y = top + Math.floor(at / columns) * height;
        return geneMarks(gene, spec, {
          x: x + inner.left,
          y: y + inner.top,
          width: width - inner.left - inner.right,
          height: height - inner.top - inner.bottom,
        });
      }),
      ...(genes.length === 0
        ? [{ ...middle, text: 'No gene has an adjusted p below 0.05.', x: size.width / 2, y: top + 40 }]
        : []),
      { ...middle, text: foottext, x: size.width / 2, y: size.height - margin },
    ],
  };
}

function geneMarks(
  { gene, means, errors }: CurveGene,
  { places, ends }: Pick<AxisCurveSpec, 'places' | 'ends'>,
  panel: Rectangle,
): VectorMark[] {
  const lowest = Math.min(0, ...means);
  // Where no mean is negative no band goes below zero either.
  const reach = means.map((mean, bin) => {
    const half = bandWidth * errors[bin]!;
    return [Math.max(lowest, mean - half), mean + half] as const;
  });
  const highest = Math.max(...reach.map(([, high]) => high), lowest + 1e-9);
  const length = ends[1] > ends[0] ? ends[1] - ends[0] : 1;
  const xOf = (place: number): number => panel.x + ((place - ends[0]) / length) * panel.width;
  const yOf = (value: number): number => panel.y + (1 - (value - lowest) / (highest - lowest)) * panel.height;
  const xs = places.map(xOf);
  const line = means.map(yOf);
  const halves = halfHeights(xs, line);
  const bottom = panel.y + panel.height;
  const number = (value: number, x: number, y: number, anchor: 'end' | 'middle'): VectorMark => ({
    ...small,
    text: valueText(value),
    x,
    y,
    colour: inkColour,
    anchor,
  });
  const shown = ellipsised(gene, panel.width, smallSize, 'italic');
  return [
    {
      ...small,
      style: 'italic',
      text: shown,
      ...(shown !== gene && { full: gene }),
      x: panel.x,
      y: panel.y - 7,
      colour: inkColour,
      anchor: 'start',
    },
    ...[lowest, ...tidyTicks(lowest, highest, 2)].flatMap((tick, at): VectorMark[] => [
      {
        kind: 'rectangle',
        x: panel.x,
        y: yOf(tick) - 0.5,
        width: panel.width,
        height: 1,
        colour: at === 0 ? softInk : gridColour,
      },
      number(tick, panel.x - 6, yOf(tick) + smallSize * 0.36, 'end'),
    ]),
    ...placeTicks(ends, panel.width).map((place) => number(place, xOf(place), bottom + 18, 'middle')),
    {
      kind: 'area',
      xs,
      tops: reach.map(([, high]) => yOf(high)),
      bottoms: reach.map(([low]) => yOf(low)),
      colour: errorBand,
    },
    {
      kind: 'area',
      xs,
      tops: line.map((y, at) => y - halves[at]!),
      bottoms: line.map((y, at) => y + halves[at]!),
      colour: significant,
    },
    // A line alone would hide where no cells are.
    ...xs.map((x, at): VectorMark => ({ kind: 'dot', x, y: line[at]!, radius: 2, colour: significant })),
  ];
}

/** Half the vertical extent of a line at each point, so that steep parts look equally thick. */
function halfHeights(xs: readonly number[], ys: readonly number[]): number[] {
  return ys.map((_, at) => {
    const [before, after] = [Math.max(0, at - 1), Math.min(ys.length - 1, at + 1)];
    const slope = (ys[after]! - ys[before]!) / Math.max(1, xs[after]! - xs[before]!);
    return (lineWidth / 2) * Math.min(4, Math.hypot(1, slope));
  });
}

/** Both ends, and a value near the middle if there is room. */
function placeTicks([first, last]: AxisCurveSpec['ends'], width: number): number[] {
  const rounded = placeRounding(last - first);
  if (!(last > first)) return [rounded(first)];
  const inner = width < 130 ? [] : tidyTicks(first, last, 2);
  const clear = (tick: number) => Math.min(tick - first, last - tick) > 0.3 * (last - first);
  return [rounded(first), ...inner.filter(clear).slice(0, 1), rounded(last)];
}

export function axisCurveFigure(
  kind: AxisCurveSpec['kind'],
  input: AlongAxisInput & {
    unit: string;
    /** Ends of the axis; default the means of the first and the last bin. */
    ends?: readonly [number, number];
  },
): Figure<AxisCurveSpec> {
  const { bins, cautions } = input;
  const places = Array.from(bins.places);
  const short = (values: ArrayLike<number>) =>
    Array.from(values, (value) => (Number.isFinite(value) ? Number(value.toPrecision(6)) : 0));
  const genes = input.genes.map(({ gene, rho, means, errors }): CurveGene => ({
    gene: cleanLabel(gene),
    rho,
    means: short(means),
    errors: short(errors),
  }));
  const subtitle = cleanLabel(input.subtitle);
  const spec: AxisCurveSpec = {
    version: 1,
    kind,
    title: cleanLabel(input.title),
    subtitle,
    datasetName: cleanLabel(input.datasetName),
    cells: input.cells,
    summary: `${countText(input.cells)} cells in ${countText(places.length)} bins · means, bands of 1.96 standard errors`,
    size: { width: figureWidth, height: heightOf({ subtitle }, genes.length) },
    axis: cleanLabel(input.axis),
    unit: cleanLabel(input.unit),
    places,
    ends: input.ends ?? [places[0]!, places.at(-1)!],
    genes,
    ...(cautions.length > 0 && { cautions }),
  };
  return { spec, columns: {}, drawing: axisCurveDrawing };
}

export const axisCurveDrawing = withMinimumSize<AxisCurveSpec>(
  {
    scene: axisCurveScene,
    fit: (spec, size) => {
      const fitted = { ...spec, size, fitted: { leftOut: '' } };
      const { most: maxGenes } = gridOf(fitted);
      const genes = spec.genes.slice(0, maxGenes);
      const leftOut = fitText(genes.length, spec.genes.length, 'genes');
      return { spec: { ...fitted, genes, fitted: { leftOut } }, isWhole: leftOut === '' };
    },
  },
  { size: { width: 220, height: 190 }, sentence: ({ summary }) => `Enlarge to see the genes. ${summary}.` },
);
