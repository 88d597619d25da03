import {
  type ComparedCells,
  type ComparedPart,
  maxSamples,
  type SampleColumn,
  type SampleCovariate,
  type SampleFactor,
  sideDesign,
  type SideDesign,
  type SummedCells,
} from '@cellfolio/analysis';
import type { ComparisonParameters } from '@cellfolio/analysis/parameters';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import { datasetOf, type Selection } from '../selection/index.ts';
import { type PartSums, type SampleSum, sumsOnSides } from './part-sums.ts';
import {
  refusalWords,
  type RefusedPart,
  type RefusedTest,
  type SampleParameters,
  type TestRefusal,
  tooManySamples,
  varyingColumn,
} from './refusals.ts';
import type { SumPlan, SumPlanTask } from './tasks.ts';

/** A comparison by samples whose sides are determined. */
export interface SampleQuestion {
  selection: Selection;
  parameters: SampleParameters &
    Pick<ComparisonParameters, 'covariates' | 'numeric_covariates' | 'pairing' | 'interaction'>;
  samples: string;
  /** A column whose values group several samples each; undefined for none. */
  blocks?: string | undefined;
  compared: ComparedCells;
  labelled?: string;
  /** Whether values of it such as `Unknown` are as none. */
  assigned?: boolean;
  /** Alternatives when samples cannot be compared, phrased like `do this`. */
  otherwise: readonly string[];
}

export interface DesignedPart extends PartSums {
  part: ComparedPart;
  /** Index of the part within the question. */
  place: number;
  /** Indices in the plan of the compared sums. */
  places: readonly number[];
  design: SideDesign;
}

export type EmptyPlaces = ReadonlyMap<number, number>;

/** The samples of the sides with their design values. Throws ApiFailure 422 when a column does not describe samples. */
export async function planOf(
  compute: Compute,
  { selection, parameters, samples, blocks, compared, labelled, assigned = false }: SampleQuestion,
  call: CallContext,
): Promise<SumPlan> {
  const {
    interaction,
    covariates,
    numeric_covariates: numeric = [],
    min_sample_cells: minCells,
  } = parameters;
  const task: SumPlanTask = {
    kind: 'sum-plan',
    dataset: datasetOf(selection),
    compared,
    samples,
    labelled,
    assigned,
    columns: [...new Set([...covariates, ...(interaction === undefined ? [] : [interaction])])],
    // An interaction is of two labels, or of numbers.
    numeric: [...numeric, ...(interaction === undefined ? [] : [interaction])],
    blocks,
    minCells,
  };
  const plan = await compute.run<SumPlanTask>(task, call);
  const { names, sums, values } = plan;
  if (names.length > maxSamples) throw tooManySamples(samples, names.length, maxSamples);
  if ('varying' in values) {
    const { sample, group } = sums[values.sum]!;
    const part = compared.parts[group >> 1]!.name;
    const where = `sample ${names[sample]} on side ${group % 2 === 0 ? 'A' : 'B'}${part === '' ? '' : ` of ${part}`}`;
    throw varyingColumn(values.varying, where);
  }
  return plan;
}

/** How the sums of a part are compared without the empty ones, or why they cannot be. */
export function designOfPart(
  question: SampleQuestion,
  plan: SumPlan,
  part: ComparedPart,
  place: number,
  emptyPlaces: EmptyPlaces = new Map(),
): DesignedPart | RefusedPart {
  const { pairing, interaction, covariates } = question.parameters;
  const ofPart = [...plan.sums.keys()].filter((at) => plan.sums[at]!.group >> 1 === place);
  const own = ofPart.filter((at) => !emptyPlaces.has(at));
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
  const outcome = sideDesign({
    samples,
    sides: sums.map(({ side }) => (side === 'a' ? 0 : 1)),
    covariates: [...new Set(covariates)].map((name) => columns.get(name)!),
    interaction: interaction === undefined ? undefined : columns.get(interaction),
    pairing,
  });
  const { sumIndices, unpaired } = 'refusal' in outcome ? outcome : outcome.design;
  const partSums: PartSums = {
    sums: at(sumIndices),
    unpaired: at(unpaired),
    fewCells: plan.leftOut.filter(({ group }) => group >> 1 === place).map((one) => sampleSum(plan, one)),
    empty: ofPart.flatMap((one) => {
      const genes = emptyPlaces.get(one);
      return genes === undefined ? [] : [{ ...sampleSum(plan, plan.sums[one]!), genes }];
    }),
  };
  if ('refusal' in outcome) {
    const { refusal, isPaired, sideColumn } = outcome;
    return refusedPart(question, part, refusal, { ...partSums, isPaired, sideColumn });
  }
  return {
    part,
    place,
    design: outcome.design,
    ...partSums,
    places: Array.from(sumIndices, (one) => own[one]!),
  };
}

function sampleSum({ names }: SumPlan, { sample, group, cells }: SummedCells): SampleSum {
  return { sample: names[sample]!, side: group % 2 === 0 ? 'a' : 'b', cells };
}

export function refusedPart(
  { selection, parameters, samples, otherwise }: SampleQuestion,
  { name }: ComparedPart,
  refusal: TestRefusal,
  design: PartSums & Pick<RefusedTest, 'isPaired' | 'sideColumn'>,
): RefusedPart {
  const { geneCount } = selection.manifest;
  const reason = refusalWords(refusal, {
    parameters,
    sampleColumn: samples,
    geneCount,
    otherwise,
    ...design,
  });
  const isTooFew = !design.isPaired && ['empty_group', 'no_replicates'].includes(refusal.code);
  return { name, code: refusal.code, reason, ...(isTooFew && { samples: sumsOnSides(design) }) };
}

export function columnKindsOf({ columns }: SideDesign): ('categories' | 'number')[] {
  return columns.map(({ kind }) => (kind === 'numeric' ? 'number' : 'categories'));
}

export function leftOutSums({ empty, fewCells, unpaired }: Omit<PartSums, 'sums'>) {
  const because = (sums: readonly SampleSum[], reason: 'no-counts' | 'few-cells' | 'one-side-alone') =>
    sums.map(({ sample: name, side, cells }) => ({ name, side, cells, reason }));
  return [
    ...because(empty, 'no-counts'),
    ...because(fewCells, 'few-cells'),
    ...because(unpaired, 'one-side-alone'),
  ];
}

export function sampleValuesOf(column: SampleColumn): readonly (string | number | null)[] {
  return column.kind === 'numeric' ? numbersOf(column) : labelsOf(column);
}

export function numbersOf({ values }: SampleCovariate): (number | null)[] {
  return Array.from(values, (value) => (Number.isFinite(value) ? value : null));
}

export function labelsOf({ codes, categories }: SampleFactor): (string | null)[] {
  return Array.from(codes, (code) => categories[code] ?? null);
}
