import { createHash } from 'node:crypto';
import { maxRankedGenes } from '@cellfolio/analysis';
import type { RankedEnrichmentParameters } from '@cellfolio/analysis/parameters';
import { countText, packStrings, sharedCopy } from '@cellfolio/model';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import { KeptWork } from '../../runtime/compute/kept-work.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import type { NamedCaches } from '../../runtime/observability/observed.ts';
import { noGenesFound } from '../catalogue/index.ts';
import type { Comparisons } from '../comparisons/index.ts';
import type { EnrichmentTests } from '../pathways/index.ts';
import { datasetOf, keyOfSelection, keysOfDataset, type Selection } from '../selection/index.ts';
import { type GeneValues, geneValues } from './gene-values.ts';
import type { RankedLibrary, RankTask } from './tasks.ts';
import { type SetTests, testSets } from './set-tests.ts';

type TestedLibrary = Awaited<ReturnType<EnrichmentTests['libraryOf']>>;

export interface RankedEnrichment extends TestedLibrary {
  readonly parameters: RankedEnrichmentParameters;
  /** Without the genes, which are in `ranked` in ranking order. */
  readonly ranking: Omit<GeneValues, 'genes' | 'values'> & { readonly entries: number };
  readonly ranked: RankedLibrary;
  readonly tests: SetTests;
  /** Sets by descending absolute normalised score, those without one last, as in gseapy. */
  readonly order: Int32Array;
}

const resultBytes = 64 * 1024 * 1024;
/** Scores of all sets in all permutations: 160 MB. */
const maxPermutedScores = 20_000_000;

export class RankedEnrichments {
  readonly #compute: Compute;
  readonly #datasets: OpenDatasets;
  readonly #comparisons: Comparisons;
  readonly #enrichmentTests: EnrichmentTests;
  readonly #results = new KeptWork<RankedEnrichment>(resultBytes, sizeOf);

  constructor(deps: {
    compute: Compute;
    datasets: OpenDatasets;
    comparisons: Comparisons;
    enrichmentTests: EnrichmentTests;
  }) {
    this.#compute = deps.compute;
    this.#datasets = deps.datasets;
    this.#comparisons = deps.comparisons;
    this.#enrichmentTests = deps.enrichmentTests;
  }

  /**
   * Throws ApiFailure as comparisons and enrichments do, and 422 when no ranked gene is in the library, or when sets ×
   * permutations exceed the limit.
   */
  async run(
    selection: Selection,
    request: RankedEnrichmentParameters & { readonly library_version?: string | undefined },
    call: CallContext,
  ): Promise<RankedEnrichment> {
    const { library_version: version } = request;
    const parameters = onlyParameters(request);
    const dependencies = await this.#enrichmentTests.dependencies(parameters.library_name);
    const key = `${keyOfSelection(selection)}|${digestOf([parameters, version ?? '', dependencies])}`;
    return this.#results.of(key, call, (joined) => this.#test(selection, parameters, version, joined));
  }

  /**
   * Versions of the library and of the orthologue tables, on which a result depends besides the cells and the
   * parameters.
   */
  dependencies(libraryName: string): Promise<string> {
    return this.#enrichmentTests.dependencies(libraryName);
  }

  version(libraryName: string): Promise<string> {
    return this.#enrichmentTests.version(libraryName);
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
    const tested = await this.#enrichmentTests.libraryOf(
      selection,
      { ...parameters, version },
      genes.filter((_, i) => !Number.isNaN(values[i]!)),
      call,
    );
    const { compiled, background } = tested.library;
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
      ...tested,
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
