import type { RankedSet } from '@cellfolio/analyses';
import { countText } from '@cellfolio/model';
import { z } from 'zod';
import { notSignificant, raised, significant } from '../drawing/scene/style.ts';
import { categoryLabels, cleanLabel } from '../drawing/text/fit-text.ts';
import { figureKind } from '../figure-kind.ts';
import type { Chart } from '../frame/frame.ts';
import { colourLine } from '../frame/legend.ts';
import { setRows, shortNames } from '../frame/rows.ts';
import { barX, lineX } from '../marks.ts';
import { common, count, list, number, type SpecOf, text } from '../plot-words.ts';
import { orNull, type RankedEnrichmentInput } from '../ranked-enrichment/ranked-sets.ts';
import { rankedEnrichmentBar } from './declare.ts';

const numbers = z.object({
  kind: z.literal('ranked-enrichment-bar'),
  ...common,
  subtitle: text,
  leastP: z.number(),
  sides: z.object({ top: text, end: text }),
  tested: count,
  threshold: z.number(),
  significant: z.object({ top: count, end: count }),
  genes: count,
  /** By descending normalised score; `fdr` is null if undefined. */
  sets: list(z.object({ term: text, nes: z.number(), fdr: number, size: count, leading: count })),
});

export type Numbers = z.output<typeof numbers>;

interface Spec extends SpecOf<{ numbers: typeof numbers }> {}

const top = 10;

/** The most significant sets of each side, the greatest normalised score at the top. */
export function bestSets(input: RankedEnrichmentInput) {
  const { sets, tested, threshold, significant: counts } = input;
  const best = (isSide: (set: RankedSet) => boolean) =>
    sets
      .filter((set) => Number.isFinite(set.nes) && isSide(set))
      .toSorted((a, b) => (orNull(a.fdr) ?? 1) - (orNull(b.fdr) ?? 1) || Math.abs(b.nes) - Math.abs(a.nes))
      .slice(0, top);
  const shown = [...best(({ nes }) => nes > 0), ...best(({ nes }) => nes < 0)].toSorted(
    (a, b) => b.nes - a.nes,
  );
  const labels = categoryLabels(shown.map(({ term }) => term));
  return {
    title: 'Ranked enrichment',
    subtitle: [input.ranking, input.library].map(cleanLabel).join(' · '),
    summary: `${countText(counts.top + counts.end)} of ${countText(tested)} sets have an FDR q ≤ ${threshold}`,
    leastP: input.leastP,
    sides: { top: cleanLabel(input.sides.top), end: cleanLabel(input.sides.end) },
    tested,
    threshold,
    significant: counts,
    genes: input.metric.length,
    sets: shown.map(({ nes, fdr, size, leading }, place) => ({
      term: labels[place]!,
      nes,
      fdr: orNull(fdr),
      size,
      leading,
    })),
    cautions: input.cautions,
  };
}

function chart({ sets, sides, threshold }: Spec): Chart {
  const scores = sets.map(({ nes }) => nes);
  const [low, high] = [Math.min(0, ...scores), Math.max(0, ...scores)];
  return {
    // Scores near 0 alone still have a scale.
    x: {
      domain: [low && Math.min(-0.5, 1.04 * low), high && Math.max(0.5, 1.04 * high)],
      name: ['normalized enrichment score', 'NES'],
    },
    y: {
      ...setRows(shortNames(sets.map(({ term }) => term)), 'sets'),
      weight: (row) => Math.abs(scores[row]!),
    },
    legend: colourLine([
      ...(high > 0 ? [{ label: sides.top, colour: raised }] : []),
      ...(low < 0 ? [{ label: sides.end, colour: significant }] : []),
    ]),
    note: `Colored: FDR q ≤ ${threshold}`,
    nothing:
      sets.length === 0 ? 'No set of this library has the requested number of ranked genes.' : undefined,
    marks: [
      barX(sets, {
        x: ({ nes }) => nes,
        fill: ({ nes, fdr }) =>
          fdr === null || fdr > threshold ? notSignificant : nes > 0 ? raised : significant,
      }),
      lineX(0),
    ],
  };
}

export const figure = figureKind<Spec, typeof rankedEnrichmentBar>(rankedEnrichmentBar, {
  numbers,
  decide: ({ enrichment }) => bestSets(enrichment),
  chart,
  sentence: ({ sets, summary }) =>
    sets.length === 0 ? 'There is no set to show.' : `Enlarge to see the sets. ${summary}.`,
});
