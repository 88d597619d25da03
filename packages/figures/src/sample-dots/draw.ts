import { countText } from '@cellfolio/model';
import { z } from 'zod';
import { FigureInputError } from '../drawing/checked-input.ts';
import {
  checkSamples,
  sampleHead,
  sampleLabels,
  type SampleFigureSpec,
  type Side,
  sideColours,
} from '../drawing/samples/sample-figure.ts';
import { swarm } from '../drawing/samples/swarm.ts';
import { lineBetween } from '../drawing/scene/lines.ts';
import { zeroLineColour } from '../drawing/scene/style.ts';
import { categoryLabel, cleanLabel } from '../drawing/text/fit-text.ts';
import { valueText } from '../drawing/text/number-text.ts';
import { figureKind } from '../figure-kind.ts';
import type { Chart } from '../frame/frame.ts';
import { type Domain, type Scale, widened } from '../frame/scales.ts';
import { dot, type Mark, stroke } from '../marks.ts';
import { common, list, number, type SpecOf, text } from '../plot-words.ts';
import type { PseudobulkInput } from '../pseudobulk-input.ts';
import { sampleDots } from './declare.ts';

const numbers = z
  .object({
    kind: z.literal('sample-dots'),
    ...common,
    subtitle: text,
    sides: z.object({ a: text, b: text }),
    gene: text,
    /** Null if the gene was not tested, as its adjusted p. */
    logFoldChange: number,
    adjustedP: number,
    /** `value` is log2 of the counts per million. */
    samples: list(z.object({ label: text, side: z.enum(['a', 'b']), value: z.number() })),
    /** Null for a side without samples. */
    means: z.object({ a: number, b: number }),
    /** Title of the pairing, and the paired indices into `samples`, that of A first. */
    pairs: z.object({ title: text, places: list(z.tuple([z.int(), z.int()])) }).optional(),
  })
  .refine(({ samples, pairs }) =>
    (pairs?.places ?? []).every((pair) => pair.every((place) => samples[place])),
  );

export type Numbers = z.output<typeof numbers>;

export interface Spec extends SpecOf<{ numbers: typeof numbers }, never, SampleFigureSpec> {
  domain: Domain;
}

/** A gene's log2 counts per million in each sample. Throws FigureInputError without a gene, or for a non-finite value. */
function decide({ tested: input }: { tested: PseudobulkInput }) {
  checkSamples(input);
  const { gene, samples } = input;
  if (!gene) throw new FigureInputError('gene', 'a figure of samples by a gene needs the gene');
  const symbol = categoryLabel(gene.symbol);
  const labels = sampleLabels(samples);
  const shown = samples.map(({ side }, at) => ({ label: labels[at]!, side, value: gene.logCpm[at]! }));
  const wrong = shown.find(({ value }) => !Number.isFinite(value));
  if (wrong) throw new FigureInputError('gene', `the value of ${wrong.label} is ${wrong.value}`);
  const head = sampleHead(input);
  const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);
  const [logFoldChange, adjustedP] = [finite(gene.logFoldChange), finite(gene.adjustedP)];
  const pairs = pairsOf(input);
  return {
    ...head,
    title: symbol,
    subtitle: [head.title, head.subtitle].filter(Boolean).join(' · '),
    summary:
      logFoldChange === null || adjustedP === null
        ? 'not tested: too few counts'
        : `log₂ fold change ${valueText(logFoldChange)}, adjusted p ${valueText(adjustedP)}`,
    gene: symbol,
    logFoldChange,
    adjustedP,
    domain: widened(
      shown.map(({ value }) => value),
      0.08,
    ),
    samples: shown,
    means: { a: meanOf(shown, 'a'), b: meanOf(shown, 'b') },
    ...(pairs && { pairs }),
  };
}

function meanOf(samples: Spec['samples'], side: Side): number | null {
  const own = samples.filter((sample) => sample.side === side);
  return own.length === 0 ? null : own.reduce((sum, { value }) => sum + value, 0) / own.length;
}

/** Pairs with one sample on each side; a level with more per side cannot be shown as a line. */
function pairsOf({ columns, samples }: PseudobulkInput): Spec['pairs'] {
  const pairing = columns.find(({ role }) => role === 'pairing');
  if (!pairing) return undefined;
  const levels = new Map<string | number, Record<Side, number[]>>();
  samples.forEach(({ side }, at) => {
    const level = pairing.values[at];
    if (level === null || level === undefined) return;
    const pair = levels.get(level) ?? { a: [], b: [] };
    pair[side].push(at);
    levels.set(level, pair);
  });
  const places = [...levels.values()].flatMap(({ a, b }) =>
    a.length === 1 && b.length === 1 ? [[a[0]!, b[0]!] as const] : [],
  );
  return { title: cleanLabel(pairing.name), places };
}

/** The reference side comes first, so that a rising line means a gene that is higher in A. */
const order = ['b', 'a'] as const;
const columnOf: Readonly<Record<Side, number>> = { b: 0, a: 1 };

function chart(spec: Spec): Chart {
  const { sides, samples, domain } = spec;
  return {
    x: {
      columns: order.map((side) => ({
        label: sides[side],
        below: `n = ${countText(samples.filter((sample) => sample.side === side).length)}`,
      })),
    },
    y: { domain, name: 'log₂ counts per million' },
    marks: [samplesAndMeans(spec)],
    titleStyle: 'semibold-italic',
  };
}

/** Lines between pairs, which end where the swarm has moved the samples, the mean of each side, and the samples. */
function samplesAndMeans({ samples, means, pairs }: Spec): Mark {
  return (plane) => {
    const { x, y } = plane;
    const radius = samples.length > 80 ? 3 : samples.length > 30 ? 4 : 5.5;
    const dxs = offsetsOf(samples, y, { radius: radius + 0.5, reach: x.band * (pairs ? 0.18 : 0.34) });
    const at = (place: number) =>
      [x(columnOf[samples[place]!.side]) + dxs[place]!, y(samples[place]!.value)] as const;
    return [
      ...(pairs?.places ?? []).map(([one, other]) =>
        lineBetween(at(one), at(other), { width: 1.25, colour: zeroLineColour }),
      ),
      ...stroke(order, {
        x: (side) => columnOf[side],
        y: (side) => means[side] ?? Number.NaN,
        width: 2 * Math.min(0.4 * x.band, 90),
        height: 2.5,
      })(plane),
      ...dot(samples, {
        x: ({ side }) => columnOf[side],
        y: ({ value }) => value,
        dx: (_, place) => dxs[place]!,
        radius,
        rim: 1,
        fill: ({ side }) => sideColours[side],
      })(plane),
    ];
  };
}

function offsetsOf(
  samples: Spec['samples'],
  y: Scale,
  { radius, reach }: { radius: number; reach: number },
): number[] {
  const offsets = new Array<number>(samples.length).fill(0);
  for (const side of order) {
    const own = [...samples.keys()].filter((place) => samples[place]!.side === side);
    const moved = swarm(
      own.map((place) => y(samples[place]!.value)),
      radius,
      reach,
    );
    own.forEach((place, rank) => (offsets[place] = moved[rank]!));
  }
  return offsets;
}

export const figure = figureKind<Spec, typeof sampleDots>(sampleDots, {
  numbers,
  decide,
  chart,
  file: { height: 540 },
  sentence: ({ samples }) => `Enlarge to see ${samples.length} samples.`,
});
