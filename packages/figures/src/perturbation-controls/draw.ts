import { plural } from '@cellfolio/model';
import { z } from 'zod';
import { FigureInputError } from '../drawing/checked-input.ts';
import { significant, zeroLineColour } from '../drawing/scene/style.ts';
import { lineBetween } from '../drawing/scene/lines.ts';
import { figureKind } from '../figure-kind.ts';
import type { Chart } from '../frame/frame.ts';
import { dot } from '../marks.ts';
import type { InputValues } from '../plot.ts';
import { common, count, list, type SpecOf } from '../plot-words.ts';
import { perturbationControls } from './declare.ts';

const numbers = z.object({
  kind: z.literal('perturbation-controls'),
  ...common,
  by: z.enum(['guides', 'chance']),
  /** Changed genes of each part. */
  changed: list(count),
  inflation: z.number().nonnegative(),
  /** −log10 p by chance and as observed. */
  points: list(z.tuple([z.number(), z.number()])),
});
export type Numbers = z.output<typeof numbers>;
interface Spec extends SpecOf<{ numbers: typeof numbers }> {}

function decide({ screen }: { screen: InputValues['perturbations'] }) {
  const { by, changed, inflation, expected, observed } = screen.null;
  if (expected.length !== observed.length)
    throw new FigureInputError('null', `${expected.length} quantiles are not ${observed.length}`);
  return {
    title: 'Controls against controls',
    summary: `${plural(changed.length, 'part')} ${by === 'guides' ? 'by guide' : 'at random'} · inflation ${inflation.toFixed(2)}`,
    by,
    changed: [...changed],
    inflation,
    points: expected.map((own, at) => [own, observed[at]!] as const),
    ...(screen.cautions && { cautions: screen.cautions }),
  };
}

function chart({ points }: Spec): Chart {
  const high = points.reduce((top, [expected]) => Math.max(top, expected), 1);
  const top = points.reduce((largest, [, observed]) => Math.max(largest, observed), high);
  return {
    x: { domain: [0, 1.04 * high], inset: 4, name: '−log₁₀ p, by chance' },
    y: { domain: [0, 1.04 * top], inset: 4, name: '−log₁₀ p, observed' },
    note: 'line: p-values as by chance',
    marks: [
      ({ x, y }) => [lineBetween([x(0), y(0)], [x(high), y(high)], { width: 1.5, colour: zeroLineColour })],
      dot(points, {
        x: ([expected]) => expected,
        y: ([, observed]) => observed,
        radius: 3,
        fill: significant,
      }),
    ],
  };
}

export const figure = figureKind<Spec, typeof perturbationControls>(perturbationControls, {
  numbers,
  decide,
  chart,
  file: { width: 560, height: 520 },
  sentence: ({ summary }) => `Enlarge to see the p-values of controls. ${summary}.`,
});
