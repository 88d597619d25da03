import { meanColour } from '../drawing/gene-matrix/scales.ts';
import { sideLegend } from '../drawing/samples/legend-line.ts';
import { type SampleFigureSpec, type Side, sideColours } from '../drawing/samples/sample-figure.ts';
import { heading, panelTop } from '../drawing/scene/panel.ts';
import type { Rectangle, VectorMark, VectorScene } from '../drawing/scene/scene.ts';
import { inkColour, margin, smallSize, softInk } from '../drawing/scene/style.ts';
import { ellipsised } from '../drawing/text/fit-text.ts';
import { fittedNames } from '../drawing/text/fitted-names.ts';
import { textWidth } from '../drawing/text/text-width.ts';

export interface SampleHeatmapSpec extends SampleFigureSpec {
  readonly kind: 'sample-heatmap';
  readonly version: 1;
  /** Samples of A first. */
  readonly samples: readonly { readonly label: string; readonly side: Side }[];
  /** Genes that are higher in A first; within each direction the most significant first. */
  readonly genes: readonly SampleHeatmapGene[];
  readonly ramp: readonly string[];
}

export interface SampleHeatmapGene {
  readonly gene: string;
  readonly logFoldChange: number;
  readonly adjustedP: number;
  /** Standard deviations from the gene's mean, one value per sample. */
  readonly scores: readonly number[];
}

export const defaultRow = 18;
export const minRow = 15;
const head = 40;
const strip = 8;
const foot = 44;
const longestGene = 130;
const longestSample = 110;
const minColumn = 16;
const reach = 2;

const small = { kind: 'text', size: smallSize, style: 'regular' } as const;

type Around = Pick<SampleHeatmapSpec, 'subtitle' | 'fitted' | 'samples' | 'genes' | 'size'>;

export function heightAround(spec: Around): number {
  return panelTop(spec) + head + namesHeight(spec) + foot;
}

function gutterOf({ genes }: Pick<SampleHeatmapSpec, 'genes'>): number {
  const widest = genes.reduce(
    (largest, { gene }) => Math.max(largest, textWidth(gene, smallSize, 'italic')),
    40,
  );
  return Math.ceil(Math.min(longestGene, widest)) + 8;
}

function namesHeight(spec: Around): number {
  const { samples, size } = spec;
  if ((size.width - 2 * margin - gutterOf(spec)) / samples.length < minColumn) return 0;
  const widest = samples.reduce((largest, { label }) => Math.max(largest, textWidth(label, smallSize)), 0);
  return Math.ceil(Math.min(longestSample, widest)) + 10;
}

export function sampleHeatmapScene(spec: SampleHeatmapSpec): VectorScene {
  const { size, genes } = spec;
  const top = panelTop(spec) + head;
  const gutter = gutterOf(spec);
  const left = margin + gutter;
  const names = namesHeight(spec);
  const panel = {
    x: left,
    y: top,
    width: size.width - margin - left,
    height: size.height - top - names - foot,
  };
  const row = panel.height / genes.length;
  const symbols = fittedNames(
    genes.map(({ gene }) => gene),
    gutter - 8,
    smallSize,
    'italic',
  );
  return {
    ...size,
    panel,
    marks: [
      ...heading(spec, 'semibold'),
      ...sideLegend(spec, { x: left, y: top - strip - 14, width: panel.width }),
      ...stripMarks(spec, panel),
      cellsMark(spec, panel),
      ...genes.flatMap(({ gene }, at): VectorMark[] => {
        const shown = symbols[at]!;
        return [
          {
            ...small,
            style: 'italic',
            text: shown,
            ...(shown !== gene && { full: gene }),
            x: left - 8,
            y: top + (at + 0.5) * row + smallSize * 0.36,
            colour: inkColour,
            anchor: 'end',
          },
        ];
      }),
      ...(names === 0 ? [] : sampleNames(spec, panel)),
      ...rampMarks(spec, panel.y + panel.height + names + 16),
    ],
  };
}

function stripMarks({ samples }: SampleHeatmapSpec, panel: Rectangle): VectorMark[] {
  const width = panel.width / samples.length;
  const first = samples.filter(({ side }) => side === 'a').length;
  const bar = (from: number, to: number, side: 'a' | 'b'): VectorMark => ({
    kind: 'rectangle',
    x: panel.x + from * width,
    y: panel.y - strip - 2,
    width: (to - from) * width,
    height: strip,
    colour: sideColours[side],
  });
  return [bar(0, first, 'a'), bar(first, samples.length, 'b')];
}

function cellsMark({ genes, samples, ramp }: SampleHeatmapSpec, panel: Rectangle): VectorMark {
  const levels = new Uint8Array(genes.length * samples.length);
  genes.forEach(({ scores }, row) =>
    scores.forEach((score, at) => {
      const part = (Math.min(reach, Math.max(-reach, score)) + reach) / (2 * reach);
      levels[row * samples.length + at] = Math.round(255 * part);
    }),
  );
  const shades = Array.from({ length: 256 }, (_, level) => meanColour(level, [0, 255], ramp));
  return { kind: 'pixels', ...panel, columns: samples.length, rows: genes.length, levels, shades };
}

function sampleNames({ samples }: SampleHeatmapSpec, panel: Rectangle): VectorMark[] {
  const width = panel.width / samples.length;
  const names = fittedNames(
    samples.map(({ label }) => label),
    longestSample,
    smallSize,
  );
  return samples.map(({ label }, at): VectorMark => {
    const shown = names[at]!;
    return {
      ...small,
      text: shown,
      ...(shown !== label && { full: label }),
      x: panel.x + (at + 0.5) * width + smallSize * 0.36,
      y: panel.y + panel.height + 6,
      colour: softInk,
      anchor: 'end',
      upright: true,
    };
  });
}

function rampMarks({ ramp, size }: SampleHeatmapSpec, y: number): VectorMark[] {
  const width = 90;
  const [low, high] = [`−${reach}`, `+${reach} SD`];
  const x = size.width - margin - width - textWidth(high, smallSize) - 8;
  const end = x - textWidth(low, smallSize) - 20;
  const text = { ...small, y: y + 11, colour: softInk } as const;
  const caption = ellipsised('log₂ CPM about the mean of each gene', end - margin, smallSize);
  return [
    { ...text, text: caption, x: end, anchor: 'end' },
    { ...text, text: low, x: x - 8, anchor: 'end' },
    { kind: 'ramp', x, y, width, height: 12, shades: ramp, across: true },
    { ...text, text: high, x: x + width + 8, anchor: 'start' },
  ];
}
