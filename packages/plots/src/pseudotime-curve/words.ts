import { z } from 'zod';
import { common, inUnit, list, number, plotWords, text, value } from '../plot-words.ts';

export const pseudotimeCurveWords = plotWords({
  kind: 'pseudotime-curve',
  numbers: z.object({
    kind: z.literal('pseudotime-curve'),
    ...common,
    subtitle: text,
    unit: text,
    times: list(z.number()),
    genes: list(z.object({ gene: text, rho: number, means: list(z.number()) })),
  }),
  sentences: ({ subtitle, unit, times, genes }) => ({
    findings: [
      `Pseudotime goes ${subtitle}.`,
      ...genes.map(({ gene, rho, means }) => {
        const peak = means.indexOf(Math.max(...means));
        return `${gene}: its mean${inUnit(unit)} goes from ${value(means[0] ?? null)} to ${value(means.at(-1) ?? null)} and is highest, ${value(means[peak] ?? null)}, at ${value(times[peak] ?? null)}; Spearman's correlation ${value(rho)}.`;
      }),
    ],
    cautions: [
      'The bands take each cell for a replicate: cells of one sample resemble each other, so that they are too narrow.',
    ],
  }),
  firstRows: (numbers, rows) => ({ ...numbers, genes: numbers.genes.slice(0, rows) }),
});
