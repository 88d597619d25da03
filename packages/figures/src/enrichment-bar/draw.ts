import type { PathwayFigure, PathwayTerm } from '@cellfolio/analyses';
import { type Caution, countText } from '@cellfolio/model';
import { z } from 'zod';
import { adjustedScores } from '../drawing/adjusted-scores.ts';
import { FigureInputError } from '../drawing/checked-input.ts';
import { notSignificant, significant, smallSize } from '../drawing/scene/style.ts';
import { categoryLabels, cleanLabel, ellipsisedInside } from '../drawing/text/fit-text.ts';
import { figureKind } from '../figure-kind.ts';
import type { Chart } from '../frame/frame.ts';
import { setRows, shortNames } from '../frame/rows.ts';
import { barX, dashedX, lineX } from '../marks.ts';
import { common, count, list, number, type SpecOf, text } from '../plot-words.ts';
import { enrichmentBar } from './declare.ts';

export interface PathwayInput extends PathwayFigure {
  readonly cautions?: readonly Caution[];
}

const numbers = z.object({
  kind: z.literal('enrichment-bar'),
  ...common,
  subtitle: text,
  threshold: z.number(),
  terms: list(z.object({ term: text, adjustedP: number, overlap: text, combinedScore: number })),
  termCount: count,
  significant: count,
});

export type Numbers = z.output<typeof numbers>;

export interface Spec extends SpecOf<{ numbers: typeof numbers }, 'terms'> {
  /** Minimum number of genes that a set shares with the list; absent for 1. */
  minimumOverlap?: number;
  terms: readonly {
    term: string;
    adjustedP: number;
    /** −log10 of the adjusted p, the length of the bar; finite even if `adjustedP` underflowed to 0. */
    score: number;
    overlap: string;
    /** −ln p × odds ratio; null if not given as a finite number. */
    combinedScore: number | null;
  }[];
}

const defaultTop = 10;
export const maxTerms = 50;
const defaultThreshold = 0.05;

/**
 * Terms with the smallest adjusted p, best first. Ties are ordered by `logP`, then `combinedScore`, then input order.
 * Throws FigureInputError for an invalid p, threshold or count.
 */
export function bestTerms(input: PathwayInput) {
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
  const below = input.terms.filter((term) => term.adjustedP <= threshold).length;
  return {
    title: cleanLabel(input.title),
    subtitle: cleanLabel(input.subtitle),
    summary: `${countText(below)} of ${countText(termCount)} terms have an adjusted p ≤ ${threshold}`,
    threshold,
    terms,
    termCount,
    significant: below,
    ...(input.minimumOverlap !== undefined && { minimumOverlap: input.minimumOverlap }),
    ...(input.cautions && { cautions: input.cautions }),
  };
}

/** Order of terms with equal adjusted p: by p if both have one, like the tables, then by descending combined score. */
function byOtherwise(a: PathwayTerm, b: PathwayTerm): number {
  const byP = a.logP === undefined || b.logP === undefined ? 0 : a.logP - b.logP;
  return byP || combined(b) - combined(a);
}

/** Infinite if the odds ratio is: such a term is the best among equals. */
function combined({ combinedScore }: PathwayTerm): number {
  return combinedScore === undefined || Number.isNaN(combinedScore)
    ? -Number.MAX_VALUE
    : Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, combinedScore));
}

function checkInput(terms: readonly PathwayTerm[], top: number, threshold: number, termCount: number): void {
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

function chart({ terms, threshold, minimumOverlap = 1 }: Spec): Chart {
  const cut = -Math.log10(threshold);
  const names = shortNames(terms.map(({ term }) => term));
  const genes = minimumOverlap === 1 ? 'a gene' : `${minimumOverlap} genes`;
  return {
    // The threshold is always in sight, and bars that all are shorter than a power of ten still have a scale.
    x: {
      domain: [0, Math.max(1, 1.12 * cut, ...terms.map(({ score }) => score))],
      name: '−log₁₀ adjusted p',
    },
    y: {
      ...setRows(names, 'terms'),
      weight: (row) => -row,
      texts: [
        {
          title: 'overlap',
          side: 'right',
          name: 'the overlaps',
          text: (row) => shortOverlap(terms[row]!.overlap),
        },
      ],
    },
    nothing:
      terms.length === 0
        ? `No gene set of this library shares ${genes} with the list, so there is no term to show.`
        : undefined,
    marks: [
      barX(terms, {
        x: ({ score }) => score,
        fill: ({ adjustedP }) => (adjustedP <= threshold ? significant : notSignificant),
      }),
      dashedX(cut, 1.5, `adjusted p = ${threshold}`),
      lineX(0),
    ],
  };
}

const shortOverlap = (overlap: string): string => ellipsisedInside(overlap, 90, smallSize);

export const figure = figureKind<Spec, typeof enrichmentBar>(enrichmentBar, {
  numbers,
  decide: ({ enrichment }) => bestTerms(enrichment),
  chart,
  sentence: ({ terms }) =>
    terms.length === 0
      ? 'There is no term to show.'
      : `Enlarge to see ${terms.length === 1 ? 'the term' : `${terms.length} terms`}.`,
});
