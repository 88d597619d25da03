import {
  adjustedPresent,
  maxRankedGenes,
  multilevelGroups,
  multilevelPValues,
  scoreCorners,
  SeededShuffle,
} from '@cellfolio/analysis';
import { minProbability } from '@cellfolio/analysis/parameters';
import {
  countText,
  minPValue,
  packStrings,
  type ResultCaution,
  sharedCopy,
  stringAt,
} from '@cellfolio/model';
import type { ComparisonTable, Context, DatasetLibrary } from '../context.ts';
import type { CodedCaution } from '../declare.ts';
import { serve } from '../serve.ts';
import type { RankedLibrary, SetTests, steps } from './compute.ts';
import {
  fewMatched,
  type RankedCurve,
  type RankedDrawing,
  rankedEnrichment,
  type RankedEnrichmentFigure,
  type RankedEnrichmentRequest,
  type RankedSet,
  threshold,
} from './declare.ts';

type Services = Context<typeof steps>;

/** Scores of all sets in all permutations: 160 MB. */
const maxPermutedScores = 20_000_000;
/** Permutations held at once: two bytes per gene each. */
const atOnce = 1000;
/** Genes of sets in all permutations of a task: about 50 ms of work. */
const genesOfTask = 8_000_000;
/** Sets of each side passed to a figure: more than it draws. */
const setsOfSide = 20;
/** From this share on genes that share their number change what comes out. */
const manyTied = 0.1;

export const analysis = serve(rankedEnrichment, {
  async run(request, context: Services) {
    const { min_size: minSize, max_size: maxSize, weight, permutations, method } = request;
    checkSizes(minSize, maxSize, context);
    const { genes, values, ...ranking } = await rankingOf(request.ranking, context);
    const withNumber = genes.filter((_, i) => !Number.isNaN(values[i]!));
    const library = await context.library({ ...request, background: { kind: 'own', genes: withNumber } });
    context.report('Ranking the genes');
    const { compiled, background } = library;
    const packed = packStrings(genes);
    const ranked = await context.compute(
      'rankSets',
      {
        compiled,
        background,
        genes: { bytes: sharedCopy(packed.bytes), offsets: sharedCopy(packed.offsets) },
        values: sharedCopy(values),
        weight,
        minSize,
        maxSize,
      },
      { isLong: true },
    );
    if (ranked.counts.inSets === 0) return context.refuseGenes('the ranking', genes.slice(0, 100));
    checkLength(ranked, permutations, context);
    const tests = await testSets(context, ranked, request);
    context.report('Drawing the sets');
    const drawing: RankedDrawing = {
      ranked,
      tests,
      order: byScore(tests.normalised),
      ranking: ranking.name,
      library: library.origin.title,
      sides: ranking.sides,
      metricName: ranking.metric,
      leastP: method === 'permutation' ? 1 / permutations : minProbability,
    };
    const { tooSmall, tooLarge, inSets, ...counts } = ranked.counts;
    const { top, end } = significantSets(drawing);
    return {
      request,
      result: {
        method,
        ranking: {
          name: ranking.name,
          metric: ranking.metric,
          top: ranking.sides.top,
          end: ranking.sides.end,
          entries: genes.length,
          genes: ranked.metric.length,
          repeated: counts.repeated,
          missing: counts.missing,
          tied: counts.tied,
          unmapped: counts.unmapped,
          in_sets: inSets,
        },
        library: library.origin,
        sets: {
          tested: ranked.scores.length,
          too_small: tooSmall + compiled.dropped,
          too_large: tooLarge,
          threshold,
          significant_top: top,
          significant_end: end,
        },
        permutations,
        seed: request.seed,
        weight,
        min_size: minSize,
        max_size: maxSize,
      },
      table: tableOf(drawing),
      cautions: [
        ...ranking.cautions,
        aboutTests(permutations),
        ...fewGenesMatched(inSets, ranked.metric.length),
        ...aboutRanking(ranked, ranking.unexpressed),
        ...context.otherNameCautions(ranked.renamed, 'the ranking'),
        ...library.cautions,
        aboutSignificance(tests),
        ...aboutSets(ranked, library),
        ...aboutPValues(tests, request),
      ],
      drawing,
    };
  },
  facts: () => [],
  input: figureOf,
});

type Cautions = (CodedCaution<(typeof rankedEnrichment)['cautions']> | ResultCaution)[];

function checkSizes(min: number, max: number, context: Pick<Context, 'refuse'>): void {
  if (min <= max) return;
  context.refuse(
    'invalid_request',
    `The smallest set has ${countText(min)} genes and the largest ${countText(max)}: no set can have this size.`,
    { field: 'max_size', problem: 'is below min_size' },
  );
}

function checkLength(
  { metric, scores }: RankedLibrary,
  permutations: number,
  context: Pick<Context, 'refuse'>,
): void {
  if (metric.length > maxRankedGenes) {
    context.refuse(
      'ranking_too_long',
      `${countText(metric.length)} genes are ranked, more than ${countText(maxRankedGenes)}: rank only expressed genes.`,
    );
  }
  if (scores.length * permutations <= maxPermutedScores) return;
  const maxPermutations = Math.floor(maxPermutedScores / scores.length);
  context.refuse(
    'too_many_permutations',
    `${countText(scores.length)} sets can be tested with at most ${countText(maxPermutations)} permutations. Choose fewer permutations, or limit the set sizes; multilevel p-values need few permutations.`,
    { field: 'permutations', problem: `is above ${maxPermutations}` },
  );
}

interface GeneValues {
  /** Symbols or ids. */
  readonly genes: readonly string[];
  /** NaN when missing. */
  readonly values: Float64Array;
  /** Description of the ranking in words. */
  readonly name: string;
  readonly metric: string;
  readonly sides: { readonly top: string; readonly end: string };
  readonly unexpressed: number;
  readonly cautions: readonly ResultCaution[];
}

type Ranking = RankedEnrichmentRequest['ranking'];
type Statistic = Extract<Ranking, { source: 'comparison' }>['statistic'];

const statisticWords: Readonly<Record<Statistic, string>> = {
  scores: 'score',
  'signed-p': 'signed −log10 p',
  logfoldchanges: 'log2 fold change',
};

/** Cautions about the genes that a comparison calls different; they do not concern their ranking. */
const ofTableAlone: ReadonlySet<string> = new Set([
  'multiple-testing',
  'genes-not-tested',
  'p-values-at-bound',
  'groups-left-out',
  'unlabelled-cells',
]);

/** The numbers that genes are ranked by. */
async function rankingOf(ranking: Ranking, context: Context): Promise<GeneValues> {
  if (ranking.source === 'own') return ownValues(ranking, context);
  const compared = await context.comparisonTable(ranking.comparison, ranking.part);
  const { a, b, part, test, cautions } = compared;
  const metric = statisticWords[ranking.statistic];
  const where = part === '' ? '' : ` in ${part}`;
  return {
    genes: context.dataset.symbols,
    ...comparedValues(compared, ranking.statistic),
    name: `${a} against ${b}${where}, ${metric} (${test})`,
    metric,
    sides: { top: `higher in ${a}`, end: `higher in ${b}` },
    cautions: cautions.filter(({ code }) => !ofTableAlone.has(code)),
  };
}

/** A gene that no cell of either side expresses was not tested: its fold change is merely 0. */
function comparedValues(
  { scores, logfoldchanges: changes, pvals }: ComparisonTable,
  statistic: Statistic,
): Pick<GeneValues, 'values' | 'unexpressed'> {
  const values = new Float64Array(scores.length);
  let unexpressed = 0;
  for (let gene = 0; gene < values.length; gene++) {
    const [score, change] = [scores[gene]!, changes[gene]!];
    const isUnexpressed = change === 0 && (score === 0 || Number.isNaN(score));
    if (isUnexpressed) unexpressed++;
    const value =
      statistic === 'scores'
        ? score
        : statistic === 'logfoldchanges'
          ? change
          : Math.sign(score) * -Math.log10(Math.max(pvals[gene]!, minPValue));
    values[gene] = isUnexpressed || !Number.isFinite(value) ? Number.NaN : value;
  }
  return { values, unexpressed };
}

function ownValues(
  { name, genes, values }: Extract<Ranking, { source: 'own' }>,
  context: Pick<Context, 'refuse'>,
): GeneValues {
  const numbers = Float64Array.from(values, (value) => value ?? Number.NaN);
  if (numbers.every((value) => Number.isNaN(value) || value === 0)) {
    context.refuse(
      'no_ranking',
      'No gene of the ranking has a value other than 0: the second column must give the difference of each gene.',
      { field: 'ranking.values', problem: 'are all 0 or missing' },
    );
  }
  return {
    genes,
    values: numbers,
    name,
    metric: 'metric',
    sides: { top: 'top of the ranking', end: 'end of the ranking' },
    unexpressed: 0,
    cautions: [],
  };
}

type TestParameters = Pick<RankedEnrichmentRequest, 'method' | 'permutations' | 'seed'>;

/**
 * Tests sets by permutations of the genes, and if requested uses a multilevel split for p-values that permutations do
 * not reach.
 */
async function testSets(
  context: Services,
  ranked: RankedLibrary,
  request: TestParameters,
): Promise<SetTests> {
  const { scores, starts, weights } = ranked;
  const { permutations, seed } = request;
  const permuted = await permute(context, ranked, request);
  const tests = await context.compute(
    'testPermutations',
    { scores, permuted, permutations },
    { isLong: true },
  );
  if (request.method === 'permutation') return tests;
  const sizes = Int32Array.from(scores, (_, set) => starts[set + 1]! - starts[set]!);
  const groups = multilevelGroups(scores, sizes, tests, permutations);
  const inputs = groups.map((group) => ({ weights, scores, group, seed }));
  const tails = await context.computeAll('splitSets', inputs, 'Finding small p-values', { isLong: true });
  const { pValues, log2Errors } = multilevelPValues(tests, permutations, groups, tails);
  return {
    normalised: tests.normalised,
    pValues,
    log2Errors,
    falseDiscoveryRates: adjustedPresent(pValues),
    familyWise: new Float64Array(pValues.length).fill(Number.NaN),
  };
}

async function permute(
  context: Services,
  { weights, starts, places }: RankedLibrary,
  { permutations: all, seed }: TestParameters,
): Promise<Float64Array[]> {
  const blocks = blocksOf(starts, Math.min(all, atOnce)).map(([from, to]) => ({
    starts: starts.slice(from, to + 1),
    scores: new Float64Array(new SharedArrayBuffer(8 * (to - from) * all)),
  }));
  let state = SeededShuffle.of(seed, weights.length).state;
  for (let first = 0; first < all; first += atOnce) {
    const count = Math.min(atOnce, all - first);
    context.report('Permuting the genes', first, all);
    // One after the other: each permutation goes on from the one before.
    // oxlint-disable-next-line no-await-in-loop
    const batch = await context.compute('drawPermutations', { start: state, count }, { isLong: true });
    state = batch.state;
    const inputs = blocks.map((block) => ({
      weights,
      sets: { starts: block.starts, places },
      permutations: batch.permutations,
      into: { scores: block.scores, permutations: all, from: first },
    }));
    const stage =
      all <= atOnce ? 'Testing the sets' : `Testing the sets, permutations from ${countText(first + 1)}`;
    // oxlint-disable-next-line no-await-in-loop
    await context.computeAll('permuteSets', inputs, stage, { isLong: true });
  }
  return blocks.map(({ scores }) => scores);
}

/** Ranges [from, to) of sets with enough genes for a task. */
function blocksOf(starts: Int32Array, permutations: number): [number, number][] {
  const blockSize = Math.max(1, Math.floor(genesOfTask / permutations));
  const blocks: [number, number][] = [];
  let from = 0;
  for (let set = 1; set < starts.length; set++) {
    if (starts[set]! - starts[from]! < blockSize && set < starts.length - 1) continue;
    blocks.push([from, set]);
    from = set;
  }
  return blocks;
}

function byScore(normalised: Float64Array): Int32Array {
  const size = (set: number): number => (Number.isNaN(normalised[set]!) ? -1 : Math.abs(normalised[set]!));
  return Int32Array.from(normalised.keys()).sort((a, b) => size(b) - size(a) || a - b);
}

/** gseapy's columns and order, with the size of the set. */
function tableOf(drawing: RankedDrawing) {
  const { tests, order, ranked } = drawing;
  const { log2Errors } = tests;
  const rows = Array.from(order, (set) => rowOf(drawing, set));
  const all = <Value>(valueOf: (row: RankedSet) => Value) => rows.map(valueOf);
  return {
    Term: all(({ term }) => term),
    ES: all(({ es }) => es),
    NES: all(({ nes }) => nes),
    'NOM p-val': all(({ p }) => p),
    'FDR q-val': all(({ fdr }) => fdr),
    ...(log2Errors
      ? { log2err: Array.from(order, (set) => log2Errors[set]!) }
      : { 'FWER p-val': all(({ fwer }) => fwer) }),
    Size: all(({ size }) => size),
    'Tag %': all(({ leading, size }) => `${leading}/${size}`),
    'Gene %': Array.from(order, (set) => `${(100 * ranked.geneShares[set]!).toFixed(2)}%`),
    Lead_genes: Array.from(order, (set) => leadingGenes(drawing, set).join(';')),
  };
}

function rowOf({ ranked, tests }: RankedDrawing, set: number): RankedSet {
  const { terms, scores, starts, leadingStarts } = ranked;
  return {
    term: stringAt(terms, set),
    es: scores[set]!,
    nes: tests.normalised[set]!,
    p: tests.pValues[set]!,
    fdr: tests.falseDiscoveryRates[set]!,
    fwer: tests.familyWise[set]!,
    size: starts[set + 1]! - starts[set]!,
    leading: leadingStarts[set + 1]! - leadingStarts[set]!,
  };
}

function leadingGenes({ ranked: { genes, leading, leadingStarts } }: RankedDrawing, set: number): string[] {
  const edge = leading.subarray(leadingStarts[set], leadingStarts[set + 1]);
  return Array.from(edge, (place) => stringAt(genes, place));
}

function curveOf(drawing: RankedDrawing, set: number): RankedCurve {
  const { places, starts, weights } = drawing.ranked;
  const hits = places.slice(starts[set], starts[set + 1]);
  return {
    ...rowOf(drawing, set),
    ...scoreCorners(weights, hits),
    hits,
    leadingGenes: leadingGenes(drawing, set),
  };
}

/** Sets of positive and of negative normalised score, in order. */
function sidesOf({ tests, order }: RankedDrawing) {
  const side = (isSide: (nes: number) => boolean) => order.filter((set) => isSide(tests.normalised[set]!));
  return { top: side((nes) => nes > 0), end: side((nes) => nes < 0) };
}

function significantSets(drawing: RankedDrawing): { readonly top: number; readonly end: number } {
  const isSignificant = (set: number) => drawing.tests.falseDiscoveryRates[set]! <= threshold;
  const { top, end } = sidesOf(drawing);
  return { top: top.filter(isSignificant).length, end: end.filter(isSignificant).length };
}

/** Refuses a set that was not tested. */
function figureOf(
  drawing: RankedDrawing,
  { term }: { readonly term?: string | undefined },
  { refuse }: Pick<Context, 'refuse'>,
): RankedEnrichmentFigure {
  const { ranked, tests, order, ranking, library, sides, metricName, leastP } = drawing;
  const rateOf = (set: number) => {
    const rate = tests.falseDiscoveryRates[set]!;
    return Number.isNaN(rate) ? 1 : rate;
  };
  const { top, end } = sidesOf(drawing);
  const shown = [top, end].flatMap((sets) =>
    Array.from(sets.toSorted((a, b) => rateOf(a) - rateOf(b)).subarray(0, setsOfSide)),
  );
  const chosen = term === undefined ? order[0] : order.find((set) => stringAt(ranked.terms, set) === term);
  if (term !== undefined && chosen === undefined) {
    refuse('set_not_tested', 'This set was not tested: it has too few or too many ranked genes.');
  }
  return {
    ranking,
    library,
    sides,
    metric: ranked.metric,
    metricName,
    tested: ranked.scores.length,
    leastP,
    threshold,
    significant: significantSets(drawing),
    sets: shown.map((set) => rowOf(drawing, set)),
    curve: chosen === undefined ? null : curveOf(drawing, chosen),
  };
}

function aboutTests(permutations: number): Cautions[number] {
  return { code: 'genes-as-independent', numbers: { permutations } };
}

function aboutSignificance({ falseDiscoveryRates: rates }: SetTests): Cautions[number] {
  const significant = rates.reduce((sum, rate) => sum + (rate <= threshold ? 1 : 0), 0);
  return { code: 'multiple-testing', numbers: { tests: rates.length, passing: significant } };
}

function fewGenesMatched(inSets: number, ranked: number): Cautions {
  if (inSets >= fewMatched.genes && inSets / ranked >= fewMatched.share) return [];
  return [{ code: 'few-genes-matched', numbers: { genes: inSets, ranked } }];
}

function aboutRanking({ metric, counts }: RankedLibrary, unexpressed: number): Cautions {
  const { missing, repeated, tied, unmapped } = counts;
  const [highest = 0, lowest = 0] = [metric[0], metric.at(-1)];
  const ranked = metric.length;
  const without = missing - unexpressed;
  const cautions: Cautions = [];
  if (ranked > 0 && (highest <= 0 || lowest >= 0)) {
    cautions.push({ code: 'one-sided-ranking', numbers: { highest, lowest } });
  }
  if (tied > 0) {
    const numbers = { tied, ranked };
    cautions.push(tied >= manyTied * ranked ? { code: 'ties', numbers } : { code: 'tied-genes', numbers });
  }
  if (repeated > 0) cautions.push({ code: 'repeated-genes', numbers: { repeated } });
  if (unexpressed > 0) cautions.push({ code: 'unexpressed-genes', numbers: { genes: unexpressed } });
  if (without > 0) cautions.push({ code: 'genes-without-number', numbers: { genes: without } });
  if (unmapped > 0) cautions.push({ code: 'genes-unmapped', numbers: { genes: unmapped } });
  return cautions;
}

function aboutSets({ counts, scores }: RankedLibrary, { compiled }: DatasetLibrary): Cautions {
  const { tooSmall, tooLarge: large } = counts;
  const small = tooSmall + compiled.dropped;
  if (small + large === 0) return [];
  return [{ code: 'sets-left-out', numbers: { tested: scores.length, small, large } }];
}

function aboutPValues(tests: SetTests, { permutations, method }: TestParameters): Cautions {
  const count = (is: (p: number) => boolean) => tests.pValues.reduce((sum, p) => sum + (is(p) ? 1 : 0), 0);
  if (method === 'permutation') {
    const sets = count((p) => p === 0);
    if (sets === 0) return [];
    // A share of the permuted scores of the sign of the set.
    const ofZeros = Array.from(tests.sameSign ?? []).filter((_, set) => tests.pValues[set] === 0);
    const bound = 1 / Math.min(permutations, ...ofZeros);
    return [{ code: 'p-values-at-bound', numbers: { sets, permutations, bound } }];
  }
  const cautions: Cautions = [];
  const atBound = count((p) => p === minProbability);
  const unknown = count((p) => Number.isNaN(p));
  if (atBound > 0) cautions.push({ code: 'p-values-at-bound', numbers: { sets: atBound } });
  if (unknown > 0) cautions.push({ code: 'unbalanced-ranking', numbers: { sets: unknown, permutations } });
  return cautions;
}
