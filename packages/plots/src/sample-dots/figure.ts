import { countText } from '@cellfolio/model';
import { FigureInputError } from '../drawing/checked-input.ts';
import type { Figure } from '../drawing/figure.ts';
import {
  checkSamples,
  sampleHead,
  sampleLabels,
  type Side,
  type SampleFigureSpec,
  sideColours,
} from '../drawing/samples/sample-figure.ts';
import { categoryLabel, cleanLabel, ellipsisedInside } from '../drawing/text/fit-text.ts';
import { valueText } from '../drawing/text/number-text.ts';
import { type FigureSetting, plot } from '../plot.ts';
import type { PseudobulkInput } from '../pseudobulk-input.ts';
import type { sampleDotsContent } from '../pseudobulk-content.ts';
import { withMinimumSize } from '../drawing/minimum-size.ts';
import { swarm } from '../drawing/samples/swarm.ts';
import { sampleMark } from '../drawing/samples/sample-marks.ts';
import { lineBetween } from '../drawing/scene/lines.ts';
import { heading, panelTop } from '../drawing/scene/panel.ts';
import { axisGutter, scalesOf, upAxis } from '../drawing/scene/plane-axes.ts';
import type { Mark, TextMark, VectorMark, VectorScene } from '../drawing/scene/scene.ts';
import {
  figureWidth,
  inkColour,
  margin,
  smallSize,
  softInk,
  zeroLineColour,
} from '../drawing/scene/style.ts';
import type { SpecOf } from '../plot-words.ts';
import type { sampleDotsWords } from './words.ts';

type SampleDotsInput = PseudobulkInput & Pick<FigureSetting, 'datasetName'>;

/**
 * A gene's log2 counts per million in each sample. Throws FigureInputError without a gene, or for a non-finite value.
 */
export function sampleDotsFigure(input: SampleDotsInput): Figure<SampleDotsSpec> {
  checkSamples(input);
  const { gene, samples } = input;
  if (!gene) throw new FigureInputError('gene', 'a figure of samples by a gene needs the gene');
  const symbol = categoryLabel(gene.symbol);
  const labels = sampleLabels(samples);
  const shown = samples.map(({ side }, at) => ({ label: labels[at]!, side, value: gene.logCpm[at]! }));
  const wrong = shown.find(({ value }) => !Number.isFinite(value));
  if (wrong) throw new FigureInputError('gene', `the value of ${wrong.label} is ${wrong.value}`);
  const head = sampleHead(input, input.datasetName);
  const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);
  const [logFoldChange, adjustedP] = [finite(gene.logFoldChange), finite(gene.adjustedP)];
  const paired = pairsOf(input);
  const spec: SampleDotsSpec = {
    version: 1,
    kind: 'sample-dots',
    ...head,
    title: symbol,
    subtitle: [head.title, head.subtitle].filter(Boolean).join(' · '),
    summary:
      logFoldChange === null || adjustedP === null
        ? 'not tested: too few counts'
        : `log₂ fold change ${valueText(logFoldChange)}, adjusted p ${valueText(adjustedP)}`,
    size: sampleDotsSize,
    gene: symbol,
    logFoldChange,
    adjustedP,
    domain: domainOf(shown.map(({ value }) => value)),
    samples: shown,
    means: { a: meanOf(shown, 'a'), b: meanOf(shown, 'b') },
    ...(paired && { pairs: paired }),
  };
  return { spec, columns: {}, drawing: sampleDotsDrawing };
}

function meanOf(samples: SampleDotsSpec['samples'], side: Side): number | null {
  const own = samples.filter((sample) => sample.side === side);
  return own.length === 0 ? null : own.reduce((sum, { value }) => sum + value, 0) / own.length;
}

function domainOf(values: readonly number[]): [number, number] {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const more = 0.08 * (high - low) || 0.5;
  return [low - more, high + more];
}

/** Pairs with one sample on each side; a level with more per side cannot be shown as a line. */
function pairsOf({ columns, samples }: PseudobulkInput): SampleDotsSpec['pairs'] {
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

export const sampleDots = plot<typeof sampleDotsContent>('sample-dots', ({ tested }, { datasetName }) =>
  sampleDotsFigure({ ...tested, datasetName }),
);

interface SampleDotsSpec extends SpecOf<typeof sampleDotsWords, never, SampleFigureSpec> {
  domain: readonly [number, number];
}

const sampleDotsSize = { width: figureWidth, height: 540 } as const;

const sampleDotsDrawing = withMinimumSize<SampleDotsSpec>(
  { scene, fit: (spec, size) => ({ spec: { ...spec, size, fitted: { leftOut: '' } }, isWhole: true }) },
  {
    size: { width: 200, height: 170 },
    sentence: ({ samples }) => `Enlarge to see ${samples.length} samples.`,
  },
);

/** The reference side comes first, so that a rising line means a gene that is higher in A. */
const order = ['b', 'a'] as const;

function scene(spec: SampleDotsSpec): VectorScene {
  const { size, samples, means, pairs } = spec;
  const top = panelTop(spec) + 6;
  const left = margin + axisGutter.left;
  const panel = {
    x: left,
    y: top,
    width: size.width - margin - left,
    height: size.height - top - axisGutter.bottom - margin / 2,
  };
  const { yOf } = scalesOf(panel, [0, 1], spec.domain);
  const half = panel.width / order.length;
  const middleOf = (side: Side): number => panel.x + (order.indexOf(side) + 0.5) * half;
  const radius = samples.length > 80 ? 3 : samples.length > 30 ? 4 : 5.5;
  const reach = half * (pairs ? 0.18 : 0.34);
  const xs = placesOf(samples, yOf, { radius: radius + 0.5, reach }).map(
    (offset, at) => middleOf(samples[at]!.side) + offset,
  );
  const at = (place: number) => [xs[place]!, yOf(samples[place]!.value)] as const;
  return {
    ...size,
    panel,
    marks: [
      ...heading(spec, 'semibold-italic'),
      ...upAxis(panel, { domain: spec.domain, name: { text: 'log₂ counts per million', style: 'regular' } }),
      {
        kind: 'rectangle',
        x: panel.x - 1,
        y: panel.y + panel.height,
        width: panel.width + 1,
        height: 1,
        colour: softInk,
      },
      ...(pairs?.places ?? []).map(([one, other]): VectorMark =>
        lineBetween(at(one), at(other), { width: 1.25, colour: zeroLineColour }),
      ),
      ...order.flatMap((side) => meanLine(means[side], middleOf(side), Math.min(0.4 * half, 90), yOf)),
      ...samples.flatMap(({ side }, place) => {
        const [x, y] = at(place);
        return sampleMark(0, { x, y, radius, colour: sideColours[side] });
      }),
      ...order.flatMap((side) => sideTexts(spec, side, middleOf(side), half - 8, panel.y + panel.height)),
    ],
  };
}

function placesOf(
  samples: SampleDotsSpec['samples'],
  yOf: (value: number) => number,
  { radius, reach }: { radius: number; reach: number },
): number[] {
  const offsets = new Array<number>(samples.length).fill(0);
  for (const side of order) {
    const own = [...samples.keys()].filter((place) => samples[place]!.side === side);
    const moved = swarm(
      own.map((place) => yOf(samples[place]!.value)),
      radius,
      reach,
    );
    own.forEach((place, rank) => (offsets[place] = moved[rank]!));
  }
  return offsets;
}

function meanLine(mean: number | null, x: number, reach: number, yOf: (value: number) => number): Mark[] {
  if (mean === null) return [];
  const y = yOf(mean);
  return [{ kind: 'rectangle', x: x - reach, y: y - 1.25, width: 2 * reach, height: 2.5, colour: inkColour }];
}

function sideTexts(
  { sides, samples }: SampleDotsSpec,
  side: Side,
  x: number,
  room: number,
  bottom: number,
): TextMark[] {
  const name = ellipsisedInside(sides[side], room, smallSize);
  const count = samples.filter((sample) => sample.side === side).length;
  const small = { kind: 'text', size: smallSize, style: 'regular', anchor: 'middle', x } as const;
  return [
    {
      ...small,
      text: name,
      ...(name !== sides[side] && { full: sides[side] }),
      y: bottom + 20,
      colour: inkColour,
    },
    { ...small, text: `n = ${countText(count)}`, y: bottom + 40, colour: softInk },
  ];
}
