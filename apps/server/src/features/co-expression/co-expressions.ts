import type { CoExpressionParameters } from '@cellfolio/analysis/parameters';
import { type Caution, noCountsReason } from '@cellfolio/model';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import { KeptWork } from '../../runtime/compute/kept-work.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import type { NamedCaches } from '../../runtime/observability/observed.ts';
import { sampleColumn } from '../../runtime/sample-column.ts';
import type { CellGraphs } from '../cell-graph/index.ts';
import type { SignatureScoring } from '../scores/index.ts';
import { datasetOf, keyOfSelection, keysOfDataset, type Selection } from '../selection/index.ts';
import { coExpressionCautions, type CoExpression, type TakenParameters } from './cautions.ts';
import { type AnalysedCells, LocalWork } from './local-work.ts';
import type { FoundModules, ModuleCheck, ModuleCheckTask, ModulesTask } from './module-tasks.ts';

const resultBytes = 64 * 1024 * 1024;
export class CoExpressions {
  readonly #compute: Compute;
  readonly #datasets: OpenDatasets;
  readonly #local: LocalWork;
  readonly #scoring: Pick<SignatureScoring, 'score'>;
  readonly #results = new KeptWork<CoExpression>(resultBytes, resultSize);

  constructor(deps: {
    compute: Compute;
    datasets: OpenDatasets;
    graphs: CellGraphs;
    scoring: Pick<SignatureScoring, 'score'>;
  }) {
    this.#compute = deps.compute;
    this.#datasets = deps.datasets;
    this.#local = new LocalWork(deps);
    this.#scoring = deps.scoring;
  }

  /**
   * Throws ApiFailure 422 when the dataset has no principal components, or no raw counts for a count model, and when
   * there are too few or too many cells.
   */
  async run(selection: Selection, request: CoExpressionParameters, call: CallContext): Promise<CoExpression> {
    const { expression, warnings } = selection.manifest;
    const { hasCounts } = expression;
    const parameters = { ...request, model: request.model ?? (hasCounts ? 'danb' : 'normal') };
    if (parameters.model === 'danb' && !hasCounts) throw noCounts(warnings);
    const { graph = 'file', model, n_neighbors, max_genes, min_module_genes, fdr, min_cells } = parameters;
    const asking = [graph, model, n_neighbors, max_genes, min_module_genes, fdr, min_cells];
    const key = `${keyOfSelection(selection)}|${JSON.stringify(asking)}`;
    return this.#results.of(key, call, (joined) => this.#find(selection, parameters, joined));
  }

  get caches(): NamedCaches {
    return [['co-expression', this.#results.use]];
  }

  forget(datasetId: string): void {
    this.#results.forget(keysOfDataset(datasetId));
  }

  releaseMemory(): void {
    this.#results.forget(() => true);
  }

  async #find(selection: Selection, parameters: TakenParameters, call: CallContext): Promise<CoExpression> {
    const dataset = datasetOf(selection);
    const cells = await this.#local.cells(selection, parameters, call);
    const { setting, rows } = cells;
    const tested = await this.#local.test(selection, setting, parameters, call);
    const nullCheck = await this.#local.nullCheck(selection, setting, tested, call);
    const sums = await this.#local.correlate(selection, setting, tested.rows, call);
    call.onProgress({ stage: 'Grouping the genes', done: 0, total: 1 });
    const found = await this.#compute.run<ModulesTask>(
      {
        kind: 'gene-modules',
        isLong: true,
        dataset,
        tested,
        sums,
        cells: rows.length,
        minGenes: parameters.min_module_genes,
        fdr: parameters.fdr,
      },
      call,
    );
    const samples = await sampleColumn(await this.#datasets.get(dataset));
    const checks = await this.#check(selection, found, { cells, samples: samples?.column }, call);
    const findings = {
      parameters,
      graphSource: cells.graphSource,
      cells: { analysed: rows.length, without: cells.without },
      tested,
      nullCheck,
      found,
      checks,
      samples,
    };
    return { ...findings, cautions: coExpressionCautions({ selection, ...findings }) };
  }

  async #check(
    selection: Selection,
    { modules }: FoundModules,
    context: { readonly cells: AnalysedCells; readonly samples: string | undefined },
    call: CallContext,
  ): Promise<(ModuleCheck | undefined)[]> {
    const { cells, samples } = context;
    const checks: (ModuleCheck | undefined)[] = [];
    for (const { rows } of modules) {
      const score = await this.#scoring.score(selection, [...rows], call).catch(notScorable);
      const task: ModuleCheckTask | undefined = score && {
        kind: 'module-check',
        dataset: datasetOf(selection),
        scores: score.scores,
        cells: cells.rows,
        totals: cells.setting.depth.totals,
        samples,
      };
      checks.push(task && (await this.#compute.run<ModuleCheckTask>(task, call)));
    }
    return checks;
  }
}

/** When the dataset has too few other genes to compare with, only the module has no score; the result stays. */
function notScorable(error: unknown): undefined {
  if (error instanceof ApiFailure && error.code === 'not_scorable') return undefined;
  throw error;
}

function noCounts(warnings: readonly Caution[]): ApiFailure {
  return new ApiFailure(
    422,
    'no_raw_counts',
    `The model danb needs raw counts, and the dataset has none.${noCountsReason(warnings)} Choose the model normal, which takes the expression values, or upload a file with raw counts in X, raw or layers/counts.`,
    { details: [{ field: 'model', problem: 'needs raw counts, which the dataset does not have' }] },
  );
}

function resultSize({ tested, found }: CoExpression): number {
  const { z, expressing } = tested;
  return 5 * z.byteLength + expressing.byteLength + found.scores.byteLength + 2 * found.table.length + 10_000;
}
