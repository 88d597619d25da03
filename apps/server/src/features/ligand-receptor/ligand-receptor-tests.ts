import { type InteractionPair, resolvePairs } from '@cellfolio/analysis';
import type { LigandReceptorParameters } from '@cellfolio/contract';
import { countText, quotedHead, listedNames } from '@cellfolio/model';
import { ByteCache, type Dataset } from '@cellfolio/store';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { JoinedWork, runAll, type CallContext } from '../../runtime/compute/analysis-work.ts';
import { type Compute, ComputeFailure } from '../../runtime/compute/compute-pool.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import type { NamedCaches } from '../../runtime/observability/observed.ts';
import { mapGenes, type OrthologueTables } from '../gene-sets/index.ts';
import { groupColumn } from '../../runtime/group-column.ts';
import { sampleColumn } from '../../runtime/sample-column.ts';
import { chosenList, type ReferenceList, refuseReplaced } from '../reference-lists/index.ts';
import type { GeneMeans } from '../scores/index.ts';
import { datasetOf, keyOfSelection, keysOfDataset, type Selection } from '../selection/index.ts';
import type { CellMasks } from '../subsets/index.ts';
import { ligandReceptorCautions, hasReferences, type LigandReceptorResult } from './cautions.ts';
import { datasetPairs, type DatasetPairs, type PairSets } from './dataset-pairs.ts';
import type {
  PairGroups,
  PairGroupsTask,
  PairTableTask,
  PermutePairsTask,
  ScoredPairs,
  ScorePairsTask,
} from './tasks.ts';

interface Question {
  selection: Selection;
  parameters: LigandReceptorParameters;
  pairs: DatasetPairs;
}

const resultBytes = 64 * 1024 * 1024;
/** Maximum interactions of one result: a row of the table has about 350 characters. */
const maxInteractions = 150_000;
/** Maximum values of the genes in the cells, 6 bytes each, in memory while labels are permuted. */
const maxValues = 64 * 1024 * 1024;
/** Steps per task: about 50 ms, so that other users' figures are drawn between tasks. */
const taskSteps = 30_000_000;

/** Ligand–receptor pairs by CellPhoneDB's test and LIANA's scores, over the compute threads. */
export class LigandReceptorTests {
  readonly #compute: Compute;
  readonly #datasets: OpenDatasets;
  readonly #masks: CellMasks;
  readonly #means: Pick<GeneMeans, 'of'>;
  readonly #orthologues: Pick<OrthologueTables, 'of' | 'version'>;
  readonly #sets: PairSets;
  readonly #results = new ByteCache<string, LigandReceptorResult>(resultBytes, sizeOf);
  readonly #running = new JoinedWork<LigandReceptorResult>();

  constructor(deps: {
    compute: Compute;
    datasets: OpenDatasets;
    masks: CellMasks;
    means: Pick<GeneMeans, 'of'>;
    orthologues: Pick<OrthologueTables, 'of' | 'version'>;
    sets: PairSets;
  }) {
    this.#compute = deps.compute;
    this.#datasets = deps.datasets;
    this.#masks = deps.masks;
    this.#means = deps.means;
    this.#orthologues = deps.orthologues;
    this.#sets = deps.sets;
  }

  /**
   * Throws ApiFailure 400 for a column or a set that does not exist, 409 for a set that cannot be read or is no longer
   * at the requested version, 422 when nothing can be tested, and when the result would exceed its limits.
   */
  async run(
    selection: Selection,
    {
      pairs_version: version,
      ...parameters
    }: LigandReceptorParameters & { pairs_version?: string | undefined },
    call: CallContext,
  ): Promise<LigandReceptorResult> {
    const question = await this.#lookUp(selection, parameters);
    refuseReplaced(this.#sets, question.pairs.set, version);
    const key = await this.#keyOf(question);
    const cached = this.#results.get(key);
    if (cached) return cached;
    return this.#running.run(key, call, async (joined) => {
      const result = await this.#test(question, joined);
      this.#results.set(key, result);
      return result;
    });
  }

  /** The pairs that a dataset has; by name where no table maps their species, which a run refuses. */
  async coverage({ species, entries }: ReferenceList<InteractionPair>, dataset: Dataset) {
    const { find } = await mapGenes(dataset, species, this.#orthologues);
    return { found_count: resolvePairs(entries, find).pairs.length };
  }

  async dependencies(parameters: LigandReceptorParameters): Promise<string> {
    const { version } = await this.#setOf(parameters);
    return `${version}|${await this.#orthologues.version()}`;
  }

  get caches(): NamedCaches {
    return [['ligands and receptors', this.#results.use]];
  }

  forget(datasetId: string): void {
    this.#results.forget(keysOfDataset(datasetId));
  }

  releaseMemory(): void {
    this.#results.forget(() => true);
  }

  async #lookUp(selection: Selection, request: LigandReceptorParameters): Promise<Question> {
    refuseScaled(selection);
    const dataset = await this.#datasets.get(datasetOf(selection));
    const groupby = await groupColumn(dataset, request.groupby);
    const set = await this.#setOf(request);
    const pairs = await datasetPairs(set, dataset, this.#orthologues);
    return { selection, parameters: { ...request, groupby }, pairs };
  }

  #setOf({ pairs: name, own_pairs: own }: LigandReceptorParameters) {
    return chosenList(this.#sets, { name, own });
  }

  async #keyOf({ selection, parameters, pairs }: Question): Promise<string> {
    const { own_pairs: _, ...rest } = parameters;
    const what = [rest, pairs.set.version, await this.#orthologues.version()];
    return `${keyOfSelection(selection)}|${JSON.stringify(what)}`;
  }

  async #test(question: Question, call: CallContext): Promise<LigandReceptorResult> {
    const { selection, parameters, pairs } = question;
    const { permutations, seed, pval: threshold } = parameters;
    const groups = await this.#groups(question, call);
    const { entries, interactions, scores, looked } = await this.#score(question, groups, call);
    const { labels, sizes } = groups;
    const permuted = { entries, groups: { labels, sizes }, interactions, means: scores.means, seed };
    const steps = entries.values.length + 4 * entries.cellCount + scores.means.length;
    const ofTask = Math.max(1, Math.min(permutations, Math.floor(taskSteps / Math.max(1, steps))));
    const tasks = Array.from({ length: Math.ceil(permutations / ofTask) }, (_, nth): PermutePairsTask => ({
      kind: 'pair-permutations',
      permuted,
      from: nth * ofTask,
      to: Math.min(permutations, (nth + 1) * ofTask),
    }));
    const counts = await runAll<PermutePairsTask>(this.#compute, tasks, 'Permuting the labels', call);
    const dataset = await this.#datasets.get(datasetOf(selection));
    const { symbols } = dataset.genes;
    const samples = await sampleColumn(dataset);
    call.onProgress({ stage: 'Ranking the interactions', done: 0, total: 1 });
    const table = await this.#compute.run<PairTableTask>(
      {
        kind: 'pair-table',
        isLong: true,
        counts,
        permutations,
        interactions,
        scores,
        threshold,
        groups: groups.names,
        pairs: pairs.named,
        hasReferences: hasReferences(pairs),
        genes: Array.from(pairs.rows, (row) => symbols[row] ?? String(row)),
      },
      call,
    );
    const { names, leftOut, empty, unlabelled } = groups;
    const findings = {
      parameters,
      pairs,
      interactions,
      means: scores.means,
      looked,
      table,
      groups: { names, sizes, leftOut, empty, unlabelled },
    };
    return { ...findings, cautions: ligandReceptorCautions({ ...findings, selection, samples }) };
  }

  async #groups({ selection, parameters }: Question, call: CallContext): Promise<PairGroups> {
    call.onProgress({ stage: 'Finding the groups', done: 0, total: 1 });
    const groups = await this.#compute.run<PairGroupsTask>(
      {
        kind: 'pair-groups',
        dataset: datasetOf(selection),
        mask: await this.#masks.maskOf(selection, call),
        column: parameters.groupby,
        chosen: parameters.groups,
        minCells: parameters.min_cells,
      },
      call,
    );
    if (groups.names.length < 2) throw tooFewGroups(parameters, groups);
    return groups;
  }

  async #score(
    { selection, parameters, pairs }: Question,
    { labels, sizes, placeOf }: PairGroups,
    call: CallContext,
  ): Promise<ScoredPairs> {
    const means = await this.#means.of(selection, call);
    call.onProgress({ stage: 'Reading the genes', done: 0, total: 1 });
    const task: ScorePairsTask = {
      kind: 'pair-scores',
      isLong: true,
      dataset: datasetOf(selection),
      groups: { labels, sizes, placeOf },
      pairs: pairs.pairs,
      rows: pairs.rows,
      minShare: parameters.min_share,
      max: { interactions: maxInteractions, values: maxValues },
      matrixMean: matrixMean(means),
    };
    try {
      return await this.#compute.run(task, call);
    } catch (error) {
      throw error instanceof ComputeFailure ? refusalOf(error) : error;
    }
  }
}

/** Mean over the genes that any of the cells expresses, as in LIANA. */
function matrixMean(means: Float64Array): number {
  let [sum, genes] = [0, 0];
  for (const mean of means) {
    if (mean === 0 || Number.isNaN(mean)) continue;
    sum += mean;
    genes++;
  }
  return genes === 0 ? 0 : sum / genes;
}

function refuseScaled({ manifest }: Selection): void {
  if (manifest.expression.state !== 'scaled') return;
  throw new ApiFailure(
    422,
    'scaled_values',
    'The dataset has scaled values, which are below 0 if a gene is not expressed: a mean of ligand and receptor is then meaningless. Import the dataset with log-normalised values or counts.',
  );
}

function tooFewGroups(
  { groupby, groups, min_cells: minCells }: LigandReceptorParameters,
  { names, leftOut, empty }: PairGroups,
): ApiFailure {
  const has = names.length === 1 ? 'one group' : 'no group';
  const few = leftOut.map(({ name, cells }) => `${name} (${cells})`);
  const reasons = [
    ...(few.length > 0 ? [`too few cells: ${listedNames(few, 5)}`] : []),
    ...(groups && empty.length > 0 ? [`no active cell: ${listedNames(empty, 5)}`] : []),
  ].join('; ');
  return new ApiFailure(
    422,
    'not_enough_groups',
    `Of the active cells, ${has} of ${quotedHead(groupby, 80)} has ${countText(minCells)} cells or more${reasons === '' ? '' : ` (${reasons})`}, and pairs need at least two groups. Choose another column, more groups, or a larger subset.`,
  );
}

function refusalOf(failure: ComputeFailure): Error {
  const number = countText(Number.parseInt(failure.message, 10));
  if (failure.tag === 'TooManyInteractions') {
    const message = `${number} interactions would be tested; the maximum is ${countText(maxInteractions)}. Choose fewer groups or pairs, or a higher share of expressing cells.`;
    return new ApiFailure(422, 'result_too_large', message, { cause: failure });
  }
  if (failure.tag !== 'TooManyValues') return failure;
  const message = `The genes of the pairs have ${number} values in these cells; the maximum for permutation is ${countText(maxValues)}. Choose fewer pairs, or a smaller subset.`;
  return new ApiFailure(422, 'too_many_values', message, { cause: failure });
}

function sizeOf({ table, means, interactions }: LigandReceptorResult): number {
  const ofRow = 2 * means.BYTES_PER_ELEMENT + 14;
  return table.rows.length + interactions.pairs.length * ofRow + 1000;
}
