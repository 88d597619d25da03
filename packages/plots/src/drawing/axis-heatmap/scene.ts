import { meanColour } from '../gene-matrix/scales.ts';
import { heading, panelTop } from '../scene/panel.ts';
import type { Rectangle, VectorMark, VectorScene } from '../scene/scene.ts';
import { inkColour, margin, smallSize, softInk } from '../scene/style.ts';
import { ellipsised } from '../text/fit-text.ts';
import { fittedNames } from '../text/fitted-names.ts';
import { placeRounding, valueText } from '../text/number-text.ts';
import { textWidth } from '../text/text-width.ts';
import type { AxisHeatmapSpec } from './spec.ts';

export const defaultRow = 18;
export const minRow = 15;
const foot = 84;
const longestName = 130;

export const roomOfRows = {
  around: (spec: Parameters<typeof panelTop>[0]): number => panelTop(spec) + foot,
};

const small = { kind: 'text', size: smallSize, style: 'regular' } as const;

export function axisHeatmapScene(spec: AxisHeatmapSpec): VectorScene {
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
