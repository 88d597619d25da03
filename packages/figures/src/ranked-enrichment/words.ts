import { z } from 'zod';
import { plural } from '@cellfolio/model';
import {
  common,
  count,
  list,
  listed,
  listedSome,
  named,
  number,
  plotWords,
  text,
  value,
  whole,
} from '../plot-words.ts';
import { boundedP } from './ranked-sets.ts';

export const rankedEnrichmentBarWords = plotWords({
  kind: 'ranked-enrichment-bar',
  name: 'Bar plot',
  numbers: z.object({
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
  }),
  sentences: ({ subtitle, leastP, sides, tested, threshold, significant, genes, sets }) => {
    const best = (sign: number) =>
      sets
        .filter(({ nes }) => nes * sign > 0)
        .toSorted((a, b) => Math.abs(b.nes) - Math.abs(a.nes))
        .slice(0, named)
        .map(({ term, nes, fdr }) => `${term} (NES ${value(nes)}, FDR q ${boundedP(fdr, leastP)})`);
    const [top, end] = [best(1), best(-1)];
    const first = (
      sets.reduce((strongest, { nes }) => (Math.abs(nes) > Math.abs(strongest) ? nes : strongest), 0) < 0
        ? end
        : top
    )[0];
    return {
      reading: [
        `The bars show the normalised enrichment scores of ${plural(sets.length, 'set')}, the best of ${whole(tested)} tested over ${plural(genes, 'ranked gene')}.`,
        `${plural(significant.top, 'stands', 'stand')} at the top (${sides.top}) and ${whole(significant.end)} at the end (${sides.end}) with an FDR q of at most ${value(threshold)}${first === undefined ? '' : `; the strongest is ${first}`}.`,
      ],
      more: [
        `${subtitle}.`,
        ...(top.length > 0 ? [`At the top: ${listed(top)}.`] : []),
        ...(end.length > 0 ? [`At the end: ${listed(end)}.`] : []),
      ],
      cautions: [
        ...(tested === 0 ? ['No set of the library has the chosen number of ranked genes.'] : []),
        ...(tested > 0 && significant.top + significant.end === 0
          ? ['No set passes the threshold; their order may be random.']
          : []),
      ],
      general: ['Sets that share genes are not independent findings.'],
    };
  },
  firstRows: (numbers, rows) => ({
    ...numbers,
    sets: numbers.sets
      .toSorted((a, b) => Math.abs(b.nes) - Math.abs(a.nes))
      .slice(0, rows)
      .map(({ term, nes, fdr, size, leading }) => ({
        term,
        nes,
        stands: nes < 0 ? numbers.sides.end : numbers.sides.top,
        size,
        leading,
        // No permutation was as extreme: not 0.
        fdr: fdr === 0 ? boundedP(fdr, numbers.leastP) : fdr,
      })),
  }),
});

const namedGenes = 10;

export const runningScoreWords = plotWords({
  kind: 'running-score',
  name: 'Running score',
  numbers: z.object({
    kind: z.literal('running-score'),
    ...common,
    subtitle: text,
    leastP: z.number(),
    sides: z.object({ top: text, end: text }),
    es: z.number(),
    /** Null if undefined, as the next three. */
    nes: number,
    p: number,
    fdr: number,
    fwer: number,
    setSize: count,
    leading: list(text),
    genes: count,
  }),
  sentences: ({ subtitle, leastP, sides, es, nes, p, fdr, fwer, setSize, leading, genes }) => {
    const shown = leading.slice(0, namedGenes);
    return {
      reading: [
        `The curve runs over ${plural(genes, 'ranked gene')} and rises at each of the ${plural(setSize, 'gene')} of the set, with the metric of the ranking beneath.`,
        `They stand towards the ${es < 0 ? `end (${sides.end})` : `top (${sides.top})`}: enrichment score ${value(es)}, normalised ${value(nes)}, nominal p ${boundedP(p, leastP)}, FDR q ${boundedP(fdr, leastP)}${fwer === null ? '' : `, FWER p ${boundedP(fwer, leastP)}`}.`,
      ],
      more: [
        `${subtitle}.`,
        ...(shown.length > 0
          ? [`Leading edge, ${whole(leading.length)} genes: ${listedSome(shown, leading.length)}.`]
          : []),
      ],
      cautions: [],
    };
  },
  firstRows: (numbers, rows) => ({ ...numbers, leading: numbers.leading.slice(0, rows) }),
});
