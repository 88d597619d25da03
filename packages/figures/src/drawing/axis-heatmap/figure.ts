import { countText } from '@cellfolio/model';
import type { AlongAxisInput } from '../../along-axis-input.ts';
import type { Figure, CommonSpec } from '../figure.ts';
import { darkMeanRamp, meanRamp, meanColour } from '../gene-matrix/scales.ts';
import { withMinimumSize } from '../minimum-size.ts';
import { figureWidth, inkColour, margin, smallSize, softInk } from '../scene/style.ts';
import { cleanLabel, ellipsised } from '../text/fit-text.ts';
import { fitText, placeRounding, valueText } from '../text/number-text.ts';
import { heading, panelTop } from '../scene/panel.ts';
import type { Rectangle, VectorMark, VectorScene } from '../scene/scene.ts';
import { fittedNames } from '../text/fitted-names.ts';
import { textWidth } from '../text/text-width.ts';

const defaultRow = 18;
const minRow = 15;
const foot = 84;
const longestName = 130;

const roomOfRows = {
  around: (spec: Parameters<typeof panelTop>[0]): number => panelTop(spec) + foot,
};

const small = { kind: 'text', size: smallSize, style: 'regular' } as const;

function axisHeatmapScene(spec: AxisHeatmapSpec): VectorScene {
  const { size, genes } = spec;
  const top = panelTop(spec);
  const gutter = Math.min(
    longestName,
    genes.reduce((widest, { gene }) => Math.max(widest, textWidth(gene, smallSize, 'italic')), 40),
  );
  const left = margin + Math.ceil(gutter) + 8;
  const panel = { x: left, y: top, width: size.width - margin - left, height: size.height - top - foot };
  const row = panel.height / Math.max(1, genes.length);
  const symbols = fittedNames(
    genes.map(({ gene }) => gene),
    gutter,
    smallSize,
    'italic',
  );
  return {
    ...size,
    panel,
    marks: [
      ...heading(spec, 'semibold'),
      ...(genes.length === 0 ? [] : [cellsMark(spec, panel)]),
      ...genes.map(({ gene }, at): VectorMark => {
        const shown = symbols[at]!;
        const y = top + (at + 0.5) * row + smallSize * 0.36;
        return {
          ...small,
          style: 'italic',
          text: shown,
          ...(shown !== gene && { full: gene }),
          x: left - 8,
          y,
          colour: inkColour,
          anchor: 'end',
        };
      }),
      ...(genes.length === 0
        ? [
            {
              ...small,
              text: 'No gene has an adjusted p below 0.05.',
              x: panel.x,
              y: top + 22,
              colour: softInk,
              anchor: 'start',
            } as const,
          ]
        : []),
      ...placeMarks(spec, panel),
      ...rampMarks(spec, panel),
    ],
  };
}

function cellsMark({ genes, places, ramp }: AxisHeatmapSpec, panel: Rectangle): VectorMark {
  const levels = new Uint8Array(genes.length * places.length);
  genes.forEach(({ scaled }, row) =>
    scaled.forEach((share, bin) => (levels[row * places.length + bin] = Math.round(255 * share))),
  );
  const shades = Array.from({ length: 256 }, (_, level) => meanColour(level, [0, 255], ramp));
  return { kind: 'pixels', ...panel, columns: places.length, rows: genes.length, levels, shades };
}

/** Bins have about equal numbers of cells, so places do not rise evenly: some bins are labelled. */
function placeMarks(
  { places, axis, cellsOfBin: [fewest, maxCells] }: AxisHeatmapSpec,
  panel: Rectangle,
): VectorMark[] {
  const tickCount = Math.max(2, Math.min(6, Math.floor(panel.width / 70)));
  const rounded = placeRounding(places.at(-1)! - places[0]!);
  const bottom = panel.y + panel.height;
  const bins = new Set(
    Array.from({ length: tickCount }, (_, at) => Math.round((at * (places.length - 1)) / (tickCount - 1))),
  );
  const cells = fewest === maxCells ? `${maxCells}` : `${fewest} to ${maxCells}`;
  return [
    ...[...bins].flatMap((bin): VectorMark[] => {
      const x = panel.x + ((bin + 0.5) / places.length) * panel.width;
      return [
        { kind: 'rectangle', x: x - 0.5, y: bottom, width: 1, height: 4, colour: softInk },
        {
          ...small,
          text: valueText(rounded(places[bin]!)),
          x,
          y: bottom + 18,
          colour: inkColour,
          anchor: 'middle',
        },
      ];
    }),
    {
      ...small,
      text: ellipsised(`mean ${axis} of bins of ${cells} cells`, panel.width, smallSize),
      x: panel.x + panel.width / 2,
      y: bottom + 37,
      colour: softInk,
      anchor: 'middle',
    },
  ];
}

function rampMarks({ ramp, size }: AxisHeatmapSpec, panel: Rectangle): VectorMark[] {
  const y = panel.y + panel.height + 54;
  const width = 90;
  const x = size.width - margin - width - textWidth('highest', smallSize) - 8;
  const text = { ...small, y: y + 11, colour: softInk } as const;
  return [
    { ...text, text: 'mean of each gene: lowest', x: x - 8, anchor: 'end' },
    { kind: 'ramp', x, y, width, height: 12, shades: ramp, across: true },
    { ...text, text: 'highest', x: x + width + 8, anchor: 'start' },
  ];
}

/** Each gene from its minimum to its maximum mean, ordered by the place of the maximum. */
export function axisHeatmapFigure(
  kind: AxisHeatmapSpec['kind'],
  input: AlongAxisInput & {
    chosen: string;
  },
): Figure<AxisHeatmapSpec> {
  const { bins, cautions } = input;
  const sizes = Array.from(bins.sizes);
  const places = Array.from(bins.places);
  const genes = input.genes
    .map(({ gene, rho, means }): HeatmapGene & { bin: number } => {
      const values = Array.from(means);
      const [low, high] = [Math.min(...values), Math.max(...values)];
      const bin = values.indexOf(high);
      const scaled = values.map((mean) =>
        high > low ? Number(((mean - low) / (high - low)).toFixed(4)) : 0,
      );
      return { gene: cleanLabel(gene), rho, bin, peak: places[bin]!, range: [low, high], scaled };
    })
    .toSorted((one, other) => one.bin - other.bin || other.rho - one.rho)
    .map(({ gene, rho, peak, range, scaled }) => ({ gene, rho, peak, range, scaled }));
  const subtitle = cleanLabel(input.subtitle);
  const spec: AxisHeatmapSpec = {
    version: 1,
    kind,
    title: cleanLabel(input.title),
    subtitle,
    datasetName: cleanLabel(input.datasetName),
    axis: cleanLabel(input.axis),
    cells: input.cells,
    summary: `${countText(input.cells)} cells in ${countText(places.length)} bins · ${countText(genes.length)} genes ${input.chosen}, by their peaks`,
    size: {
      width: figureWidth,
      height: roomOfRows.around({ subtitle }) + Math.max(3, genes.length) * defaultRow,
    },
    genes,
    places,
    cellsOfBin: [Math.min(...sizes), Math.max(...sizes)],
    ramp: meanRamp,
    ...(cautions.length > 0 && { cautions }),
  };
  return { spec, columns: {}, drawing: axisHeatmapDrawing };
}

export const axisHeatmapDrawing = withMinimumSize<AxisHeatmapSpec>(
  {
    scene: axisHeatmapScene,
    fit: (spec, size) => {
      const room = size.height - roomOfRows.around({ ...spec, fitted: { leftOut: '' } });
      const keptCount = Math.min(spec.genes.length, Math.floor(room / minRow));
      // Kept rows stay in their order.
      const weakest = spec.genes.map(({ rho }) => Math.abs(rho)).toSorted((one, other) => other - one)[
        keptCount - 1
      ];
      const genes = spec.genes.filter(({ rho }) => Math.abs(rho) >= (weakest ?? 0)).slice(0, keptCount);
      const leftOut = fitText(genes.length, spec.genes.length, 'genes');
      return { spec: { ...spec, size, genes, fitted: { leftOut } }, isWhole: leftOut === '' };
    },
    dark: () => ({ ramp: darkMeanRamp }),
  },
  { size: { width: 260, height: 180 }, sentence: ({ summary }) => `Enlarge to see the genes. ${summary}.` },
);

export interface AxisHeatmapSpec extends CommonSpec {
  kind: 'pseudotime-heatmap' | 'gradient-heatmap';
  version: 1;
  subtitle: string;
  axis: string;
  genes: readonly HeatmapGene[];
  cells: number;
  places: readonly number[];
  cellsOfBin: readonly [number, number];
  ramp: readonly string[];
}

interface HeatmapGene {
  gene: string;
  rho: number;
  /** Mean place of the bin with the maximum mean. */
  peak: number;
  range: readonly [number, number];
  /** Means of the bins, scaled per gene from 0 (minimum) to 1 (maximum). */
  scaled: readonly number[];
}
