import type { MarkerParameters } from '@cellfolio/contract';
import { isClustering, type ResultCaution } from '@cellfolio/model';
import { ByteCache, type Dataset } from '@cellfolio/store';
import {
  allGroups,
  checkGroups,
  crossedName,
  depthSets,
  keyOf,
  type SummedStratum,
  type SumsOfGroups,
} from '../group-sums/index.ts';
import { type GroupDisplays, inOrder } from './groups-in-order.ts';
import type { Markers, RankTask } from './rank-markers.ts';
import type { CheckTask, MarkerChecks } from './tasks.ts';
import type { CellDepths } from '../../runtime/cell-depths.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import { batchColumns } from '../../runtime/batch-columns.ts';
import { requireDepth, thinningLine } from '../../runtime/depth-cautions.ts';
import { sampleColumn } from '../../runtime/sample-column.ts';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import type { NamedCaches } from '../../runtime/observability/observed.ts';
import { markerCautions } from './cautions.ts';
import { columnsOf, type MarkerQuestion } from './marker-question.ts';
import { datasetOf, keysOfDataset, placesOf, type Selection } from '../selection/index.ts';

interface FoundMarkers {
  markers: Markers;
  /** How cells were brought to one depth, for the head of a file. */
  depthLines: readonly string[];
  unlabelledCells: number;
  cautions: readonly ResultCaution[];
}

export interface MarkerResult extends FoundMarkers {
  /** Column of obs that the cells were grouped by, or the label of a grouping by selection. */
  column: string;
  bins: MarkerQuestion['bins'];
  ofSelection: boolean;
  split: MarkerQuestion['split'];
  displays: GroupDisplays;
}

/** Results are only the genes that pass, so this caches many of them. */
const resultBytes = 8 * 1024 * 1024;

export class MarkerTests {
  readonly #compute: Compute;
  readonly #datasets: OpenDatasets;
  readonly #depths: CellDepths;
  readonly #sums: SumsOfGroups;
  readonly #results = new ByteCache<string, FoundMarkers>(resultBytes, sizeOfFound);

  constructor(deps: { compute: Compute; datasets: OpenDatasets; depths: CellDepths; sums: SumsOfGroups }) {
    this.#compute = deps.compute;
    this.#datasets = deps.datasets;
    this.#sums = deps.sums;
    this.#depths = deps.depths;
  }

  /** Throws ApiFailure 400 for a wrong column, 422 for one that cannot be compared. */
  async run(selection: Selection, parameters: MarkerParameters, call: CallContext): Promise<MarkerResult> {
    const { selection: selected } = parameters;
    if (selected) placesOf(selected, selection.manifest, 'selection');
    requireDepth(selection.manifest, parameters);
    const dataset = await this.#datasets.get(datasetOf(selection));
    const question = { selection, parameters, ...(await columnsOf(dataset, parameters)) };
    const { column, bins, split } = question;
    const { method, tie_correct: tieCorrect, pseudocount, min_cells: minCells } = parameters;
    const filter = {
      nGenes: parameters.n_genes,
      maxAdjustedP: parameters.pvals_adj,
      minLogFoldChange: parameters.logfoldchanges,
    };
    const key = keyOf(question);
    const resultKey = `${key}|${JSON.stringify([tieCorrect, pseudocount, minCells, filter])}`;
    const displayOf = (name: string | undefined) => selection.displays?.find((one) => one.column === name);
    const displays = {
      group: selected ? undefined : displayOf(column),
      part: displayOf(split?.column),
    };
    const resultOf = (result: FoundMarkers): MarkerResult => ({
      ...result,
      markers: inOrder(result.markers, displays),
      column,
      bins,
      ofSelection: selected !== undefined,
      split,
      displays,
    });
    const cached = this.#results.get(resultKey);
    if (cached) return resultOf(cached);
    const sums = await this.#sums.of(question, call);
    const { strata, order, unlabelledCells, unassigned, withoutPart, thinned } = sums;
    checkGroups(strata, question, minCells);
    call.onProgress({ stage: 'Testing the groups', done: 0, total: 1 });
    const test = { method, tieCorrect, pseudocount, minCells };
    const task = { kind: 'rank', isLong: true, strata, order, test, filter } as const;
    const markers = await this.#compute.run<RankTask>(task, call);
    const checks = await this.#checks(question, { dataset, strata, markers }, call);
    const isTold = !thinned && markers.groups.some(({ rows }) => rows.length > 0);
    const allSets = depthSets(strata, false);
    const depths = isTold ? await this.#depths.of(selection.manifest, allSets, call) : undefined;
    const { symbols } = dataset.genes;
    const groups = allGroups(strata);
    const cautions = markerCautions({
      ...question,
      groups,
      markers,
      checks,
      depths,
      unlabelledCells,
      unassigned,
      withoutPart,
      symbols,
    });
    const names = strata.map(({ part, groups }) =>
      [...groups.names, 'other cells'].map((name) => crossedName(name, part)),
    );
    const depthLines = thinned ? [thinningLine(thinned, names)] : [];
    const findings = { markers, unlabelledCells, cautions, depthLines };
    this.#results.set(resultKey, findings);
    return resultOf(findings);
  }

  get caches(): NamedCaches {
    return [['markers', this.#results.use]];
  }

  forget(datasetId: string): void {
    this.#results.forget(keysOfDataset(datasetId));
  }

  /**
   * Diagnostics that a test of cells cannot derive from its own result: one more task, if there is anything to check.
   */
  async #checks(
    { selection, column, split, parameters }: MarkerQuestion,
    { dataset, strata, markers }: { dataset: Dataset; strata: readonly SummedStratum[]; markers: Markers },
    call: CallContext,
  ): Promise<MarkerChecks> {
    const { manifest } = selection;
    const samples = (await sampleColumn(dataset))?.column;
    const separation = !parameters.selection && isClustering(manifest, column);
    const listed = markers.groups.filter(({ rows }) => rows.length > 0);
    // Who compares batches knows that they are.
    const batches = batchColumns(dataset.obsColumnNames).filter(
      (name) => name !== split?.column && (parameters.selection !== undefined || name !== column),
    );
    if (listed.length === 0 || (!separation && samples === undefined && batches.length === 0)) return {};
    call.onProgress({ stage: 'Checking the markers', done: 0, total: 1 });
    return this.#compute.run<CheckTask>(
      {
        kind: 'check',
        isLong: true,
        dataset: datasetOf(selection),
        strata: strata.map(({ part, groups }) => ({ part, groups })),
        separation,
        ...(samples !== undefined && { samples }),
        totals: samples === undefined ? undefined : await this.#depths.totals(manifest, call),
        batches,
        markers: listed.map(({ group, rows, logfoldchanges }) => ({ group, rows, logfoldchanges })),
      },
      call,
    );
  }
}

function sizeOfFound({ markers: { groups, dots } }: FoundMarkers): number {
  const columns = groups.reduce((sum, { rows }) => sum + rows.length * 52 + 200, 0);
  return columns + dots.means.byteLength + dots.fractions.byteLength;
}
