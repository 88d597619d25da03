import { z } from 'zod';
import { common, inUnit, list, listed, named, number, plotWords, text, value } from './plot-words.ts';

/** The words of a heatmap of genes along an axis; `opening` says what the axis is. */
export function axisHeatmapWords<Kind extends string>(kind: Kind, opening: (subtitle: string) => string) {
  return plotWords({
    kind,
    numbers: z.object({
      kind: z.literal(kind),
      ...common,
      subtitle: text,
      genes: list(z.object({ gene: text, rho: number, peak: number })),
    }),
    sentences: ({ subtitle, genes }) => {
      const early = genes.slice(0, named).map(({ gene, peak }) => `${gene} (at ${value(peak)})`);
      const late = genes
        .slice(Math.max(named, genes.length - named))
        .map(({ gene, peak }) => `${gene} (at ${value(peak)})`);
      return {
        findings: [
          opening(subtitle),
          ...(early.length > 0 ? [`Genes whose means peak first: ${listed(early)}.`] : ['No gene is shown.']),
          ...(late.length > 0 ? [`Last: ${listed(late)}.`] : []),
        ],
        cautions: [
          'Each gene goes from its lowest to its highest mean: colours of two genes cannot be compared.',
        ],
      };
    },
    firstRows: (numbers, rows) => ({ ...numbers, genes: numbers.genes.slice(0, rows) }),
  });
}

/** The words of curves of genes along an axis; `opening` says what the axis is. */
export function axisCurveWords<Kind extends string>(kind: Kind, opening: (subtitle: string) => string) {
  return plotWords({
    kind,
    numbers: z.object({
      kind: z.literal(kind),
      ...common,
      subtitle: text,
      unit: text,
      places: list(z.number()),
      genes: list(z.object({ gene: text, rho: number, means: list(z.number()) })),
    }),
    sentences: ({ subtitle, unit, places, genes }) => ({
      findings: [
        opening(subtitle),
        ...genes.map(({ gene, rho, means }) => {
          const peak = means.indexOf(Math.max(...means));
          return `${gene}: its mean${inUnit(unit)} goes from ${value(means[0] ?? null)} to ${value(means.at(-1) ?? null)} and is highest, ${value(means[peak] ?? null)}, at ${value(places[peak] ?? null)}; Spearman's correlation ${value(rho)}.`;
        }),
      ],
      cautions: [
        'The bands take each cell for a replicate: cells of one sample resemble each other, so that they are too narrow.',
      ],
    }),
    firstRows: (numbers, rows) => ({ ...numbers, genes: numbers.genes.slice(0, rows) }),
  });
}
