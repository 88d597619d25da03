import { countText, type Caution, type CellMask, type Embedding, plural } from '@cellfolio/model';
import { checkLog, checkRange, defaultUnits, rangeText, FigureInputError } from '../drawing/checked-input.ts';
import { outsideGrey, scoreRamp, darkScoreRamp } from '../drawing/colour/ramps.ts';
import type { ScatterSpec, Drawing, Figure } from '../drawing/figure.ts';
import { frameText, scatterFrame } from '../drawing/scatter-frame.ts';
import { scoreDomain, type ScoreDomain } from './score-domain.ts';
import { cleanLabel } from '../drawing/text/fit-text.ts';
import { shuffledOrder, type PointLayer } from '../drawing/raster/point-layer.ts';
import { barScatterScene, fitBarScatter } from '../drawing/scene/bar-scatter-scene.ts';
import type { Scene } from '../drawing/scene/scene.ts';
import { themedInk } from '../drawing/themed-ink.ts';
import { plot } from '../plot.ts';
import { type MapShown, hidesSome } from '../shown.ts';
import type { scoreUmapContent, obsUmapContent } from './content.ts';
import { categoryUmapFigure } from './category-umap.ts';

interface ScoreUmapSpec extends ScatterSpec {
  kind: 'score-umap' | 'obs-umap' | 'pseudotime-umap' | 'gradient-umap';
  column?: string;
  unit: string;
  /** Genes or parts of the score, on a separate line; empty for none. */
  subtitle: string;
  domain: ScoreDomain;
  /** True if colours follow log(1 + x); the domain is still that of x. */
  log?: true;
  /** Counted cells with a NaN or infinite score: drawn like cells outside. */
  notScored: number;
  colours: { ramp: readonly string[]; outside: string };
  cautions?: readonly Caution[];
}

const withoutScore = {
  'score-umap': 'not scored',
  'obs-umap': 'without a value',
  'pseudotime-umap': 'without pseudotime',
  'gradient-umap': 'not tested',
} as const;

interface ScoreUmapInput {
  /** `obs-umap` for a column of obs; default `score-umap`. */
  kind?: ScoreUmapSpec['kind'];
  columnName?: string;
  embedding: Embedding;
  /** One per cell; NaN if not scored. */
  scores: Float64Array;
  title: string;
  datasetName: string;
  /** Unit of the colour bar; default `signature score`. */
  unit?: string;
  subtitle?: string;
  /** Cells counted and coloured; the others are a faint silhouette. */
  mask?: CellMask;
  cautions?: readonly Caution[];
  /** Ends of the colour bar, instead of the scores' own. */
  range?: readonly [number, number];
  shown?: MapShown;
}

/**
 * A score on an embedding, in an order independent of the scores. The colour bar runs from the minimum to the maximum;
 * if a few of at least 200 cells are far out it ends at the 1st or 99th percentile and shows `≤` or `≥`. Throws
 * FigureInputError if scores, embedding and mask do not describe the same cells.
 */
function scoreUmapSpec(input: ScoreUmapInput): ScoreUmapSpec {
  const { embedding, scores, mask } = input;
  const frame = scatterFrame(embedding, scores.length, input);
  const { range, shown } = input;
  if (range !== undefined) checkRange(range);
  const measured = scoreDomain(scores, mask);
  const { scored } = measured;
  const domain = range === undefined ? measured.domain : domainOfRange(range, measured.domain);
  if (shown?.log === true) checkLog(measured.domain.min, range);
  const { cells } = frame.counts;
  const notScored = cells - scored;
  return {
    version: 1,
    kind: input.kind ?? 'score-umap',
    ...(input.columnName !== undefined && { column: input.columnName }),
    title: cleanLabel(input.title),
    datasetName: cleanLabel(input.datasetName),
    subtitle: cleanLabel(input.subtitle ?? ''),
    summary: [
      plural(scored, 'cell'),
      ...(notScored > 0 ? [`${countText(notScored)} ${withoutScore[input.kind ?? 'score-umap']}`] : []),
      ...frameText(frame),
      ...rangeText(range),
    ].join(' · '),
    size: { width: 600, height: 500 },
    ...frame,
    order: 'shuffled',
    unit: cleanLabel(input.unit ?? defaultUnits.score),
    domain,
    ...(shown?.log === true && { log: true as const }),
    ...(range && { range }),
    notScored,
    colours: { ramp: scoreRamp, outside: outsideGrey },
    ...((input.cautions ?? []).length > 0 && { cautions: input.cautions! }),
  };
}

function domainOfRange([low, high]: readonly [number, number], { min, max }: ScoreDomain): ScoreDomain {
  return { low, high, min, max, clippedLow: min < low, clippedHigh: max > high };
}

type ScoreUmapFigure = Figure<ScoreUmapSpec, ScoreUmapInput>;

const drawing: Drawing<ScoreUmapSpec, ScoreUmapInput> = {
  scene,
  points: (figure) => [pointLayer(figure)],
  fit: (spec, size) => fitBarScatter(spec, size, scene),
  dark: ({ colours }) => ({
    colours: { ramp: darkScoreRamp, outside: themedInk(colours.outside, 'dark') },
  }),
};

/** Throws FigureInputError if scores, embedding and mask do not describe the same cells. */
export function scoreUmapFigure(input: ScoreUmapInput): ScoreUmapFigure {
  return { spec: scoreUmapSpec(input), columns: input, drawing };
}

function scene(spec: ScoreUmapSpec): Scene {
  const { domain, colours, unit } = spec;
  return barScatterScene(
    spec,
    { ...domain, ramp: colours.ramp, unit, log: spec.log === true, marksZero: spec.kind === 'score-umap' },
    'semibold',
  );
}

function pointLayer({ spec, columns }: Pick<ScoreUmapFigure, 'spec' | 'columns'>): PointLayer {
  const { mask } = columns;
  const isLog = spec.log === true;
  const { low, high } = isLog
    ? { low: Math.log1p(spec.domain.low), high: Math.log1p(spec.domain.high) }
    : spec.domain;
  const scores = isLog ? columns.scores.map(Math.log1p) : columns.scores;
  const bits = mask?.bits;
  const shades = spec.colours.ramp.length;
  const scale = high > low ? shades / (high - low) : 0;
  const cellInk = new Uint8Array(scores.length);
  for (let cell = 0; cell < scores.length; cell++) {
    const score = scores[cell]!;
    if (score - score !== 0 || (bits !== undefined && bits[cell] !== 1)) continue;
    // Compared before the truncation, which would wrap around for scores far beyond the bar.
    const shade = score <= low ? 0 : score >= high ? shades - 1 : ((score - low) * scale) | 0;
    cellInk[cell] = 1 + (shade < shades ? shade : shades - 1);
  }
  return {
    inks: [spec.colours.outside, ...spec.colours.ramp],
    cellInk,
    order: shuffledOrder(cellInk, 1).order,
  };
}

export const scoreUmap = plot<typeof scoreUmapContent>(
  'score-umap',
  ({ embedding, score }, setting) => scoreUmapFigure({ ...setting, ...score, embedding }),
  ({ score: { scores, title, subtitle } }) => ({
    values: scores,
    words: `Score of ${title} (${subtitle})`,
  }),
);

/** Throws FigureInputError like the figures of categories and numbers, and for a column of the other kind. */
export const obsUmap = plot<typeof obsUmapContent>('obs-umap', ({ embedding, values }, setting) => {
  const { shown, range } = setting;
  if ('column' in values) {
    if (shown?.log === true) throw new FigureInputError('log', 'Categories have no logarithm to color by.');
    if (range !== undefined) throw new FigureInputError('range', 'Categories have no range of values.');
    return categoryUmapFigure({ ...setting, ...values, embedding });
  }
  if (shown && hidesSome(shown)) {
    throw new FigureInputError('hidden', 'A column of numbers has no categories that could be hidden.');
  }
  return scoreUmapFigure({ ...setting, ...values, embedding, kind: 'obs-umap' });
});
