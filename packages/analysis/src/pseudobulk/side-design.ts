import type { Design, SampleColumn, SampleFactor } from './design.ts';
import { designOf } from './design-of.ts';
import type { DesignRefusal } from './design-refusal.ts';

/**
 * Whether samples with cells on both sides are paired: `auto` if they are more than half of the samples, the others
 * then being left out; `by-sample` always; `none` never, so that each sum counts as a separate sample.
 */
export type Pairing = 'auto' | 'by-sample' | 'none';

export interface SideSums {
  readonly samples: SampleFactor;
  /** 0 for A, 1 for B. */
  readonly sides: ArrayLike<number>;
  readonly covariates: readonly SampleColumn[];
  /** If set, tests whether A differs from B by more at one level than at the other, or by more with each unit. */
  readonly interaction?: SampleColumn | undefined;
  readonly pairing: Pairing;
}

export interface SideDesign {
  /** Indices of the compared sums, ascending; all fields below are in this order. */
  readonly sumIndices: Int32Array;
  /** Indices of sums left out because their samples are on one side only. */
  readonly unpaired: Int32Array;
  readonly isPaired: boolean;
  /** The sample column if samples are paired. */
  readonly pairedBy?: string;
  readonly both: number;
  /** Covariates left out because all samples have the same value. */
  readonly constant: readonly string[];
  /** Covariates left out because both sums of every pair have the same value: pairing removes their effects. */
  readonly held: readonly string[];
  /** The side, with levels A and B, then covariates, the samples of pairs, and the interacting column. */
  readonly columns: readonly SampleColumn[];
  readonly design: Design;
  /** A against B, or the change of this difference with the interacting column if there is one. */
  readonly contrast: Float64Array;
  /** In R's notation, such as `~ side + batch`. */
  readonly formula: string;
}

export type SideRefusal =
  | DesignRefusal
  /** A column of labels that interacts has not two levels among the samples. */
  | {
      readonly code: 'interaction_levels';
      readonly columns: readonly string[];
      readonly levels: readonly string[];
    };

/**
 * The design of A against B, or why it cannot be tested; a refusal refers to the samples in `sumIndices`. The column of
 * sides is called `side`, or `side_` … if that name is taken.
 */
export function sideDesign(sums: SideSums):
  | { readonly design: SideDesign }
  | ({
      readonly refusal: SideRefusal;
      readonly sideColumn: string;
    } & Pick<SideDesign, 'sumIndices' | 'unpaired' | 'isPaired'>) {
  const { isPaired, both, sumIndices, unpaired } = pairs(sums);
  const columns = modelColumns(sums, isPaired, sumIndices);
  const { tested, covariates, withoutMainEffect, interacting, constant, held } = columns;
  const about = { sideColumn: tested.name, sumIndices, unpaired, isPaired };
  if (interacting?.kind === 'categorical') {
    const levels = levelsIn(interacting);
    if (levels.length !== 2) {
      return { refusal: { code: 'interaction_levels', columns: [interacting.name], levels }, ...about };
    }
  }
  const outcome = designOf({
    tested,
    level: 'A',
    reference: 'B',
    covariates,
    withoutMainEffect,
    interactions: interacting ? [[tested.name, interacting.name]] : [],
  });
  if ('refusal' in outcome) return { ...outcome, ...about };
  const { design } = outcome;
  const parts = interacting ? 2 : 1;
  const contrast = Float64Array.from(design.coefficients, (coefficient) =>
    coefficient.parts.length === parts && coefficient.parts.some(({ column }) => column === tested.name)
      ? 1
      : 0,
  );
  const terms = [tested, ...covariates].map((column) =>
    column.kind === 'categorical' && column.isOfNumbers ? `factor(${column.name})` : column.name,
  );
  if (interacting) terms.push(`${tested.name}:${interacting.name}`);
  return {
    design: {
      sumIndices,
      unpaired,
      isPaired,
      ...(isPaired && { pairedBy: sums.samples.name }),
      both,
      constant,
      held,
      columns: [tested, ...covariates, ...withoutMainEffect],
      design,
      contrast,
      formula: `~ ${terms.join(' + ')}`,
    },
  };
}

function pairs({ samples, sides, pairing }: SideSums) {
  const all = Array.from(samples.codes);
  const [onA, onB] = [0, 1].map((side) => new Set(all.filter((_, at) => sides[at] === side)));
  const paired = new Set([...onA!].filter((sample) => onB!.has(sample)));
  const isPaired = pairing === 'by-sample' || (pairing === 'auto' && 2 * paired.size > new Set(all).size);
  const isKept = (at: number) => !isPaired || paired.has(samples.codes[at]!);
  const places = Array.from({ length: sides.length }, (_, at) => at);
  return {
    isPaired,
    both: paired.size,
    sumIndices: Int32Array.from(places.filter(isKept)),
    unpaired: Int32Array.from(places.filter((at) => !isKept(at))),
  };
}

function modelColumns(sums: SideSums, isPaired: boolean, keptPlaces: Int32Array) {
  const { samples, sides, interaction } = sums;
  const others = sums.covariates.filter(
    ({ name }) => name !== interaction?.name && !(isPaired && name === samples.name),
  );
  const names = new Set([...others, samples, ...(interaction ? [interaction] : [])].map(({ name }) => name));
  let name = 'side';
  while (names.has(name)) name += '_';
  const all: SampleFactor = {
    kind: 'categorical',
    name,
    categories: ['B', 'A'],
    codes: Array.from(sides, (side) => 1 - side),
  };
  const tested = rowsOf(all, keptPlaces) as SampleFactor;
  const own = others.map((column) => rowsOf(column, keptPlaces));
  const pairs = isPaired ? (rowsOf(samples, keptPlaces) as SampleFactor) : undefined;
  const isHeld = (column: SampleColumn) => pairs !== undefined && hasOneValue(column, pairs);
  const constant = own.filter(isConstant);
  const absorbed = own.filter((column) => isHeld(column) && !constant.includes(column));
  const covariates = own.filter((column) => !constant.includes(column) && !absorbed.includes(column));
  if (pairs) covariates.push(pairs);
  const interacting = interaction && rowsOf(interaction, keptPlaces);
  const hasOwnEffect = interacting !== undefined && !isHeld(interacting);
  if (hasOwnEffect) covariates.push(interacting);
  return {
    tested,
    covariates,
    withoutMainEffect: interacting && !hasOwnEffect ? [interacting] : [],
    interacting,
    constant: constant.map((column) => column.name),
    held: absorbed.map((column) => column.name),
  };
}

function rowsOf(column: SampleColumn, places: Int32Array): SampleColumn {
  return column.kind === 'numeric'
    ? { ...column, values: Float64Array.from(places, (at) => column.values[at]!) }
    : { ...column, codes: Int32Array.from(places, (at) => column.codes[at]!) };
}

function isConstant(column: SampleColumn): boolean {
  const values = Array.from(column.kind === 'numeric' ? column.values : column.codes);
  const isKnown = column.kind === 'numeric' ? Number.isFinite(values[0]) : values[0]! >= 0;
  return isKnown && values.every((value) => value === values[0]);
}

function hasOneValue(column: SampleColumn, samples: SampleFactor): boolean {
  const values = column.kind === 'numeric' ? column.values : column.codes;
  const first = new Map<number, number>();
  return Array.from(samples.codes).every((sample, at) => {
    const firstValue = first.get(sample);
    if (firstValue === undefined) first.set(sample, values[at]!);
    return firstValue === undefined || Object.is(firstValue, values[at]!);
  });
}

function levelsIn({ categories, codes }: SampleFactor): string[] {
  const present = new Set(Array.from(codes));
  return categories.filter((_, code) => present.has(code));
}
