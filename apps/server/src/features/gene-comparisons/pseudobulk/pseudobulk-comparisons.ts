import type { ComparisonParameters } from '@cellfolio/analysis/parameters';
import { geneBlocks } from '@cellfolio/store';
import { joined, joinedQuasiFits } from '@cellfolio/analysis';
import { blockEntries, runAll, type CallContext } from '../../../runtime/compute/analysis-work.ts';
import { KeptWork } from '../../../runtime/compute/kept-work.ts';
import type { Compute } from '../../../runtime/compute/compute-pool.ts';
import type { OpenDatasets } from '../../../runtime/compute/open-datasets.ts';
import type { NamedCaches } from '../../../runtime/observability/observed.ts';
import { datasetOf, keysOfDataset } from '../../selection/index.ts';
import {
  type DesignedPart,
  designOfPart,
  planOf,
  refusedPart,
  type RefusedPart,
  type SampleQuestion,
  type SumPlan,
} from '../../sample-design/index.ts';
import type { ComparedTable } from '../compared-table.ts';
import { type Round, roundsOf } from '../rounds.ts';
import { noCounts, refusedParts, sumsTooLarge } from './refusals.ts';
import { testByCounts } from './negative-binomial-run.ts';
import type { DesignedSums, SumChecks, SumTable } from './sum-table.ts';
import type { SumBlockTask, SumTableTask } from './tasks.ts';
import type {
  NormalisedTask,
  ProfilesTask,
  QuasiFitsTask,
  QuasiTableTask,
  QuasiTrendTask,
} from './quasi-likelihood-tasks.ts';
import { blocksOf, runBlocks } from './sum-blocks.ts';

export interface SumQuestion extends SampleQuestion {
  parameters: ComparisonParameters;
  /** Visible cache key of the sides and parts. */
  key: string;
  untested: readonly number[];
}

export interface TestedPart extends DesignedPart {
  checks: SumChecks;
  notTested: number;
}

interface TestedTable {
  part: TestedPart;
  table: ComparedTable;
}

export interface DesignedParts {
  designed: readonly DesignedPart[];
  refused: readonly RefusedPart[];
}

export interface PlannedParts extends DesignedParts {
  plan: SumPlan;
}

export interface TestedParts {
  tested: readonly TestedPart[];
  refused: readonly RefusedPart[];
  unlabelled: number;
}

/** Size limit of the cached sums, and of the largest matrix of them: a thousand sums of 33,000 genes. */
const sumBytes = 256 * 1024 * 1024;
const sumValues = sumBytes / Float64Array.BYTES_PER_ELEMENT;

/** Compares sides by sums of samples: raw counts are summed in blocks of genes over the compute threads, and cached. */
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

  /**
   * Groups the parts into rounds that are tested at once: as many as fit into memory with their sums and tables. `rows`
   * is the number of rows of all tables of one round. Throws ApiFailure 422 when none can be tested, as far as is clear
   * before the counts are read.
   */
  async rounds(
    question: SumQuestion,
    rows: number,
    call: CallContext,
  ): Promise<{ rounds: readonly Round[]; planned?: PlannedParts }> {
    const planned = await this.#designed(question, call);
    const { plan } = planned;
    const { geneCount } = question.selection.manifest;
    const sizes = question.compared.parts.map(
      // A row of a table takes the room of so many sums.
      (_, place) => geneCount * Math.max(sumsOfPart(plan, place), Math.ceil(sumValues / rows)),
    );
    const rounds = roundsOf(sizes, sumValues);
    return { rounds, ...(rounds.length === 1 && { planned }) };
  }

  /** Tests the testable parts of one round. `planned` reuses an existing plan. */
  async compare(
    question: SumQuestion,
    call: CallContext,
    planned?: PlannedParts,
  ): Promise<{ parts: TestedParts; tables: readonly ComparedTable[] }> {
    const { plan, designed, refused: undesigned } = planned ?? (await this.#designs(question, call));
    const { unlabelled } = plan;
    const outcomes = designed.length === 0 ? [] : await this.#tested(question, plan, designed, call);
    const tables = outcomes.filter((one) => 'table' in one);
    const refused = [...undesigned, ...outcomes.filter((one) => 'reason' in one)];
    return {
      parts: { tested: tables.map(({ part }) => part), refused, unlabelled },
      tables: tables.map(({ table }) => table),
    };
  }

  /**
   * Tests of the parts, in their order. A sum without a count in the tested genes cannot be normalised: its part is
   * designed, filtered and tested again as if the sum had no cells, until all sums have counts.
   */
  async #tested(
    question: SumQuestion,
    plan: SumPlan,
    designed: readonly DesignedPart[],
    call: CallContext,
  ): Promise<(TestedTable | RefusedPart)[]> {
    const sums = await this.#summed(question, plan, call);
    const outcomes: (TestedTable | RefusedPart)[] = [];
    let pending = designed.map((one, at) => ({ one, at, empty: new Map<number, number>() }));
    while (pending.length > 0) {
      const parts = pending.map(({ one }) => one);
      const answers = await this.#tablesOf(question, { plan, sums }, parts, call);
      const again: typeof pending = [];
      for (const [place, { one, at, empty }] of pending.entries()) {
        const answer = answers[place]!;
        if ('table' in answer) {
          const { checks, table } = answer;
          const notTested = table.pvals_adj.length - checks.tested;
          outcomes[at] = { part: { ...one, checks, notTested }, table };
        } else if (answer.refusal.code === 'empty_library') {
          for (const sample of answer.refusal.samples) empty.set(one.places[sample]!, answer.refusal.genes);
          const next = designOfPart(question, plan, one.part, one.place, empty);
          if ('reason' in next) outcomes[at] = next;
          else again.push({ one: next, at, empty });
        } else {
          const { isPaired, columns } = one.design;
          const sideColumn = columns[0]!.name;
          outcomes[at] = refusedPart(question, one.part, answer.refusal, { ...one, isPaired, sideColumn });
        }
      }
      pending = again;
    }
    return outcomes;
  }

  #tablesOf(
    { selection, parameters, untested }: SumQuestion,
    { plan, sums }: { plan: SumPlan; sums: Float64Array },
    parts: readonly DesignedPart[],
    call: CallContext,
  ): Promise<SumTable[]> {
    const designs = parts.map(({ places, design }): DesignedSums => ({
      dataset: datasetOf(selection),
      sums,
      sumCount: plan.sums.length,
      places,
      design: design.design,
      contrast: design.contrast,
      blocks: plan.blocks && places.map((place) => plan.blocks![place]!),
      untested,
      thresholds: { adjustedP: parameters.pvals_adj, foldChange: parameters.logfoldchanges },
    }));
    if (parameters.method === 'negative-binomial') return testByCounts(this.#compute, designs, call);
    if (parameters.method === 'quasi-likelihood') return testByQuasiLikelihood(this.#compute, designs, call);
    return this.#testByVoom(designs, parameters, call);
  }

  #testByVoom(
    designs: readonly DesignedSums[],
    { trend, robust, random_effect: random }: ComparisonParameters,
    call: CallContext,
  ): Promise<SumTable[]> {
    const tasks = designs.map((one): SumTableTask => ({
      kind: 'sum-table',
      isLong: true,
      ...one,
      trend,
      robust,
      isRandom: random !== undefined,
    }));
    return runAll<SumTableTask>(this.#compute, tasks, 'Testing the genes', call);
  }

  /** How the parts would be compared, without reading any counts. Throws as `rounds`. */
  async design(question: SumQuestion, call: CallContext): Promise<DesignedParts> {
    const { designed, refused } = await this.#designed(question, call);
    return { designed, refused };
  }

  async #designed(question: SumQuestion, call: CallContext): Promise<PlannedParts> {
    const parts = await this.#designs(question, call);
    if (parts.designed.length > 0) return parts;
    throw refusedParts(parts.refused, question.parameters.within);
  }

  async #designs(question: SumQuestion, call: CallContext): Promise<PlannedParts> {
    const plan = await this.#plan(question, call);
    const designs = question.compared.parts.map((part, place) => designOfPart(question, plan, part, place));
    return {
      plan,
      designed: designs.filter((one) => 'design' in one),
      refused: designs.flatMap((one) => ('reason' in one ? [one] : [])),
    };
  }

  async countsOfGenes(
    question: SumQuestion,
    places: readonly number[],
    rows: readonly number[],
    call: CallContext,
  ): Promise<Float64Array[]> {
    const plan = await this.#plan(question, call);
    const sums = await this.#summed(question, plan, call);
    return rows.map((row) => Float64Array.from(places, (place) => sums[row * plan.sums.length + place]!));
  }

  async #plan(question: SumQuestion, call: CallContext): Promise<SumPlan> {
    const plan = await planOf(this.#compute, question, call);
    const { geneCount } = question.selection.manifest;
    const maxSums = Math.floor(sumValues / geneCount);
    const largest = Math.max(...question.compared.parts.map((_, place) => sumsOfPart(plan, place)));
    if (largest > maxSums) throw sumsTooLarge(largest, geneCount, maxSums);
    return plan;
  }

  /** One pass over the raw counts for all parts of a round; no pass when the sums are cached. */
  async #summed(
    { selection, parameters, samples, key }: SumQuestion,
    plan: SumPlan,
    call: CallContext,
  ): Promise<Float64Array> {
    const sumKey = `${key}|${JSON.stringify([samples, parameters.min_sample_cells])}`;
    return this.#sums.of(sumKey, call, async (joined) => {
      const dataset = datasetOf(selection);
      const counts = await (await this.#datasets.get(dataset)).counts(joined.signal);
      if (!counts) throw noCounts(selection.manifest.warnings);
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

function sumsOfPart({ sums }: SumPlan, place: number): number {
  return sums.reduce((count, { group }) => count + (group >> 1 === place ? 1 : 0), 0);
}

/**
 * Tests the sums of all parts by quasi-likelihood: likelihoods and fits are independent per gene, and cut into blocks.
 */
async function testByQuasiLikelihood(
  compute: Compute,
  parts: readonly DesignedSums[],
  call: CallContext,
): Promise<SumTable[]> {
  const normalised = await runAll<NormalisedTask>(
    compute,
    parts.map((of) => ({ kind: 'sum-normalised', dataset: of.dataset, of })),
    'Reading the sums',
    call,
  );
  const usable = parts.flatMap((of, at) => {
    const sums = normalised[at]!;
    if ('refusal' in sums) return [];
    const { genes, effectiveSizes: sizes } = sums;
    return {
      part: { dataset: of.dataset, of },
      sums,
      sizes,
      blocks: blocksOf(genes, of.places.length),
    };
  });
  const profiles = await runBlocks<ProfilesTask>(
    compute,
    usable.map(({ part, sizes, blocks }) =>
      blocks.map((genes) => ({ kind: 'sum-profiles', ...part, sizes, genes })),
    ),
    'Estimating the dispersions',
    call,
  );
  const trends = await runAll<QuasiTrendTask>(
    compute,
    usable.map(({ part, sizes, sums: { genes } }, at) => ({
      kind: 'sum-quasi-trend',
      ...part,
      sizes,
      genes,
      profiles: joined(profiles[at]!),
    })),
    'Drawing the curve of the dispersions',
    call,
  );
  const fits = await runBlocks<QuasiFitsTask>(
    compute,
    usable.map(({ part, sizes, blocks }, at) => {
      let from = 0;
      return blocks.map((genes) => {
        const dispersions = trends[at]!.dispersions.slice(from, (from += genes.length));
        return { kind: 'sum-quasi-fits', ...part, sizes, genes, dispersions };
      });
    }),
    'Fitting the genes',
    call,
  );
  const tables = await runAll<QuasiTableTask>(
    compute,
    usable.map(({ part, sums }, at) => ({
      kind: 'sum-quasi-table',
      isLong: true,
      dataset: part.dataset,
      of: part.of,
      sums,
      trend: trends[at]!,
      fits: joinedQuasiFits(fits[at]!),
    })),
    'Testing the genes',
    call,
  );
  let next = 0;
  return normalised.map((outcome) => ('refusal' in outcome ? outcome : tables[next++]!));
}
