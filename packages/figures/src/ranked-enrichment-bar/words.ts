import { plural } from '@cellfolio/model';
import { type KindWords, listed, named, value, whole } from '../plot-words.ts';
import { boundedP } from '../ranked-enrichment/ranked-sets.ts';
import type { Numbers } from './draw.ts';

export const words: KindWords<Numbers> = {
  name: 'Bar plot',
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
        `The bars show the normalized enrichment scores of ${plural(sets.length, 'set')}, the best of ${whole(tested)} tested over ${plural(genes, 'ranked gene')}.`,
        `${plural(significant.top, 'is', 'are')} at the top (${sides.top}) and ${whole(significant.end)} at the end (${sides.end}) with an FDR q of at most ${value(threshold)}${first === undefined ? '' : `; the strongest is ${first}`}.`,
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
};
