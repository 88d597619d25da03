import { countText } from '@cellfolio/model';
import { adjustedScores } from '../drawing/adjusted-scores.ts';
import { FigureInputError } from '../drawing/checked-input.ts';
import type { Figure } from '../drawing/figure.ts';
import { categoryLabels, cleanLabel } from '../drawing/text/fit-text.ts';
import { enrichmentBarSize } from './layout.ts';
import { enrichmentBarDrawing } from './scene.ts';
import type { EnrichmentBarInput, EnrichmentBarSpec, EnrichmentTerm } from './spec.ts';
import { plot } from '../plot.ts';
import type { enrichmentBarContent } from './content.ts';

export type EnrichmentBarFigure = Figure<EnrichmentBarSpec>;

const defaultTop = 10;
export const maxTerms = 50;
const defaultThreshold = 0.05;

/**
 * Terms with the smallest adjusted p as bars, best on top. Ties are ordered by `logP`, then `combinedScore`, then input
 * order. Throws FigureInputError for an invalid p, threshold or count.
 */
export function enrichmentBarFigure(input: EnrichmentBarInput): EnrichmentBarFigure {
  const top = input.top ?? defaultTop;
  const threshold = input.threshold ?? defaultThreshold;
  const termCount = input.termCount ?? input.terms.length;
  checkInput(input.terms, top, threshold, termCount);
  const scores = adjustedScores(input.terms, termCount);
  const best = Array.from(input.terms.keys())
    .sort((a, b) => scores[b]! - scores[a]! || byOtherwise(input.terms[a]!, input.terms[b]!) || a - b)
    .slice(0, Math.min(top, maxTerms));
  const labels = categoryLabels(best.map((i) => input.terms[i]!.term));
  const terms = best.map((i, place) => {
    const { adjustedP, overlap, combinedScore } = input.terms[i]!;
    return {
      term: labels[place]!,
      adjustedP,
      score: scores[i]!,
      overlap: cleanLabel(overlap),
      combinedScore: combinedScore !== undefined && Number.isFinite(combinedScore) ? combinedScore : null,
    };
  });
  const significant = input.terms.filter((term) => term.adjustedP <= threshold).length;
  const subtitle = cleanLabel(input.subtitle);
  return {
    spec: {
      version: 1,
      kind: 'enrichment-bar',
      title: cleanLabel(input.title),
      subtitle,
      datasetName: cleanLabel(input.datasetName),
      summary: `${countText(significant)} of ${countText(termCount)} terms have an adjusted p ≤ ${threshold}`,
      size: enrichmentBarSize(labels, subtitle),
      threshold,
      terms,
      termCount,
      significant,
      ...(input.minimumOverlap !== undefined && { minimumOverlap: input.minimumOverlap }),
      ...(input.cautions && { cautions: input.cautions }),
    },
    columns: {},
    drawing: enrichmentBarDrawing,
  };
}

/** Order of terms with equal adjusted p: by p if both have one, like the tables, then by descending combined score. */
function byOtherwise(a: EnrichmentTerm, b: EnrichmentTerm): number {
  const byP = a.logP === undefined || b.logP === undefined ? 0 : a.logP - b.logP;
  return byP || combined(b) - combined(a);
}

/** Infinite if the odds ratio is: such a term is the best among equals. */
function combined({ combinedScore }: EnrichmentTerm): number {
  return combinedScore === undefined || Number.isNaN(combinedScore)
    ? -Number.MAX_VALUE
    : Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, combinedScore));
}

function checkInput(
  terms: readonly EnrichmentTerm[],
  top: number,
  threshold: number,
  termCount: number,
): void {
  for (const { term, adjustedP, logP } of terms) {
    if (!(adjustedP >= 0 && adjustedP <= 1)) {
      throw new FigureInputError(
        'terms',
        `the adjusted p of ${term} is ${adjustedP}, which is not within 0 to 1`,
      );
    }
    if (logP !== undefined && !(logP <= 0)) {
      throw new FigureInputError(
        'terms',
        `the logarithm of the p of ${term} is ${logP}, which is no logarithm of a p`,
      );
    }
  }
  if (!Number.isSafeInteger(top) || top < 1) {
    throw new FigureInputError('top', `${top} is no number of bars`);
  }
  if (!(threshold > 0 && threshold <= 1)) {
    throw new FigureInputError('threshold', `a threshold of ${threshold} is not above 0 and at most 1`);
  }
  if (!Number.isSafeInteger(termCount) || termCount < terms.length) {
    throw new FigureInputError('termCount', `${terms.length} terms cannot be of ${termCount} tested`);
  }
}

export const enrichmentBar = plot<typeof enrichmentBarContent>(
  'enrichment-bar',
  ({ enrichment }, { datasetName }) => enrichmentBarFigure({ ...enrichment, datasetName }),
);
