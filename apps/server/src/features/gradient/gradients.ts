import type { GradientParameters } from '@cellfolio/analysis/parameters';
import type { ResultCaution } from '@cellfolio/model';
import { qualityMeasure } from '@cellfolio/figures/content';
import { geneBlocks } from '@cellfolio/store';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { blockEntries, runAll, type CallContext } from '../../runtime/compute/analysis-work.ts';
import { KeptWork } from '../../runtime/compute/kept-work.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import type { NamedCaches } from '../../runtime/observability/observed.ts';
import { requestedSamples, type SampleColumn } from '../../runtime/sample-column.ts';
import { datasetOf, keyOfSelection, keysOfDataset, type Selection } from '../selection/index.ts';
import type { CellMasks } from '../subsets/index.ts';
import { type GeneMeans, geneMeans, geneNameCautions, geneRows } from '../trajectory/index.ts';
import { type AxisDeps, type ResolvedAxis, findAxis } from './axis-source.ts';
import { gradientCautions } from './cautions.ts';
import type { GradientTable, GradientTableTask, TestGenesTask } from './gene-tasks.ts';
import type { AxisOrderTask, OrderedAxis, TestedAxis } from './order-task.ts';

export interface Gradient {
  parameters: GradientParameters;
  axis: Omit<ResolvedAxis, 'source'>;
  ordered: TestedAxis;
  table: GradientTable;
  heatmap: readonly GeneMeans[];
  curves: readonly GeneMeans[];
  samples: SampleColumn | undefined;
  cautions: readonly ResultCaution[];
}

type TestedGradient = Omit<Gradient, 'curves' | 'parameters'>;

export interface GradientDeps extends AxisDeps {
  compute: Compute;
  masks: CellMasks;
}

const resultBytes = 96 * 1024 * 1024;
/** Default number of genes of each kind in the curves. */
const curvesOfKind = 2;

export class Gradients {
  readonly #deps: GradientDeps;
  readonly #results = new KeptWork<TestedGradient>(resultBytes, sizeOf);

  constructor(deps: GradientDeps) {
    this.#deps = deps;
  }

  /**
   * Throws ApiFailure 400 for a column, group or gene that the dataset does not have, 422 when there are too few cells
   * or the axis does not vary, and what scores and trajectories throw.
   */
  async run(selection: Selection, request: GradientParameters, call: CallContext): Promise<Gradient> {
    const dataset = await this.#deps.datasets.get(datasetOf(selection));
    const rows = request.genes && geneRows(dataset, request.genes);
    const { samples } = await requestedSamples(dataset, request.samples);
    const { axis, within_samples: within, degrees } = request;
    const version = await this.version(request);
    const asWhole = JSON.stringify([axis, within, degrees, samples?.column, version]);
    const key = `${keyOfSelection(selection)}|${asWhole}`;
    const testResult = await this.#results.of(key, call, (joined) =>
      this.#test(selection, request, samples, joined),
    );
    const parameters = {
      ...request,
      axis: testResult.axis.axis,
      ...(request.samples !== undefined && samples && { samples: samples.column }),
    };
    const curves = rows ? await this.#means(selection, rows, testResult, call) : defaultCurves(testResult);
    const cautions = [...testResult.cautions, ...geneNameCautions(dataset, request.genes)];
    return { ...testResult, parameters, curves, cautions };
  }

  /** Version of what a score is made by, on which a result depends besides the cells and the parameters. */
  async version({ axis }: Pick<GradientParameters, 'axis'>): Promise<string> {
    const isScore = axis.of === 'cell-state' || axis.of === 'signature';
    return isScore ? this.#deps.scores.version({ from: 'score', score: axis }) : '';
  }

  get caches(): NamedCaches {
    return [['gradients', this.#results.use]];
  }

  forget(datasetId: string): void {
    this.#results.forget(keysOfDataset(datasetId));
  }

  releaseMemory(): void {
    this.#results.forget(() => true);
  }

  async #test(
    selection: Selection,
    parameters: GradientParameters,
    samples: SampleColumn | undefined,
    call: CallContext,
  ): Promise<TestedGradient> {
    const { source, ...axis } = await findAxis(this.#deps, selection, parameters.axis, call);
    const { compute, datasets, masks } = this.#deps;
    const dataset = datasetOf(selection);
    const opened = await datasets.get(dataset);
    const mask = await masks.maskOf(selection, call);
    call.onProgress({ stage: 'Ordering the cells', done: 0, total: 1 });
    const ordered = await compute.run<AxisOrderTask>(
      {
        kind: 'gradient-order',
        isLong: true,
        dataset,
        mask,
        source,
        name: axis.name,
        degrees: parameters.degrees,
        samples: samples?.column,
        counts: opened.obsColumnNames.find((name) => qualityMeasure(name)?.measure === 'counts'),
        withinSamples: parameters.within_samples,
      },
      call,
    );
    if ('refusal' in ordered) {
      const { code, message } = ordered.refusal;
      const isOfNames = code === 'unknown_group' || code === 'no_line';
      throw new ApiFailure(isOfNames ? 400 : 422, code, message);
    }
    const table = await this.#testGenes(selection, { ordered, ownRows: axis.ownRows }, call);
    const { rising, falling, turning } = table.mostSignificant;
    const topRows = [...rising, ...falling, ...turning];
    const { basis, within, ...placed } = ordered;
    const testedAxis: TestedAxis = {
      ...placed,
      curve: {
        degrees: basis.degrees,
        replicates: basis.replicates ? 'samples' : 'cells',
        knots: basis.knots,
      },
      within: within?.names.map((name, sample) => ({ name, cells: within.sizes[sample]! })),
    };
    const heatmap = await this.#means(selection, topRows, { ordered: testedAxis, table }, call);
    const findings = { axis, ordered: testedAxis, table, heatmap, samples };
    return { ...findings, cautions: gradientCautions({ parameters, selection, ...findings }) };
  }

  async #testGenes(
    selection: Selection,
    { ordered, ownRows }: { ordered: OrderedAxis; ownRows: readonly number[] },
    call: CallContext,
  ): Promise<GradientTable> {
    const { compute, datasets } = this.#deps;
    const dataset = datasetOf(selection);
    const { valueStarts } = await datasets.get(dataset);
    const { order, basis, within } = ordered;
    const { degrees, left, replicates } = basis;
    const tasks = geneBlocks(valueStarts, blockEntries).map(({ from, to }): TestGenesTask => ({
      kind: 'gradient-genes',
      dataset,
      order,
      basis,
      within,
      from,
      to,
    }));
    const blocks = await runAll<TestGenesTask>(compute, tasks, 'Testing the genes', call);
    return compute.run<GradientTableTask>(
      { kind: 'gradient-table', dataset, blocks, order, curve: { degrees, left, replicates }, ownRows },
      call,
    );
  }

  #means(
    selection: Selection,
    rows: readonly number[],
    { ordered, table }: Pick<TestedGradient, 'ordered' | 'table'>,
    call: CallContext,
  ): Promise<GeneMeans[]> {
    return geneMeans(this.#deps, selection, { rows, order: ordered.order, rho: table.rho }, call);
  }
}

function defaultCurves({ heatmap, table: { mostSignificant } }: TestedGradient): readonly GeneMeans[] {
  const turning = mostSignificant.rising.length + mostSignificant.falling.length;
  const starts = [0, mostSignificant.rising.length, turning, heatmap.length];
  return starts.slice(0, 3).flatMap((start, kind) => {
    return heatmap.slice(start, Math.min(start + curvesOfKind, starts[kind + 1]!));
  });
}

function sizeOf({ ordered: { order, values }, table }: TestedGradient): number {
  const ofCells = order.ranks.byteLength + order.bins.byteLength + values.byteLength;
  return ofCells + table.rho.byteLength + 2 * table.rows.length + 10_000;
}
