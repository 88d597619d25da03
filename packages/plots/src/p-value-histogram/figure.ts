import { countText } from '@cellfolio/model';
import { FigureInputError } from '../drawing/checked-input.ts';
import type { Figure } from '../drawing/figure.ts';
import {
  checkSamples,
  sampleHead,
  samplesText,
  type SampleFigureSpec,
} from '../drawing/samples/sample-figure.ts';
import { type FigureSetting, plot } from '../plot.ts';
import type { PseudobulkInput } from '../pseudobulk-input.ts';
import type { pValueHistogramContent } from '../pseudobulk-content.ts';
import { withMinimumSize } from '../drawing/minimum-size.ts';
import { heading, panelTop } from '../drawing/scene/panel.ts';
import { axisGutter, planeAxes, scalesOf } from '../drawing/scene/plane-axes.ts';
import type { Mark, Rectangle, Scene, TextMark } from '../drawing/scene/scene.ts';
import {
  figureWidth,
  inkColour,
  margin,
  notSignificant,
  significant,
  smallSize,
  softInk,
} from '../drawing/scene/style.ts';
import { ellipsised } from '../drawing/text/fit-text.ts';
import type { SpecOf } from '../plot-words.ts';
import { shapeOf } from './shape.ts';
import type { pValueHistogramWords } from './words.ts';

type PValueHistogramInput = PseudobulkInput & Pick<FigureSetting, 'datasetName'>;

/** Genes by unadjusted p-value. Throws FigureInputError for invalid counts. */
export function pValueHistogramFigure(input: PValueHistogramInput): Figure<PValueHistogramSpec> {
  checkSamples(input);
  const counts = Array.from(input.histogram);
  if (counts.length < 4 || counts.some((count) => !Number.isInteger(count) || count < 0)) {
    throw new FigureInputError('histogram', `${counts.join(', ')} are no counts of p-values`);
  }
  const all = counts.reduce((sum, count) => sum + count, 0);
  const head = sampleHead(input, input.datasetName);
  const spec: PValueHistogramSpec = {
    version: 1,
    kind: 'p-value-histogram',
    ...head,
    summary: `${countText(input.tested)} genes tested · ${samplesText(input.samples, head.sides)}`,
    size: pValueHistogramSize,
    tested: input.tested,
    counts,
    expected: all / counts.length,
    shape: shapeOf(counts),
  };
  return { spec, columns: {}, drawing: pValueHistogramDrawing };
}

export const pValueHistogram = plot<typeof pValueHistogramContent>(
  'p-value-histogram',
  ({ tested }, { datasetName }) => pValueHistogramFigure({ ...tested, datasetName }),
);

interface PValueHistogramSpec extends SpecOf<typeof pValueHistogramWords, never, SampleFigureSpec> {}

const pValueHistogramSize = { width: figureWidth, height: 460 } as const;

const head = 20;
const dash = { length: 6, pitch: 10 } as const;

const pValueHistogramDrawing = withMinimumSize<PValueHistogramSpec>(
  { scene, fit: (spec, size) => ({ spec: { ...spec, size, fitted: { leftOut: '' } }, isWhole: true }) },
  {
    size: { width: 200, height: 160 },
    sentence: ({ tested }) => `Enlarge to see ${countText(tested)} p-values.`,
  },
);

function scene(spec: PValueHistogramSpec): Scene {
  const { size, counts, expected } = spec;
  const top = panelTop(spec) + head;
  const left = margin + axisGutter.left;
  const panel = {
    x: left,
    y: top,
    width: size.width - margin - left - 8,
    height: size.height - top - axisGutter.bottom - margin / 2,
  };
  const domain = [0, 1.05 * Math.max(1, expected, ...counts)] as const;
  const { yOf } = scalesOf(panel, [0, 1], domain);
  const step = panel.width / counts.length;
  return {
    ...size,
    panel,
    marks: [
      ...heading(spec, 'semibold'),
      ...planeAxes(panel, {
        x: {
          domain: [0, 1],
          ticks: panel.width < 200 ? [0, 0.5, 1] : [0, 0.2, 0.4, 0.6, 0.8, 1],
          name: { text: 'p-value, not adjusted', style: 'regular' },
        },
        y: { domain, name: { text: 'genes', style: 'regular' } },
      }),
      ...counts
        .map((count, bin): Mark => ({
          kind: 'rectangle',
          x: panel.x + bin * step + 0.5,
          y: yOf(count),
          width: step - 1,
          height: panel.y + panel.height - yOf(count),
          // The first twentieth is where p-values below 0.05 are.
          colour: bin === 0 ? significant : notSignificant,
        }))
        .filter((_, bin) => counts[bin]! > 0),
      ...expectation(panel, yOf(expected), expected),
    ],
  };
}

function expectation(panel: Rectangle, y: number, expected: number): Mark[] {
  const marks: Mark[] = [];
  for (let x = panel.x; x < panel.x + panel.width; x += dash.pitch) {
    const width = Math.min(dash.length, panel.x + panel.width - x);
    marks.push({ kind: 'rectangle', x, y: y - 0.75, width, height: 1.5, colour: inkColour });
  }
  const caption = `Dashed: ${countText(Math.round(expected))} each if no gene differed`;
  const text: TextMark = {
    kind: 'text',
    size: smallSize,
    style: 'regular',
    text: ellipsised(caption, panel.width, smallSize),
    x: panel.x + panel.width,
    y: panel.y - 7,
    colour: softInk,
    anchor: 'end',
  };
  return [...marks, text];
}
