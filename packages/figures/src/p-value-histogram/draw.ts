import { countText } from '@cellfolio/model';
import { z } from 'zod';
import { FigureInputError } from '../drawing/checked-input.ts';
import {
  checkSamples,
  sampleHead,
  samplesText,
  type SampleFigureSpec,
} from '../drawing/samples/sample-figure.ts';
import { notSignificant, significant } from '../drawing/scene/style.ts';
import { figureKind } from '../figure-kind.ts';
import type { Chart } from '../frame/frame.ts';
import { dashedY, rect } from '../marks.ts';
import { common, count, type SpecOf, text } from '../plot-words.ts';
import type { PseudobulkInput } from '../pseudobulk-input.ts';
import { pValueHistogram } from './declare.ts';
import { histogramShapes, shapeOf } from './shape.ts';

const numbers = z.object({
  kind: z.literal('p-value-histogram'),
  ...common,
  subtitle: text,
  tested: count,
  /** Genes in equal bins from 0 to 1. */
  counts: z.array(count).min(4).max(1000),
  expected: z.number().nonnegative(),
  shape: z.enum(histogramShapes),
});

export type Numbers = z.output<typeof numbers>;

export interface Spec extends SpecOf<{ numbers: typeof numbers }, never, SampleFigureSpec> {}

/** Genes by unadjusted p-value. Throws FigureInputError for invalid counts. */
function decide({ tested: input }: { tested: PseudobulkInput }) {
  checkSamples(input);
  const counts = Array.from(input.histogram);
  if (counts.length < 4 || counts.some((count) => !Number.isInteger(count) || count < 0)) {
    throw new FigureInputError('histogram', `${counts.join(', ')} are no counts of p-values`);
  }
  const head = sampleHead(input);
  return {
    ...head,
    summary: `${countText(input.tested)} genes tested · ${samplesText(input.samples, head.sides)}`,
    tested: input.tested,
    counts,
    expected: counts.reduce((sum, count) => sum + count, 0) / counts.length,
    shape: shapeOf(counts),
  };
}

function chart({ counts, expected }: Spec): Chart {
  const bins = counts.length;
  return {
    x: {
      domain: [0, 1],
      name: 'p-value, not adjusted',
      ticks: (length) => (length < 200 ? [0, 0.5, 1] : [0, 0.2, 0.4, 0.6, 0.8, 1]),
    },
    y: { domain: [0, 1.05 * Math.max(1, expected, ...counts)], name: 'genes' },
    note: `Dashed: ${countText(Math.round(expected))} each if no gene differed`,
    marks: [
      rect(counts, {
        x1: (_, bin) => bin / bins,
        x2: (_, bin) => (bin + 1) / bins,
        y1: 0,
        y2: (count) => count,
        inset: 0.5,
        // The first twentieth is where p-values below 0.05 are.
        fill: (_, bin) => (bin === 0 ? significant : notSignificant),
      }),
      dashedY(expected, 1.5),
    ],
  };
}

export const figure = figureKind<Spec, typeof pValueHistogram>(pValueHistogram, {
  numbers,
  decide,
  chart,
  sentence: ({ tested }) => `Enlarge to see ${countText(tested)} p-values.`,
});
