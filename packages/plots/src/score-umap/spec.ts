import { countText, type Caution, type CellMask, type Embedding } from '@cellfolio/model';
import { checkRange, defaultUnits, rangeText } from '../drawing/checked-input.ts';
import { OUTSIDE_GREY } from '../drawing/colour/expression-ramp.ts';
import { scoreRamp } from '../drawing/colour/score-ramp.ts';
import type { ScatterSpec } from '../drawing/figure.ts';
import { scatterFrame } from '../drawing/scatter-frame.ts';
import { scoreDomain } from './score-domain.ts';
import type { ScoreDomain } from './score-domain.ts';
import { cleanLabel } from '../drawing/text/fit-text.ts';

export interface ScoreUmapSpec extends ScatterSpec {
  readonly kind: 'score-umap';
  readonly unit: string;
  /** What the score was made of, on a line of its own; empty for none. */
  readonly subtitle: string;
  readonly domain: ScoreDomain;
  /** Cells counted whose score is NaN or infinite: drawn like cells outside. */
  readonly notScored: number;
  readonly colours: { readonly ramp: readonly string[]; readonly outside: string };
  /** What to know of the score before it is interpreted. */
  readonly cautions?: readonly Caution[];
}

export interface ScoreUmapInput {
  readonly embedding: Embedding;
  /** One a cell; NaN where a cell was not scored. */
  readonly scores: Float64Array;
  readonly title: string;
  readonly datasetName: string;
  /** Of the colour bar; `signature score` if absent. */
  readonly unit?: string;
  /** A line below the title, such as how many genes the score is made of. */
  readonly subtitle?: string;
  /** Cells counted and coloured; the others are a faint silhouette. */
  readonly mask?: CellMask;
  readonly cautions?: readonly Caution[];
  /** Ends of the colour bar instead of the scores' own. */
  readonly range?: readonly [number, number];
}

/**
 * A score on an embedding, high cells on top. The colour bar runs from the least score to the greatest; where
 * a few of at least 200 cells lie far out it ends at the 1st or 99th percentile and says `≤` or `≥`. Throws
 * FigureInputError where scores, embedding and mask do not describe the same cells.
 */
export function scoreUmapSpec(input: ScoreUmapInput): ScoreUmapSpec {
  const { embedding, scores, mask } = input;
  const frame = scatterFrame(embedding, scores.length, mask);
  const { range } = input;
  if (range !== undefined) checkRange(range);
  const measured = scoreDomain(scores, mask);
  const { scored } = measured;
  const domain = range === undefined ? measured.domain : askedDomain(range, measured.domain);
  const { cells, withoutPosition } = frame.counts;
  const notScored = cells - scored;
  return {
    version: 1,
    kind: 'score-umap',
    title: cleanLabel(input.title),
    datasetName: cleanLabel(input.datasetName),
    subtitle: cleanLabel(input.subtitle ?? ''),
    summary: [
      `${countText(scored)} ${scored === 1 ? 'cell' : 'cells'}`,
      ...(notScored > 0 ? [`${countText(notScored)} not scored`] : []),
      ...(withoutPosition > 0 ? [`${countText(withoutPosition)} without coordinates`] : []),
      ...rangeText(range),
    ].join(' · '),
    size: { width: 600, height: 500 },
    ...frame,
    unit: cleanLabel(input.unit ?? defaultUnits.score),
    domain,
    ...(range && { range }),
    notScored,
    colours: { ramp: scoreRamp, outside: OUTSIDE_GREY },
    ...((input.cautions ?? []).length > 0 && { cautions: input.cautions! }),
  };
}

function askedDomain([low, high]: readonly [number, number], { min, max }: ScoreDomain): ScoreDomain {
  return { low, high, min, max, clippedLow: min < low, clippedHigh: max > high };
}
