import { nameOfB } from '@cellfolio/analyses';
import type { DatasetLibrary } from '@cellfolio/analyses/serve';
import { createHash } from 'node:crypto';
import { maxRankedGenes } from '@cellfolio/analysis';
import type { RankedEnrichmentParameters, GeneRankingSource } from '@cellfolio/analysis/parameters';
import { countText, packStrings, sharedCopy, type ResultCaution, minPValue } from '@cellfolio/model';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import { KeptWork } from '../../runtime/compute/kept-work.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import type { NamedCaches } from '../../runtime/observability/observed.ts';
import { noGenesFound } from '../catalogue/index.ts';
import { type Comparisons, cellsOn, comparedPlace, testWords } from '../gene-comparisons/index.ts';
import type { DatasetLibraries } from '../dataset-libraries/index.ts';
import { datasetOf, keyOfSelection, keysOfDataset, type Selection } from '../selection/index.ts';
import type { RankedLibrary, RankTask } from './tasks.ts';
import { type SetTests, testSets } from './set-tests.ts';

export interface RankedEnrichment {
  library: DatasetLibrary;
  parameters: RankedEnrichmentParameters;
  /** Without the genes, which are in `ranked` in ranking order. */
  ranking: Omit<GeneValues, 'genes' | 'values'> & { entries: number };
  ranked: RankedLibrary;
  tests: SetTests;
  /** Sets by descending absolute normalised score, those without one last, as in gseapy. */
  order: Int32Array;
}

const resultBytes = 64 * 1024 * 1024;
/** Scores of all sets in all permutations: 160 MB. */
const maxPermutedScores = 20_000_000;

export class RankedEnrichments {
  readonly #compute: Compute;
  readonly #datasets: OpenDatasets;
  readonly #comparisons: Comparisons;
  readonly #libraries: DatasetLibraries;
  readonly #results = new KeptWork<RankedEnrichment>(resultBytes, sizeOf);

  constructor(deps: {
    compute: Compute;
    datasets: OpenDatasets;
    comparisons: Comparisons;
    datasetLibraries: DatasetLibraries;
  }) {
    this.#compute = deps.compute;
    this.#datasets = deps.datasets;
    this.#comparisons = deps.comparisons;
    this.#libraries = deps.datasetLibraries;
  }

  /**
   * Throws ApiFailure as comparisons and enrichments do, and 422 when no ranked gene is in the library, or when sets ×
   * permutations exceed the limit.
   */
  async run(
    selection: Selection,
    request: RankedEnrichmentParameters & { library_version?: string | undefined },
    call: CallContext,
  ): Promise<RankedEnrichment> {
    const { library_version: version } = request;
    const parameters = onlyParameters(request);
    const dependencies = await this.dependencies(parameters.library_name);
    const key = `${keyOfSelection(selection)}|${digestOf([parameters, version ?? '', dependencies])}`;
    return this.#results.of(key, call, (joined) => this.#test(selection, parameters, version, joined));
  }

  /**
   * Versions of the library and of the orthologue tables, on which a result depends besides the cells and the
   * parameters.
   */
  async dependencies(libraryName: string): Promise<string> {
    return `${await this.version(libraryName)}|${await this.#libraries.mappingVersion()}`;
  }

  version(libraryName: string): Promise<string> {
    return this.#libraries.version('gene-sets', { name: libraryName });
  }

  get caches(): NamedCaches {
    return [['ranked-enrichments', this.#results.use]];
  }

  forget(datasetId: string): void {
    this.#results.forget(keysOfDataset(datasetId));
  }

  releaseMemory(): void {
    this.#results.forget(() => true);
  }

  async #test(
    selection: Selection,
    parameters: RankedEnrichmentParameters,
    version: string | undefined,
    call: CallContext,
  ): Promise<RankedEnrichment> {
    const { min_size: minSize, max_size: maxSize, weight, permutations } = parameters;
    checkSizes(minSize, maxSize);
    const deps = { datasets: this.#datasets, comparisons: this.#comparisons };
    const { genes, values, ...ranking } = await geneValues(deps, selection, parameters.ranking, call);
    const list = {
      name: parameters.library_name,
      version: await this.version(parameters.library_name),
    };
    this.#libraries.refuseReplaced('gene-sets', list, version);
    const tested = genes.filter((_, i) => !Number.isNaN(values[i]!));
    const library = await this.#libraries.of(
      selection,
      { ...parameters, background: { kind: 'own', genes: tested } },
      call,
    );
    const { compiled, background } = library;
    call.onProgress({ stage: 'Ranking the genes', done: 0, total: 1 });
    const packed = packStrings(genes);
    const ranked = await this.#compute.run<RankTask>(
      {
        kind: 'rank-sets',
        isLong: true,
        dataset: datasetOf(selection),
        compiled,
        background,
        genes: { bytes: sharedCopy(packed.bytes), offsets: sharedCopy(packed.offsets) },
        values: sharedCopy(values),
        weight,
        minSize,
        maxSize,
      },
      call,
    );
    if (ranked.counts.inSets === 0) throw noGenesFound('the ranking', genes.slice(0, 100));
    checkLength(ranked, permutations);
    const tests = await testSets(this.#compute, ranked, parameters, call);
    return {
      library,
      parameters,
      ranking: { ...ranking, entries: genes.length },
      ranked,
      tests,
      order: byScore(tests.normalised),
    };
  }
}

/** Removes the options of a figure, so that all figures of an enrichment share its tests. */
function onlyParameters(input: RankedEnrichmentParameters): RankedEnrichmentParameters {
  const { ranking, library_name, species, method, min_size, max_size, permutations, weight, seed } = input;
  const common = { ranking, library_name, method, min_size, max_size, permutations, weight, seed };
  return species === undefined ? common : { ...common, species };
}

/** A digest, since caches count the size of their values and not of their keys, and a ranking may be long. */
function digestOf(parts: unknown): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

function byScore(normalised: Float64Array): Int32Array {
  const size = (set: number): number => (Number.isNaN(normalised[set]!) ? -1 : Math.abs(normalised[set]!));
  return Int32Array.from(normalised.keys()).sort((a, b) => size(b) - size(a) || a - b);
}

function checkSizes(min: number, max: number): void {
  if (min <= max) return;
  throw new ApiFailure(
    400,
    'invalid_request',
    `The smallest set has ${countText(min)} genes and the largest ${countText(max)}: no set can have this size.`,
    { details: [{ field: 'max_size', problem: 'is below min_size' }] },
  );
}

function checkLength({ metric, scores }: RankedLibrary, permutations: number): void {
  if (metric.length > maxRankedGenes) {
    throw new ApiFailure(
      422,
      'ranking_too_long',
      `${countText(metric.length)} genes are ranked, more than ${countText(maxRankedGenes)}: rank only expressed genes.`,
    );
  }
  if (scores.length * permutations <= maxPermutedScores) return;
  const maxPermutations = Math.floor(maxPermutedScores / scores.length);
  throw new ApiFailure(
    422,
    'too_many_permutations',
    `${countText(scores.length)} sets can be tested with at most ${countText(maxPermutations)} permutations. Choose fewer permutations, or limit the set sizes; multilevel p-values need few permutations.`,
    { details: [{ field: 'permutations', problem: `is above ${maxPermutations}` }] },
  );
}

function sizeOf({ ranked, tests }: RankedEnrichment): number {
  const { genes, metric, weights, terms, starts, places, leading } = ranked;
  const arrays = [genes.bytes, genes.offsets, metric, weights, terms.bytes, starts, places, leading];
  return arrays.reduce((sum, { byteLength }) => sum + byteLength, 10 * tests.normalised.byteLength);
}

interface GeneValues {
  /** Symbols or ids. */
  genes: readonly string[];
  /** NaN when missing. */
  values: Float64Array;
  /** Description of the ranking in words. */
  name: string;
  metric: string;
  sides: { top: string; end: string };
  unexpressed: number;
  cautions: readonly ResultCaution[];
}

type OfComparison = Extract<GeneRankingSource, { source: 'comparison' }>;
type Own = Extract<GeneRankingSource, { source: 'own' }>;

/** The numbers that genes are ranked by. Throws ApiFailure when they come from a comparison that cannot be made. */
async function geneValues(
  { datasets, comparisons }: { datasets: OpenDatasets; comparisons: Comparisons },
  selection: Selection,
  ranking: GeneRankingSource,
  call: CallContext,
): Promise<GeneValues> {
  if (ranking.source === 'own') return ownValues(ranking);
  const comparison = await comparisons.run(selection, ranking.comparison, call);
  const place = comparedPlace(comparison, ranking.part);
  const part = comparison.parts[place]!;
  const table = await comparisons.table(selection, comparison, place, call);
  const { parameters, cautions } = comparison;
  const [a, b] = [parameters.a.name, nameOfB(parameters, cellsOn(comparison.parts, 'b'))];
  const { genes } = await datasets.get(selection.manifest);
  const { values, unexpressed } = comparedValues(table, ranking.statistic);
  const where = part.name === '' ? '' : ` in ${part.name}`;
  return {
    genes: genes.symbols,
    values,
    unexpressed,
    name: `${a} against ${b}${where}, ${statisticWords[ranking.statistic]} (${testWords(comparison)})`,
    metric: statisticWords[ranking.statistic],
    sides: { top: `higher in ${a}`, end: `higher in ${b}` },
    cautions: cautions.filter(({ code }) => !ofTableAlone.has(code)),
  };
}

const statisticWords: Readonly<Record<OfComparison['statistic'], string>> = {
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

type Table = Awaited<ReturnType<Comparisons['table']>>;

/** A gene that no cell of either side expresses was not tested: its fold change is merely 0. */
function comparedValues(
  { scores, logfoldchanges: changes, pvals }: Table,
  statistic: OfComparison['statistic'],
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

function ownValues({ name, genes, values }: Own): GeneValues {
  const numbers = Float64Array.from(values, (value) => value ?? Number.NaN);
  if (numbers.every((value) => Number.isNaN(value) || value === 0)) {
    throw new ApiFailure(
      422,
      'no_ranking',
      'No gene of the ranking has a value other than 0: the second column must give the difference of each gene.',
      { details: [{ field: 'ranking.values', problem: 'are all 0 or missing' }] },
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
