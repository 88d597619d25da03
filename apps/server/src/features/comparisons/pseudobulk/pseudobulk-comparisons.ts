import {
  type ComparedCells,
  type ComparedPart,
  sideDesign,
  type SideDesign,
  type SampleFactor,
  type SummedCells,
} from '@cellfolio/analysis';
import type { ComparisonParameters } from '@cellfolio/analysis/parameters';
import { ByteCache, geneBlocks } from '@cellfolio/store';
import { blockEntries, JoinedWork, runAll, type Waiting } from '../../../runtime/compute/analysis-work.ts';
import type { Compute } from '../../../runtime/compute/compute-pool.ts';
import type { OpenDatasets } from '../../../runtime/compute/open-datasets.ts';
import type { NamedCaches } from '../../../runtime/observability/observed.ts';
import { datasetOf, keysOfDataset, type Selection } from '../../selection/index.ts';
import type { ComparedTable } from '../compared-table.ts';
import { maxSamples } from '../tasks.ts';
import {
  noCounts,
  refusalWords,
  type RefusedPart,
  refusedParts,
  type RefusedTest,
  sumsTooLarge,
  type TestRefusal,
  tooManySamples,
  varyingColumn,
} from './refusals.ts';
import type { SumBlockTask, SumChecks, SumPlan, SumPlanTask, SumTableTask } from './tasks.ts';

/** What is compared by sums: the sides are found. */
export interface SumQuestion {
  readonly selection: Selection;
  readonly parameters: ComparisonParameters;
  /** The column of obs that says which sample a cell is from. */
  readonly samples: string;
  readonly compared: ComparedCells;
  /** Visible cache key of the sides and parts. */
  readonly key: string;
}

/** The cells of one sample on one side. */
export interface SampleSum {
  readonly sample: string;
  readonly side: 'a' | 'b';
  readonly cells: number;
}

/** One part that was tested. */
export interface TestedPart {
  readonly part: ComparedPart;
  readonly table: ComparedTable;
  readonly checks: SumChecks;
  /** In the order of the design's samples. */
  readonly sums: readonly SampleSum[];
  /** Places of these sums in the matrix of sums. */
  readonly places: readonly number[];
  readonly design: SideDesign;
  /** Of samples on one side alone, where pairs are compared. */
  readonly unpaired: readonly SampleSum[];
  /** Of too few cells. */
  readonly fewCells: readonly SampleSum[];
}

export interface TestedParts {
  readonly tested: readonly TestedPart[];
  readonly refused: readonly RefusedPart[];
  /** Cells of A or B whose sample is not known. */
  readonly unlabelled: number;
}

/** Of all sums that are kept, and of the largest matrix of them: a thousand sums of 33,000 genes. */
const sumBytes = 256 * 1024 * 1024;
/** Points of the figures of spreads: of one part, and the least of each of many. */
const maxPoints = 5000;
const leastPoints = 500;

/** Compares sides by sums of samples: raw counts are summed in blocks of genes over the compute threads, and kept. */
export class PseudobulkComparisons {
  readonly #compute: Compute;
  readonly #datasets: OpenDatasets;
  readonly #sums = new ByteCache<string, Float64Array>(sumBytes, ({ byteLength }) => byteLength);
  readonly #summing = new JoinedWork<Float64Array>();

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

  forgetAll(): void {
    this.#sums.forget(() => true);
  }

  /** Throws ApiFailure 422 where nothing can be tested, before the counts are read where that tells. */
  async compare(question: SumQuestion, waiting: Waiting): Promise<TestedParts> {
    const { selection, parameters, compared } = question;
    const plan = await this.#plan(question, waiting);
    const designs = compared.parts.map((part, place) => designOfPart(question, plan, part, place));
    const refused: RefusedPart[] = designs.flatMap((one) => ('reason' in one ? [one] : []));
    const designed = designs.filter((one) => 'design' in one);
    if (designed.length === 0) throw refusedParts(refused, parameters.within);
    const sums = await this.#summed(question, plan, waiting);
    const tasks = designed.map(({ part, places, design }): SumTableTask => ({
      kind: 'sum-table',
      isLong: true,
      dataset: datasetOf(selection),
      sums,
      sumCount: plan.sums.length,
      places,
      design: design.design,
      contrast: design.contrast,
      trend: parameters.trend,
      part: parameters.within === undefined ? undefined : part.name,
      thresholds: { adjustedP: parameters.pvals_adj, foldChange: parameters.logfoldchanges },
      maxPoints: Math.max(leastPoints, Math.floor(maxPoints / designed.length)),
    }));
    const answers = await runAll<SumTableTask>(this.#compute, tasks, 'Testing the genes', waiting);
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

  /** The counts of one gene in the sums of a tested part, in their order. */
  async countsOfGene(
    question: SumQuestion,
    places: readonly number[],
    row: number,
    waiting: Waiting,
  ): Promise<Float64Array> {
    const plan = await this.#plan(question, waiting);
    const sums = await this.#summed(question, plan, waiting);
    return Float64Array.from(places, (place) => sums[row * plan.sums.length + place]!);
  }

  async #plan({ selection, parameters, samples, compared }: SumQuestion, waiting: Waiting): Promise<SumPlan> {
    const { interaction, covariates, min_sample_cells: minCells } = parameters;
    const { manifest } = selection;
    const task: SumPlanTask = {
      kind: 'sum-plan',
      dataset: datasetOf(selection),
      compared,
      samples,
      columns: [...new Set([...covariates, ...(interaction === undefined ? [] : [interaction])])],
      minCells,
    };
    const plan = await this.#compute.run<SumPlanTask>(task, waiting);
    const { names, sums, values } = plan;
    if (names.length > maxSamples) throw tooManySamples(samples, names.length, maxSamples);
    const most = Math.floor(sumBytes / 8 / manifest.geneCount);
    if (sums.length > most) throw sumsTooLarge(sums.length, manifest.geneCount, most);
    if ('varying' in values) {
      const { sample, group } = sums[values.sum]!;
      const part = compared.parts[group >> 1]!.name;
      const where = `sample ${names[sample]} on side ${group % 2 === 0 ? 'A' : 'B'}${part === '' ? '' : ` of ${part}`}`;
      throw varyingColumn(values.varying, where);
    }
    return plan;
  }

  /** One pass over the raw counts, whatever the number of parts; none where the sums are kept. */
  async #summed(
    { selection, parameters, samples, key }: SumQuestion,
    plan: SumPlan,
    waiting: Waiting,
  ): Promise<Float64Array> {
    const sumKey = `${key}|${JSON.stringify([samples, parameters.min_sample_cells])}`;
    const known = this.#sums.get(sumKey);
    if (known) return known;
    return this.#summing.run(sumKey, waiting, async (joined) => {
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
      this.#sums.set(sumKey, into);
      return into;
    });
  }
}

type DesignedPart = Omit<TestedPart, 'table' | 'checks'>;

/** How the sums of a part are compared, or why they cannot be. */
function designOfPart(
  question: SumQuestion,
  plan: SumPlan,
  part: ComparedPart,
  place: number,
): DesignedPart | RefusedPart {
  const { pairing, interaction, covariates } = question.parameters;
  const own = [...plan.sums.keys()].filter((at) => plan.sums[at]!.group >> 1 === place);
  const sums = own.map((at) => sampleSum(plan, plan.sums[at]!));
  const values = Array.isArray(plan.values) ? plan.values : [];
  const columns = new Map(
    values.map((column: (typeof values)[number]) => [
      column.name,
      column.kind === 'numeric'
        ? { ...column, values: Float64Array.from(own, (at) => column.values[at]!) }
        : { ...column, codes: Int32Array.from(own, (at) => column.codes[at]!) },
    ]),
  );
  const samples: SampleFactor = {
    kind: 'categorical',
    name: question.samples,
    categories: plan.names,
    codes: Int32Array.from(own, (at) => plan.sums[at]!.sample),
  };
  const at = (places: Int32Array) => Array.from(places, (one) => sums[one]!);
  const found = sideDesign({
    samples,
    sides: sums.map(({ side }) => (side === 'a' ? 0 : 1)),
    covariates: [...new Set(covariates)].map((name) => columns.get(name)!),
    interaction: interaction === undefined ? undefined : columns.get(interaction),
    pairing,
  });
  if ('refusal' in found) {
    return refusedPart(question, part, found.refusal, { isPaired: found.isPaired, sums: at(found.kept) });
  }
  const { design } = found;
  return {
    part,
    design,
    sums: at(design.kept),
    places: Array.from(design.kept, (one) => own[one]!),
    unpaired: at(design.unpaired),
    fewCells: plan.leftOut.filter(({ group }) => group >> 1 === place).map((one) => sampleSum(plan, one)),
  };
}

function sampleSum({ names }: SumPlan, { sample, group, cells }: SummedCells): SampleSum {
  return { sample: names[sample]!, side: group % 2 === 0 ? 'a' : 'b', cells };
}

function refusedPart(
  { parameters, samples }: SumQuestion,
  { name }: ComparedPart,
  refusal: TestRefusal,
  design: Pick<RefusedTest, 'isPaired' | 'sums'>,
): RefusedPart {
  const reason = refusalWords(refusal, { parameters, sampleColumn: samples, ...design });
  return { name, code: refusal.code, reason };
}
