import {
  type CellGroups,
  type CellTypeMarkers,
  type PairedCells,
  resolveMarkers,
  type SuggestionRule,
  type TypePair,
} from '@cellfolio/analysis';
import type { CellTypeParameters } from '@cellfolio/contract';
import { countText, listedNames, plural, quotedHead } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import { KeptWork } from '../../runtime/compute/kept-work.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import type { NamedCaches } from '../../runtime/observability/observed.ts';
import { mapGenes, type OrthologueTables } from '../gene-sets/index.ts';
import { groupColumn } from '../../runtime/group-column.ts';
import type { GroupStatistics, MarkerTests } from '../markers/index.ts';
import { chosenList, mapSymbols, type ReferenceList, refuseReplaced } from '../reference-lists/index.ts';
import { datasetOf, keyOfSelection, keysOfDataset, type Selection } from '../selection/index.ts';
import { cellTypeCautions, programmes } from './cautions.ts';
import { type CellTypeResult, type ComparedGroups, type DatasetMarkers, typeAt } from './cell-type-result.ts';
import type { MarkerSets } from './marker-sets.ts';
import type { FoundTypes, PairedCellsTask, SuggestTypesTask } from './tasks.ts';

interface Question {
  selection: Selection;
  parameters: CellTypeParameters;
  dataset: Dataset;
  markers: DatasetMarkers;
}

const resultBytes = 16 * 1024 * 1024;
/** Profiles of more groups would not fit into the memory of a thread: 24 bytes per gene and group. */
const maxGroups = 200;

/** Types of a marker list that groups of cells resemble, by decoupler's linear models of the groups' means. */
export class CellTypeSuggestions {
  readonly #compute: Compute;
  readonly #datasets: OpenDatasets;
  readonly #sums: Pick<MarkerTests, 'statistics'>;
  readonly #orthologues: Pick<OrthologueTables, 'of' | 'version'>;
  readonly #sets: MarkerSets;
  readonly #results = new KeptWork<CellTypeResult>(resultBytes, sizeOf);

  constructor(deps: {
    compute: Compute;
    datasets: OpenDatasets;
    sums: Pick<MarkerTests, 'statistics'>;
    orthologues: Pick<OrthologueTables, 'of' | 'version'>;
    sets: MarkerSets;
  }) {
    this.#compute = deps.compute;
    this.#datasets = deps.datasets;
    this.#sums = deps.sums;
    this.#orthologues = deps.orthologues;
    this.#sets = deps.sets;
  }

  /**
   * Throws ApiFailure 400 for a column or a set that does not exist, 409 for a set that cannot be read or is no longer
   * at the requested version, 422 when no groups can be compared or no type can be evaluated.
   */
  async run(
    selection: Selection,
    {
      markers_version: version,
      ...parameters
    }: CellTypeParameters & { markers_version?: string | undefined },
    call: CallContext,
  ): Promise<CellTypeResult> {
    const question = await this.#lookUp(selection, parameters);
    refuseReplaced(this.#sets, question.markers.set, version);
    const key = await this.#keyOf(question);
    return this.#results.of(key, call, (joined) => this.#suggest(question, joined));
  }

  /** The markers of a set that a dataset has; by name where no table maps their species, which a run refuses. */
  async coverage({ species, entries }: ReferenceList<CellTypeMarkers>, dataset: Dataset) {
    const { find } = await mapGenes(dataset, species, this.#orthologues);
    const { types, markers, missing } = resolveMarkers(entries, find, 0);
    const largest = types.reduce((max, { rows }) => Math.max(max, rows.length), 0);
    return { marker_count: markers, found_count: markers - missing, largest_type_count: largest };
  }

  async dependencies({ markers: name, own_markers: own }: CellTypeParameters): Promise<string> {
    const { version } = await chosenList(this.#sets, { name, own });
    return `${version}|${await this.#orthologues.version()}`;
  }

  get caches(): NamedCaches {
    return [['cell types', this.#results.use]];
  }

  forget(datasetId: string): void {
    this.#results.forget(keysOfDataset(datasetId));
  }

  async #lookUp(selection: Selection, request: CellTypeParameters): Promise<Question> {
    refuseScaled(selection);
    const dataset = await this.#datasets.get(datasetOf(selection));
    const groupby = await groupColumn(dataset, request.groupby);
    const { markers: name, own_markers: own } = request;
    const { entries: listed, ...set } = await chosenList(this.#sets, { name, own });
    const { orthologues, entries } = { orthologues: this.#orthologues, entries: 'markers' };
    const { find, ...mapped } = await mapSymbols(set, dataset, { orthologues, entries });
    const markers = { ...resolveMarkers(listed, find, request.min_markers), set, ...mapped, listed };
    if (markers.types.length === 0) throw noType(markers, request);
    return { selection, parameters: { ...request, groupby }, dataset, markers };
  }

  async #keyOf({ selection, parameters, markers }: Question): Promise<string> {
    const { own_markers: _, ...rest } = parameters;
    const what = [rest, markers.set.version, await this.#orthologues.version()];
    return `${keyOfSelection(selection)}|${JSON.stringify(what)}`;
  }

  async #suggest(question: Question, call: CallContext): Promise<CellTypeResult> {
    const { selection, parameters, dataset, markers } = question;
    const statistics = await this.#sums.statistics(selection, parameters.groupby, call);
    const { indices, compared } = comparedGroups(statistics, parameters);
    call.onProgress({ stage: 'Scoring the types', done: 0, total: 1 });
    const { symbols } = dataset.genes;
    const { blocks, groups } = statistics;
    const suggestedTypes = await this.#compute.run<SuggestTypesTask>(
      {
        kind: 'suggest-types',
        isLong: true,
        blocks,
        groups,
        comparedIndices: indices,
        types: markers.types,
        lineages: markers.types.map((_, place) => typeAt(markers, place).lineage),
        rule: ruleOf(parameters),
        programmes: programmes.map(({ isIn }) =>
          Int32Array.from(symbols.flatMap((symbol, row) => (isIn(symbol) ? [row] : []))),
        ),
      },
      call,
    );
    const paired = await this.#paired(question, { suggestedTypes, groups, indices }, call);
    const findings = { parameters, markers, groups: compared, suggestedTypes, paired };
    return { ...findings, cautions: cellTypeCautions({ ...findings, selection }) };
  }

  async #paired(
    { selection, parameters }: Question,
    {
      suggestedTypes,
      groups,
      indices,
    }: { suggestedTypes: FoundTypes; groups: CellGroups; indices: readonly number[] },
    call: CallContext,
  ): Promise<ReadonlyMap<number, PairedCells>> {
    const looksLike = suggestedTypes.groups.flatMap((group, place) =>
      group.conflict === undefined
        ? []
        : [{ place, pair: pairOf(group, indices[place]!, parameters.min_share) }],
    );
    if (looksLike.length === 0) return new Map();
    call.onProgress({ stage: 'Looking for cells of two types', done: 0, total: 1 });
    const counts = await this.#compute.run<PairedCellsTask>(
      {
        kind: 'paired-cells',
        isLong: true,
        dataset: datasetOf(selection),
        groups,
        pairs: looksLike.map(({ pair }) => pair),
      },
      call,
    );
    return new Map(looksLike.map(({ place }, at) => [place, counts[at]!]));
  }
}

/** Markers that the group expresses of one type and not of the other. */
function pairOf(
  { markers, order, conflict }: FoundTypes['groups'][number],
  group: number,
  minShare: number,
): TypePair {
  const expressed = (type: number) => {
    const { rows, shares, above } = markers.find((one) => one.type === type)!;
    return Array.from(rows).filter((_, at) => shares[at]! >= minShare && above[at]! > 0);
  };
  const [one, other] = [expressed(order[0]!), expressed(conflict!)];
  return {
    group,
    markers: [one.filter((row) => !other.includes(row)), other.filter((row) => !one.includes(row))],
  };
}

function ruleOf(parameters: CellTypeParameters): SuggestionRule {
  const { pval, min_markers, min_share, min_margin } = parameters;
  return { maxAdjustedP: pval, minExpressed: min_markers, minShare: min_share, minMargin: min_margin };
}

/** The groups that have enough cells. Throws ApiFailure 422 when these are fewer than two, or too many. */
function comparedGroups(
  { groups: { names, sizes }, unlabelledCells: unlabelled }: GroupStatistics,
  { groups: requestedGroups, groupby, min_cells: minCells }: CellTypeParameters,
): { indices: number[]; compared: ComparedGroups } {
  const chosen = requestedGroups && new Set(requestedGroups);
  const candidates = names.flatMap((name, group) => (chosen && !chosen.has(name) ? [] : [group]));
  const indices = candidates.filter((group) => sizes[group]! >= minCells);
  const named = (group: number) => ({ name: names[group]!, cells: sizes[group]! });
  const compared = {
    names: indices.map((group) => names[group]!),
    sizes: indices.map((group) => sizes[group]!),
    leftOut: candidates.filter((group) => !indices.includes(group)).map(named),
    empty: (requestedGroups ?? []).filter((name) => !names.includes(name)),
    unlabelled,
  };
  if (indices.length >= 2 && indices.length <= maxGroups) return { indices, compared };
  const few = compared.leftOut.map(({ name, cells }) => `${name} (${cells})`);
  throw new ApiFailure(
    422,
    indices.length < 2 ? 'not_enough_groups' : 'too_many_groups',
    indices.length < 2
      ? `Of the active cells, ${indices.length === 1 ? 'one group' : 'no group'} of ${quotedHead(groupby, 80)} has ${countText(minCells)} cells or more${few.length > 0 ? ` (too few: ${listedNames(few, 5)})` : ''}, and each group is compared with the others. Choose another column, more groups, or a larger subset.`
      : `${quotedHead(groupby, 80)} has ${countText(indices.length)} groups; the maximum is ${maxGroups}. Choose some of the groups, or another column.`,
  );
}

function refuseScaled({ manifest }: Selection): void {
  if (manifest.expression.state !== 'scaled') return;
  throw new ApiFailure(
    422,
    'scaled_values',
    'The dataset has scaled values, which do not show which cells express a marker. Import the dataset with log-normalised values or counts.',
  );
}

function noType(
  { set, listed }: DatasetMarkers,
  { min_markers: minMarkers }: CellTypeParameters,
): ApiFailure {
  const [first] = listed;
  return new ApiFailure(
    422,
    'no_markers_found',
    `None of the ${countText(listed.length)} types of ${quotedHead(set.name, 80)} has ${plural(minMarkers, 'marker')} in the dataset; the first type is ${quotedHead(`${first!.type}: ${first!.genes.join(', ')}`, 160)}. Use markers among the genes of the dataset, or require fewer.`,
  );
}

function sizeOf({ suggestedTypes, groups }: CellTypeResult): number {
  const ofGroups = suggestedTypes.groups.reduce(
    (sum, { order, markers }) =>
      sum + 60 * order.length + markers.reduce((rows, one) => rows + 30 * one.rows.length, 200),
    0,
  );
  return ofGroups + groups.names.length * 100 + 2000;
}
