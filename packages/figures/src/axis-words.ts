import { z } from 'zod';
import { plural, pluralWord } from '@cellfolio/model';
import { common, count, inUnit, list, listed, named, number, plotWords, text, value } from './plot-words.ts';

export function axisHeatmapWords<Kind extends string>(kind: Kind, axis: (subtitle: string) => string) {
  return plotWords({
    kind,
    name: 'Heatmap',
    numbers: z.object({
      kind: z.literal(kind),
      ...common,
      subtitle: text,
      cells: count.optional().catch(undefined),
      places: list(z.number()),
      genes: list(z.object({ gene: text, rho: number, peak: number })),
    }),
    sentences: ({ subtitle, genes, cells, places }) => {
      const early = genes.slice(0, named).map(({ gene, peak }) => `${gene} (at ${value(peak)})`);
      const late = genes
        .slice(Math.max(named, genes.length - named))
        .map(({ gene, peak }) => `${gene} (at ${value(peak)})`);
      const [first, last] = [genes[0], genes.at(-1)];
      return {
        reading: [
          `The heatmap shows the mean of ${plural(genes.length, 'gene')} in ${plural(places.length, 'bin')} of ${inCells(cells)} along ${axis(subtitle)}, each gene from its lowest to its highest mean.`,
          first === undefined || last === undefined
            ? 'No gene is shown.'
            : genes.length === 1
              ? `The mean of ${first.gene} is highest at ${value(first.peak)}.`
              : `The first to peak is ${first.gene}, at ${value(first.peak)}, the last ${last.gene}, at ${value(last.peak)}.`,
        ],
        more: [
          ...(early.length > 0 ? [`Genes whose means peak first: ${listed(early)}.`] : []),
          ...(late.length > 0 ? [`Last: ${listed(late)}.`] : []),
        ],
        cautions: [],
        general: [
          'Each gene is scaled from its lowest to its highest mean: do not compare colors between genes.',
        ],
      };
    },
    firstRows: (numbers, rows) => ({ ...numbers, genes: numbers.genes.slice(0, rows) }),
  });
}

function inCells(cells: number | undefined): string {
  return cells === undefined ? 'cells' : plural(cells, 'cell');
}

function steepest(genes: readonly { gene: string; rho: number | null; means: readonly number[] }[]): string {
  const [steepestGene] = genes.toSorted((one, other) => Math.abs(other.rho ?? 0) - Math.abs(one.rho ?? 0));
  if (steepestGene === undefined) return 'No gene is shown.';
  const who =
    genes.length === 1
      ? `The mean of ${steepestGene.gene}`
      : `${steepestGene.gene} follows it most: its mean`;
  return `${who} goes from ${value(steepestGene.means[0] ?? null)} to ${value(steepestGene.means.at(-1) ?? null)}, with a Spearman correlation of ${value(steepestGene.rho)} over cells.`;
}

export function axisCurveWords<Kind extends string>(kind: Kind, axis: (subtitle: string) => string) {
  return plotWords({
    kind,
    name: 'Curves',
    numbers: z.object({
      kind: z.literal(kind),
      ...common,
      subtitle: text,
      unit: text,
      cells: count.optional().catch(undefined),
      places: list(z.number()),
      genes: list(z.object({ gene: text, rho: number, means: list(z.number()) })),
    }),
    sentences: ({ subtitle, unit, places, genes, cells }) => ({
      reading: [
        `The ${pluralWord(genes.length, 'curve shows', 'curves show')} the mean${inUnit(unit)} of ${plural(genes.length, 'gene')} in ${plural(places.length, 'bin')} of ${inCells(cells)} along ${axis(subtitle)}, with bands of 1.96 standard errors.`,
        steepest(genes),
      ],
      more: genes.map(({ gene, rho, means }) => {
        const peak = means.indexOf(Math.max(...means));
        return `${gene}: its mean${inUnit(unit)} goes from ${value(means[0] ?? null)} to ${value(means.at(-1) ?? null)} and is highest, ${value(means[peak] ?? null)}, at ${value(places[peak] ?? null)}; Spearman's correlation ${value(rho)}.`;
      }),
      cautions: [],
      general: [
        'The bands treat each cell as a replicate, but cells of one sample are similar: they are too narrow.',
      ],
    }),
    firstRows: (numbers, rows) => ({ ...numbers, genes: numbers.genes.slice(0, rows) }),
  });
}
