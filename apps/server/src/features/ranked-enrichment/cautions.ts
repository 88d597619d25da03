import { falseShare } from '@cellfolio/analyses';
import { minProbability } from '@cellfolio/analysis';
import { type ResultCaution as Caution, countText, percentText, plural, pluralWord } from '@cellfolio/model';
import { otherNameCautions } from '../../runtime/gene-names/named-genes.ts';
import type { RankedEnrichment } from './ranked-enrichments.ts';

/**
 * Fewer ranked genes in sets of the library, or a smaller share of them, is reported; from `wellMatched` on, names
 * match as they should.
 */
const fewMatched = { genes: 500, share: 0.1, wellMatched: 0.5 } as const;

/** From this share on genes that share their number change what comes out. */
const manyTied = 0.1;

interface FewGenes {
  ranked: {
    metric: { length: number };
    counts: { inSets: number };
  };
}

/** Limits of a ranked enrichment that apply, each with its figures. */
export function rankedEnrichmentCautions(enrichment: RankedEnrichment): Caution[] {
  return [
    ...enrichment.ranking.cautions,
    genesAsIndependent(enrichment),
    ...fewGenesMatched(enrichment),
    ...ofRanking(enrichment),
    ...otherNameCautions(enrichment.ranked.renamed, 'the ranking'),
    ...enrichment.library.cautions,
    multipleTesting(enrichment),
    ...ofSets(enrichment),
    ...ofPValues(enrichment),
  ];
}

/**
 * Permuted genes are independent of each other, while those of a set are not (Goeman and Bühlmann 2007; Wu and Smyth
 * 2012).
 */
function genesAsIndependent({ parameters: { permutations, method } }: RankedEnrichment): Caution {
  const random = method === 'permutation' ? `${countText(permutations)} permutations` : 'random sets';
  return {
    code: 'genes-as-independent',
    message: `The p-values compare each set with ${random} of genes, as if genes of a set varied independently. They are correlated, so p-values and FDR are too small, and do not generalise to other samples.`,
    numbers: { permutations },
  };
}

/** Few ranked genes are in sets because the ranking is short, or because names do not match. */
export function fewGenesMatched({ ranked: { metric, counts } }: FewGenes): Caution[] {
  const { inSets } = counts;
  const share = inSets / metric.length;
  if (inSets >= fewMatched.genes && share >= fewMatched.share) return [];
  // Names that match are not what is wrong with a short ranking.
  const isShort = metric.length < fewMatched.genes && share >= fewMatched.wellMatched;
  const matched = `${countText(inSets)} of ${countText(metric.length)} ranked genes`;
  return [
    {
      code: 'few-genes-matched',
      message: isShort
        ? `${matched} are in any set of the library: a ranking of so few genes has little power. Rank all genes.`
        : `Only ${matched} (${percentText(share)}) are in any set of the library: check that names and species are the same.`,
      numbers: { genes: inSets, ranked: metric.length },
    },
  ];
}

function ofRanking({ ranked, ranking }: RankedEnrichment): Caution[] {
  const { metric, counts } = ranked;
  const { missing, repeated, tied, unmapped } = counts;
  const cautions: Caution[] = [];
  const add = (code: Caution['code'], message: string, numbers: Caution['numbers']) =>
    cautions.push({ code, message, ...(numbers && { numbers }) });
  const genes = (count: number) => plural(count, 'gene');
  if (metric.length > 0 && (metric[0]! <= 0 || metric.at(-1)! >= 0)) {
    add(
      'one-sided-ranking',
      `All numbers of the ranking are ${metric[0]! <= 0 ? '0 or below' : '0 or above'}: sets at one end have small values, not a change in the other direction. Interpret one end only.`,
      { highest: metric[0]!, lowest: metric.at(-1)! },
    );
  }
  if (tied > 0) {
    const share = `${countText(tied)} of ${countText(metric.length)} ranked genes (${percentText(tied / metric.length)}) share their number with another`;
    const drawn = 'their order follows from their names: the same in every run, without meaning.';
    const isMuch = tied >= manyTied * metric.length;
    add(isMuch ? 'ties' : 'tied-genes', `${share}: ${drawn}${isMuch ? ' Rank by a finer measure.' : ''}`, {
      tied,
      ranked: metric.length,
    });
  }
  if (repeated > 0) {
    add(
      'repeated-genes',
      `${genes(repeated)} occurred more than once and ${pluralWord(repeated, 'has', 'have')} the mean of their values.`,
      { repeated },
    );
  }
  const { unexpressed } = ranking;
  if (unexpressed > 0) {
    add(
      'unexpressed-genes',
      `${genes(unexpressed)} without a value in any compared cell ${pluralWord(unexpressed, 'is', 'are')} not ranked.`,
      { genes: unexpressed },
    );
  }
  const without = missing - unexpressed;
  if (without > 0)
    add('genes-without-number', `${genes(without)} without a score left out.`, { genes: without });
  if (unmapped > 0) {
    add(
      'genes-unmapped',
      `${genes(unmapped)} without an orthologue in the species of the library left out.`,
      {
        genes: unmapped,
      },
    );
  }
  return cautions;
}

/** False discovery rate up to which a set counts as significant. */
export const threshold = 0.05;

function multipleTesting({ ranked, tests, parameters: { method } }: RankedEnrichment): Caution {
  const tested = ranked.scores.length;
  const significant = tests.falseDiscoveryRates.reduce((sum, rate) => sum + (rate <= threshold ? 1 : 0), 0);
  const how =
    method === 'permutation'
      ? 'the FDR of a set compares the scores of all sets of its sign with those of permuted genes'
      : 'p-values are adjusted by Benjamini and Hochberg over them';
  return {
    code: 'multiple-testing',
    message: `${plural(tested, 'set was', 'sets were')} tested; ${how}. ${falseShare('sets', threshold, 'an FDR of at most')}`,
    numbers: { tests: tested, passing: significant },
  };
}

function ofSets({ ranked, library, parameters }: RankedEnrichment): Caution[] {
  const { tooSmall, tooLarge } = ranked.counts;
  const small = tooSmall + library.compiled.dropped;
  if (small + tooLarge === 0) return [];
  return [
    {
      code: 'sets-left-out',
      message: `Left out: ${countText(small)} sets with fewer than ${countText(parameters.min_size)} ranked genes and ${countText(tooLarge)} with more than ${countText(parameters.max_size)}.`,
      numbers: { tested: ranked.scores.length, small, large: tooLarge },
    },
  ];
}

function ofPValues({ tests, parameters: { permutations, method } }: RankedEnrichment): Caution[] {
  const count = (is: (p: number) => boolean) => tests.pValues.reduce((sum, p) => sum + (is(p) ? 1 : 0), 0);
  const sets = (number: number) => plural(number, 'set');
  if (method === 'permutation') {
    const zero = count((p) => p === 0);
    if (zero === 0) return [];
    // A share of the permuted scores of the sign of the set.
    const ofZeros = Array.from(tests.sameSign ?? []).filter((_, set) => tests.pValues[set] === 0);
    const fewest = Math.min(permutations, ...ofZeros);
    return [
      {
        code: 'p-values-at-bound',
        message: `No permutation was as extreme as ${sets(zero)}: the p-value is written as 0, and is below 1/${countText(fewest)}. Multilevel p-values tell such sets apart.`,
        numbers: { sets: zero, permutations, bound: 1 / fewest },
      },
    ];
  }
  const cautions: Caution[] = [];
  const atBound = count((p) => p === minProbability);
  if (atBound > 0) {
    cautions.push({
      code: 'p-values-at-bound',
      message: `The p-values of ${sets(atBound)} are ${minProbability} or below, which is as far as they are looked for.`,
      numbers: { sets: atBound },
    });
  }
  const unknown = count((p) => Number.isNaN(p));
  if (unknown > 0) {
    cautions.push({
      code: 'unbalanced-ranking',
      message: `${sets(unknown)} ${pluralWord(unknown, 'has', 'have')} no p-value: fewer than ten permuted scores have the sign of the score. Choose more permutations.`,
      numbers: { sets: unknown, permutations },
    });
  }
  return cautions;
}
