import { countText } from '@cellfolio/model';
import { FigureInputError } from '../drawing/checked-input.ts';
import type { Figure } from '../drawing/figure.ts';
import { withMinimumSize } from '../drawing/minimum-size.ts';
import {
  checkSamples,
  sampleHead,
  sampleLabels,
  samplesText,
  type SampleFigureSpec,
  type Side,
  sideColours,
} from '../drawing/samples/sample-figure.ts';
import { figureWidth, inkColour, margin, smallSize, softInk } from '../drawing/scene/style.ts';
import { cleanLabel, ellipsised } from '../drawing/text/fit-text.ts';
import { fitText } from '../drawing/text/number-text.ts';
import { type FigureSetting, plot } from '../plot.ts';
import type { PseudobulkInput } from '../pseudobulk-input.ts';
import type { sampleHeatmapContent } from '../pseudobulk-content.ts';
import { meanColour } from '../drawing/gene-matrix/scales.ts';
import { sideLegend } from '../drawing/samples/legend-line.ts';
import { heading, panelTop } from '../drawing/scene/panel.ts';
import type { Rectangle, VectorMark, VectorScene } from '../drawing/scene/scene.ts';
import { fittedNames } from '../drawing/text/fitted-names.ts';
import { textWidth } from '../drawing/text/text-width.ts';

interface SampleHeatmapSpec extends SampleFigureSpec {
  kind: 'sample-heatmap';
  version: 1;
  /** Samples of A first. */
  samples: readonly { label: string; side: Side }[];
  /** Genes that are higher in A first; within each direction the most significant first. */
  genes: readonly SampleHeatmapGene[];
  ramp: readonly string[];
}

interface SampleHeatmapGene {
  gene: string;
  logFoldChange: number;
  adjustedP: number;
  /** Standard deviations from the gene's mean, one value per sample. */
  scores: readonly number[];
}

const defaultRow = 18;
const minRow = 15;
const head = 40;
const strip = 8;
const foot = 44;
const longestGene = 130;
const longestSample = 110;
const minColumn = 16;
const reach = 2;

const small = { kind: 'text', size: smallSize, style: 'regular' } as const;

type Around = Pick<SampleHeatmapSpec, 'subtitle' | 'fitted' | 'samples' | 'genes' | 'size'>;

function heightAround(spec: Around): number {
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

function sampleHeatmapScene(spec: SampleHeatmapSpec): VectorScene {
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

const ramp: readonly string[] = ['#3567b0', '#93add6', '#f3f4f6', '#dfa498', '#c2553f'];
const darkRamp: readonly string[] = ['#6f9de0', '#42577a', '#262a32', '#7d5049', '#e88a74'];

/**
 * Log counts per million of genes in each sample, each gene relative to its mean. Throws FigureInputError without
 * genes.
 */
export function sampleHeatmapFigure(
  input: PseudobulkInput & Pick<FigureSetting, 'datasetName'>,
): Figure<SampleHeatmapSpec> {
  checkSamples(input);
  const { samples, surest = [] } = input;
  if (surest.length === 0) throw new FigureInputError('surest', 'a figure of genes by sample needs genes');
  const labels = sampleLabels(samples);
  const order = (['a', 'b'] as const).flatMap((side) =>
    [...samples.keys()].filter((at) => samples[at]!.side === side),
  );
  const genes = surest.map(({ symbol, logCpm, logFoldChange, adjustedP }): SampleHeatmapGene => {
    if (logCpm.length !== samples.length) {
      throw new FigureInputError(
        'surest',
        `${logCpm.length} values of ${symbol} do not fit ${samples.length} samples`,
      );
    }
    return {
      gene: cleanLabel(symbol),
      logFoldChange,
      adjustedP,
      scores: scoresOf(order.map((at) => logCpm[at]!)),
    };
  });
  const head = sampleHead(input);
  const spec: SampleHeatmapSpec = {
    version: 1,
    kind: 'sample-heatmap',
    ...head,
    datasetName: cleanLabel(input.datasetName),
    summary: `${genes.length === 1 ? 'the gene of the smallest p-value' : `the ${countText(genes.length)} genes of the smallest p-values`} · ${samplesText(samples, head.sides)}`,
    size: { width: figureWidth, height: 0 },
    samples: order.map((at) => ({ label: labels[at]!, side: samples[at]!.side })),
    genes: [
      ...genes.filter(({ logFoldChange }) => logFoldChange > 0),
      ...genes.filter(({ logFoldChange }) => !(logFoldChange > 0)),
    ],
    ramp,
  };
  const height = heightAround(spec) + Math.max(3, genes.length) * defaultRow;
  return {
    spec: { ...spec, size: { width: figureWidth, height } },
    columns: {},
    drawing: sampleHeatmapDrawing,
  };
}

/** Deviations from the mean in standard deviations, all 0 if nothing varies. */
function scoresOf(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const deviation = Math.sqrt(squares / Math.max(1, values.length - 1));
  return values.map((value) => (deviation > 0 ? Number(((value - mean) / deviation).toFixed(3)) : 0));
}

const sampleHeatmapDrawing = withMinimumSize<SampleHeatmapSpec>(
  {
    scene: sampleHeatmapScene,
    fit: (spec, size) => {
      const fitted = { ...spec, size, fitted: { leftOut: '' } };
      const maxGenes = Math.max(1, Math.floor((size.height - heightAround(fitted)) / minRow));
      const limit = spec.genes.map(({ adjustedP }) => adjustedP).toSorted((one, other) => one - other)[
        maxGenes - 1
      ];
      const genes = spec.genes.filter(({ adjustedP }) => adjustedP <= (limit ?? 1)).slice(0, maxGenes);
      const leftOut = fitText(genes.length, spec.genes.length, 'genes');
      return { spec: { ...fitted, genes, fitted: { leftOut } }, isWhole: leftOut === '' };
    },
    dark: () => ({ ramp: darkRamp }),
  },
  {
    size: { width: 280, height: 220 },
    sentence: ({ genes }) => `Enlarge to see ${genes.length} genes by sample.`,
  },
);

export const sampleHeatmap = plot<typeof sampleHeatmapContent>(
  'sample-heatmap',
  ({ tested }, { datasetName }) => sampleHeatmapFigure({ ...tested, datasetName }),
);
