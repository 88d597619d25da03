import { z } from 'zod';
import { plural } from '@cellfolio/model';
import { common, count, list, listedSome, number, plotWords, text, value, whole } from '../plot-words.ts';
import { boundedP } from './ranked-sets.ts';

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
        `They are concentrated toward the ${es < 0 ? `end (${sides.end})` : `top (${sides.top})`}: enrichment score ${value(es)}, normalized ${value(nes)}, nominal p ${boundedP(p, leastP)}, FDR q ${boundedP(fdr, leastP)}${fwer === null ? '' : `, FWER p ${boundedP(fwer, leastP)}`}.`,
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
