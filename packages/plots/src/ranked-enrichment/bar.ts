import { countText } from '@cellfolio/model';
import type { Figure } from '../drawing/figure.ts';
import { categoryLabels, cleanLabel } from '../drawing/text/fit-text.ts';
import { type FigureSetting, plot } from '../plot.ts';
import type { rankedEnrichmentBarContent } from './content.ts';
import { orNull, type RankedEnrichmentInput, type RankedSet } from './ranked-sets.ts';
import { rankedBarDrawing, rankedBarSize, type RankedBarSpec } from './bar-scene.ts';

const top = 10;

/** Normalised scores of the most significant sets of each side, the greatest at the top. */
export function rankedEnrichmentBarFigure({
  datasetName,
  ...input
}: RankedEnrichmentInput & Pick<FigureSetting, 'datasetName'>): Figure<RankedBarSpec> {
  const { sets, tested, threshold, significant } = input;
  const best = (isSide: (set: RankedSet) => boolean) =>
    sets
      .filter((set) => Number.isFinite(set.nes) && isSide(set))
      .toSorted((a, b) => (orNull(a.fdr) ?? 1) - (orNull(b.fdr) ?? 1) || Math.abs(b.nes) - Math.abs(a.nes))
      .slice(0, top);
  const shown = [...best(({ nes }) => nes > 0), ...best(({ nes }) => nes < 0)].toSorted(
    (a, b) => b.nes - a.nes,
  );
  const labels = categoryLabels(shown.map(({ term }) => term));
  const subtitle = [input.ranking, input.library].map(cleanLabel).join(' · ');
  const significantCount = significant.top + significant.end;
  return {
    spec: {
      version: 1,
      kind: 'ranked-enrichment-bar',
      title: 'Ranked enrichment',
      subtitle,
      datasetName: cleanLabel(datasetName),
      summary: `${countText(significantCount)} of ${countText(tested)} sets have an FDR q ≤ ${threshold}`,
      size: rankedBarSize(labels, subtitle),
      leastP: input.leastP,
      sides: { top: cleanLabel(input.sides.top), end: cleanLabel(input.sides.end) },
      tested,
      threshold,
      significant,
      genes: input.metric.length,
      sets: shown.map(({ nes, fdr, size, leading }, place) => ({
        term: labels[place]!,
        nes,
        fdr: orNull(fdr),
        size,
        leading,
      })),
      cautions: input.cautions,
    },
    columns: {},
    drawing: rankedBarDrawing,
  };
}

export const rankedEnrichmentBar = plot<typeof rankedEnrichmentBarContent>(
  'ranked-enrichment-bar',
  ({ enrichment }, { datasetName }) => rankedEnrichmentBarFigure({ ...enrichment, datasetName }),
);
