import type { ComparisonParameters } from '@cellfolio/analysis/parameters';
import { geneBlocks } from '@cellfolio/store';
import { blockEntries, runAll, type Waiting } from '../../../runtime/compute/analysis-work.ts';
import { KeptWork } from '../../../runtime/compute/kept-work.ts';
import type { Compute } from '../../../runtime/compute/compute-pool.ts';
import type { OpenDatasets } from '../../../runtime/compute/open-datasets.ts';
import type { NamedCaches } from '../../../runtime/observability/observed.ts';
import { datasetOf, keysOfDataset } from '../../selection/index.ts';
import type { ComparedTable } from '../compared-table.ts';
import {
  type DesignedPart,
  designOfPart,
  planOf,
  refusedPart,
  type SampleQuestion,
} from './designed-part.ts';
import { noCounts, type RefusedPart, refusedParts, sumsTooLarge } from './refusals.ts';
import { testByCounts } from './negative-binomial-run.ts';
import type { DesignedSums, SumChecks, SumTable } from './sum-table.ts';
import type { SumBlockTask, SumPlan, SumTableTask } from './tasks.ts';

/** What is compared by sums: the sides are found. */
export interface SumQuestion extends SampleQuestion {
  readonly parameters: ComparisonParameters;
  /** Visible cache key of the sides and parts. */
  readonly key: string;
  /** Rows of genes that are in the table without a test. */
  readonly untested: readonly number[];
}

/** One part that was tested. */
export interface TestedPart extends DesignedPart {
  readonly table: ComparedTable;
  readonly checks: SumChecks;
}

export interface DesignedParts {
  readonly designed: readonly DesignedPart[];
  readonly refused: readonly RefusedPart[];
}

export interface TestedParts {
  readonly tested: readonly TestedPart[];
  readonly refused: readonly RefusedPart[];
  /** Cells of A or B whose sample is not known. */
  readonly unlabelled: number;
}

/** Of all sums that are kept, and of the largest matrix of them: a thousand sums of 33,000 genes. */
const sumBytes = 256 * 1024 * 1024;

/** Compares sides by sums of samples: raw counts are summed in blocks of genes over the compute threads, and kept. */
export class PseudobulkComparisons {
  readonly #compute: Compute;
  readonly #datasets: OpenDatasets;
  readonly #sums = new KeptWork<Float64Array>(sumBytes, ({ byteLength }) => byteLength);

  constructor(deps: { compute: Compute; datasets: OpenDatasets }) {
    this.#compute = deps.compute;
    this.#datasets = deps.datasets;
  }

  get caches(): NamedCaches {
    return [['pseudobulk sums', this.#sums.use]];
  }

  forget(datasetId: string): void {
    this.#sums.forget(keysOfDataset(datasetId));
  }

  releaseMemory(): void {
    this.#sums.forget(() => true);
  }

  /** Throws ApiFailure 422 where nothing can be tested, before the counts are read where that tells. */
  async compare(question: SumQuestion, waiting: Waiting): Promise<TestedParts> {
    const { selection, parameters, untested } = question;
    const { plan, designed, refused: undesigned } = await this.#designed(question, waiting);
    const refused = [...undesigned];
    const sums = await this.#summed(question, plan, waiting);
    const designs = designed.map(({ places, design }): DesignedSums => ({
      dataset: datasetOf(selection),
      sums,
      sumCount: plan.sums.length,
      places,
      design: design.design,
      contrast: design.contrast,
      untested,
      thresholds: { adjustedP: parameters.pvals_adj, foldChange: parameters.logfoldchanges },
    }));
    const answers =
      parameters.method === 'negative-binomial'
        ? await testByCounts(this.#compute, designs, waiting)
        : await this.#testByVoom(designs, parameters, waiting);
    const tested: TestedPart[] = [];
    answers.forEach((answer, at) => {
      const one = designed[at]!;
      if ('table' in answer) tested.push({ ...one, ...answer });
      else
        refused.push(
          refusedPart(question, one.part, answer.refusal, { isPaired: one.design.isPaired, sums: one.sums }),
        );
    });
    if (tested.length === 0) throw refusedParts(refused, parameters.within);
    return { tested, refused, unlabelled: plan.unlabelled };
  }

  #testByVoom(
    designs: readonly DesignedSums[],
    { trend, robust }: ComparisonParameters,
    waiting: Waiting,
  ): Promise<SumTable[]> {
    const tasks = designs.map((one): SumTableTask => ({
      kind: 'sum-table',
      isLong: true,
      ...one,
      trend,
      robust,
    }));
    return runAll<SumTableTask>(this.#compute, tasks, 'Testing the genes', waiting);
  }

  /** How the parts would be compared: no count is read. Throws as `compare`. */
  async design(question: SumQuestion, waiting: Waiting): Promise<DesignedParts> {
    const { designed, refused } = await this.#designed(question, waiting);
    return { designed, refused };
  }

  async #designed(question: SumQuestion, waiting: Waiting): Promise<DesignedParts & { plan: SumPlan }> {
    const { compared, parameters } = question;
    const plan = await this.#plan(question, waiting);
    const designs = compared.parts.map((part, place) => designOfPart(question, plan, part, place));
    const refused = designs.flatMap((one) => ('reason' in one ? [one] : []));
    const designed = designs.filter((one) => 'design' in one);
    if (designed.length === 0) throw refusedParts(refused, parameters.within);
    return { plan, designed, refused };
  }

  /** The counts of genes in the sums of a tested part, in their order: a list for each row. */
  async countsOfGenes(
    question: SumQuestion,
    places: readonly number[],
    rows: readonly number[],
    waiting: Waiting,
  ): Promise<Float64Array[]> {
    const plan = await this.#plan(question, waiting);
    const sums = await this.#summed(question, plan, waiting);
    return rows.map((row) => Float64Array.from(places, (place) => sums[row * plan.sums.length + place]!));
  }

  async #plan(question: SumQuestion, waiting: Waiting): Promise<SumPlan> {
    const plan = await planOf(this.#compute, question, waiting);
    const { geneCount } = question.selection.manifest;
    const most = Math.floor(sumBytes / 8 / geneCount);
    if (plan.sums.length > most) throw sumsTooLarge(plan.sums.length, geneCount, most);
    return plan;
  }

  /** One pass over the raw counts, whatever the number of parts; none where the sums are kept. */
  async #summed(
    { selection, parameters, samples, key }: SumQuestion,
    plan: SumPlan,
    waiting: Waiting,
  ): Promise<Float64Array> {
    const sumKey = `${key}|${JSON.stringify([samples, parameters.min_sample_cells])}`;
    return this.#sums.of(sumKey, waiting, async (joined) => {
      const dataset = datasetOf(selection);
      const counts = await (await this.#datasets.get(dataset)).counts(joined.signal);
      if (!counts) throw noCounts();
      const length = selection.manifest.geneCount * plan.sums.length;
      const into = new Float64Array(new SharedArrayBuffer(length * Float64Array.BYTES_PER_ELEMENT));
      const { sums, leftOut, codes } = plan;
      const tasks = geneBlocks(counts.starts, blockEntries).map(({ from, to }): SumBlockTask => ({
        kind: 'sum-block',
        dataset,
        samples: { sums, leftOut, codes },
        into,
        from,
        to,
      }));
      await runAll<SumBlockTask>(this.#compute, tasks, 'Summing the counts', joined);
      return into;
    });
  }
}
