import { countText } from '@cellfolio/model';
import { z } from 'zod';
import { FigureInputError } from '../drawing/checked-input.ts';
import {
  sampleHead,
  sampleLabels,
  samplesText,
  type SampleFigureSpec,
  type Side,
  sideColours,
} from '../drawing/samples/sample-figure.ts';
import { swarm } from '../drawing/samples/swarm.ts';
import { lineBetween } from '../drawing/scene/lines.ts';
import { hairlineColour, zeroLineColour } from '../drawing/scene/style.ts';
import { categoryLabels, cleanLabel } from '../drawing/text/fit-text.ts';
import { areTicksClear, valueText } from '../drawing/text/number-text.ts';
import { figureKind } from '../figure-kind.ts';
import type { NumberAxis } from '../frame/axes.ts';
import type { Chart } from '../frame/frame.ts';
import { sideLine } from '../frame/legend.ts';
import { box, dot, type Mark, stroke } from '../marks.ts';
import type { InputValues } from '../plot.ts';
import { common, count, list, type SpecOf, text } from '../plot-words.ts';
import { compositionDots } from './declare.ts';

const share = z.number().min(0).max(1);

const numbers = z.object({
  kind: z.literal('composition-dots'),
  ...common,
  subtitle: text,
  sides: z.object({ a: text, b: text }),
  groupTitle: text,
  transform: z.enum(['logit', 'asin']),
  threshold: z.number(),
  samples: list(z.object({ label: text, side: z.enum(['a', 'b']) })),
  groups: list(
    z.object({
      label: text,
      means: z.object({ a: share, b: share }),
      effect: z.number(),
      adjustedP: z.number(),
    }),
  ),
  groupCount: count,
  differing: count,
});

export type Numbers = z.output<typeof numbers>;

export interface Spec extends SpecOf<{ numbers: typeof numbers }, 'groups', SampleFigureSpec> {
  /** Paired samples by their place, that of A first. */
  pairs?: readonly (readonly [number, number])[];
  /** Drawn groups; shares from 0 to 1. */
  groups: readonly {
    label: string;
    shares: readonly number[];
    means: Readonly<Record<Side, number>>;
    effect: number;
    adjustedP: number;
  }[];
}

const maxGroups = 40;

/** The categories with the smallest p-values. Throws FigureInputError if values are not shares, or belong to other samples. */
function decide({ composition: input }: Pick<InputValues, 'composition'>) {
  const { samples, categories, pairs, transform, threshold } = input;
  if (samples.length < 2)
    throw new FigureInputError('samples', `${samples.length} samples cannot be compared`);
  for (const { name, shares } of categories) {
    if (shares.length === samples.length && Array.from(shares).every((share) => share >= 0 && share <= 1))
      continue;
    throw new FigureInputError(
      'categories',
      `the shares of ${name} are not those of ${samples.length} samples`,
    );
  }
  const head = sampleHead({ ...input, part: '' });
  const shown = categories.slice(0, maxGroups);
  const labels = categoryLabels(shown.map(({ name }) => name));
  const names = sampleLabels(samples);
  const differing = categories.filter(({ adjustedP }) => adjustedP < threshold).length;
  const groups = shown.map(({ shares, effect, adjustedP }, at) => {
    const own = Array.from(shares);
    return {
      label: labels[at]!,
      shares: own,
      means: { a: meanOf(own, samples, 'a'), b: meanOf(own, samples, 'b') },
      effect,
      adjustedP,
    };
  });
  return {
    ...head,
    summary: [
      `${countText(differing)} of ${countText(categories.length)} categories differ`,
      samplesText(samples, head.sides),
      ...(shown.length < categories.length ? [`the ${maxGroups} of the smallest p-values`] : []),
    ].join(' · '),
    groupTitle: cleanLabel(input.groupTitle),
    transform,
    threshold,
    samples: samples.map(({ side }, at) => ({ label: names[at]!, side })),
    ...(pairs && { pairs }),
    groups,
    groupCount: categories.length,
    differing,
  };
}

function meanOf(
  shares: readonly number[],
  samples: InputValues['composition']['samples'],
  side: Side,
): number {
  const own = shares.filter((_, at) => samples[at]!.side === side);
  return own.length === 0 ? 0 : own.reduce((sum, share) => sum + share, 0) / own.length;
}

function chart(spec: Spec): Chart {
  const { groups, groupTitle, sides, threshold } = spec;
  return {
    x: shareAxis(Math.max(0.01, ...groups.flatMap(({ shares }) => shares))),
    y: {
      rows: groups,
      // Sorted by p-value: the last ones yield first.
      weight: (row) => -row,
      title: groupTitle,
      noun: 'categories',
      texts: [
        {
          title: 'adjusted p',
          side: 'right',
          name: 'p-values',
          text: (row) => valueText(groups[row]!.adjustedP),
          isStrong: (row) => groups[row]!.adjustedP < threshold,
        },
      ],
      sizes: { file: () => 46, min: 26, max: 110, labels: { file: 200, part: 0.3 } },
    },
    legend: sideLine(sides),
    marks: [linesBetween(groups.length), ...groups.map((group, row) => samplesOf(spec, group, row))],
  };
}

/** Shares in per cent on a root scale: rare categories have room beside common ones. */
function shareAxis(maxShare: number): NumberAxis {
  return {
    domain: [0, 100 * maxShare],
    place: Math.sqrt,
    inset: 4,
    name: [
      'Share of the cells of a sample (%), root scale',
      'Share of cells (%), root scale',
      'Share (%), root scale',
    ],
    ticks(_, x) {
      let ticks = [0];
      // The largest first, then each that keeps clear of those before it.
      for (const tick of [100, 75, 50, 25, 10, 5, 2, 1, 0.5, 0.2, 0.1]) {
        const more = [...ticks, tick].sort((a, b) => a - b);
        if (tick <= 100 * maxShare && areTicksClear(more, x)) ticks = more;
      }
      return ticks;
    },
  };
}

function linesBetween(rows: number): Mark {
  const lower = Array.from({ length: rows - 1 }, (_, row) => row + 1);
  return ({ y, panel }) =>
    lower.flatMap((row) => box(panel.x, (y(row - 1) + y(row)) / 2 - 0.5, panel.width, 1, hairlineColour));
}

/** The samples of one category: those of A above, those of B below, pairs joined, and the mean of each side. */
function samplesOf(
  { samples, pairs = [] }: Spec,
  { shares, means }: Spec['groups'][number],
  row: number,
): Mark {
  return (plane) => {
    const { x, y } = plane;
    if (Number.isNaN(y(row))) return [];
    const radius = Math.min(samples.length > 60 ? 2.5 : 4, y.band / 9);
    const middle = { a: -0.22 * y.band, b: 0.22 * y.band };
    const dys = new Array<number>(samples.length).fill(0);
    for (const side of ['a', 'b'] as const) {
      const own = [...samples.keys()].filter((place) => samples[place]!.side === side);
      const moved = swarm(
        own.map((place) => x(100 * shares[place]!)),
        radius + 0.5,
        Math.max(0, 0.19 * y.band - radius),
      );
      own.forEach((place, rank) => (dys[place] = middle[side] + moved[rank]!));
    }
    const at = (place: number) => [x(100 * shares[place]!), y(row) + dys[place]!] as const;
    return [
      ...pairs.map(([one, other]) => lineBetween(at(one), at(other), { width: 1, colour: zeroLineColour })),
      ...dot(samples, {
        x: (_, place) => 100 * shares[place]!,
        y: row,
        dy: (_, place) => dys[place]!,
        radius,
        rim: 1,
        fill: ({ side }) => sideColours[side],
      })(plane),
      ...stroke(['a', 'b'] as const, {
        x: (side) => 100 * means[side],
        y: row,
        dy: (side) => middle[side],
        width: 2,
        height: 0.4 * y.band,
      })(plane),
    ];
  };
}

export const figure = figureKind<Spec, typeof compositionDots>(compositionDots, {
  numbers,
  decide,
  chart,
  file: { width: 760 },
  sentence: ({ groupCount }) => `Enlarge to see the shares of ${countText(groupCount)} categories.`,
});
