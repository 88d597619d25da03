import type { Design, DesignRequest, SampleColumn } from './design.ts';
import { OrthogonalFactor } from './orthogonal-factor.ts';

/** Reason why samples cannot be compared; `columns` names the sample columns at fault. */
export type DesignRefusal =
  | { readonly code: 'empty_group'; readonly columns: readonly string[]; readonly levels: readonly string[] }
  /** A side has a single sample: nothing tells how much samples of it vary. */
  | {
      readonly code: 'no_replicates';
      readonly columns: readonly string[];
      readonly levels: readonly string[];
      /** Number of samples of the level and of the reference. */
      readonly samples: readonly [number, number];
    }
  /** Some samples have no value in a column. `samples` are their places. */
  | {
      readonly code: 'missing_values';
      readonly columns: readonly string[];
      readonly samples: readonly number[];
    }
  /** Effects of the columns cannot be told apart: some coefficients follow from others. */
  | {
      readonly code: 'confounded';
      readonly columns: readonly string[];
      readonly coefficients: readonly string[];
    }
  /** No residual degrees of freedom: there are as many coefficients as samples. */
  | {
      readonly code: 'no_residual_df';
      readonly columns: readonly string[];
      readonly samples: number;
      readonly coefficients: number;
    };

/** Minimum samples per side, needed to estimate its variation. */
const minReplicates = 2;
/** R's rank tolerance: share of a column's length that must remain after projecting out the columns before it. */
const rankTolerance = 1e-7;
/** Projection weights below this are rounding errors. */
const minShare = 1e-6;

/** Fault of a design, if any. Confounding is checked before too few samples, since it tells what to leave out. */
export function designFault(request: DesignRequest, design: Design): DesignRefusal | undefined {
  const { tested, level, reference, covariates = [], withoutMainEffect = [] } = request;
  const levels = [level, reference];
  const counts = levels.map((name) => {
    const code = tested.categories.indexOf(name);
    return code < 0 ? 0 : Array.from(tested.codes).filter((own) => own === code).length;
  });
  const few = (minimum: number) => levels.filter((_, at) => counts[at]! < minimum);
  if (level === reference || few(1).length > 0) {
    return { code: 'empty_group', columns: [tested.name], levels: level === reference ? [level] : few(1) };
  }
  if (few(minReplicates).length > 0) {
    return {
      code: 'no_replicates',
      columns: [tested.name],
      levels: few(minReplicates),
      samples: [counts[0]!, counts[1]!],
    };
  }
  const all = [tested, ...covariates, ...withoutMainEffect];
  const incomplete = all.filter((column) => missingIn(column).length > 0);
  if (incomplete.length > 0) {
    const samples = [...new Set(incomplete.flatMap(missingIn))].sort((a, b) => a - b);
    return { code: 'missing_values', columns: incomplete.map(({ name }) => name), samples };
  }
  const dependent = dependentCoefficients(design);
  if (dependent.length > 0) {
    const involved = new Set(
      dependent.flatMap((at) => design.coefficients[at]!.parts.map(({ column }) => column)),
    );
    return {
      code: 'confounded',
      columns: all.map(({ name }) => name).filter((name) => involved.has(name)),
      coefficients: dependent.map((at) => design.coefficients[at]!.name),
    };
  }
  if (design.columns.length < design.sampleCount) return undefined;
  return {
    code: 'no_residual_df',
    columns: all.map(({ name }) => name),
    samples: design.sampleCount,
    coefficients: design.columns.length,
  };
}

function missingIn(column: SampleColumn): number[] {
  const isMissing =
    column.kind === 'numeric' ? (value: number) => !Number.isFinite(value) : (code: number) => code < 0;
  return Array.from(column.kind === 'numeric' ? column.values : column.codes).flatMap((value, sample) =>
    isMissing(value) ? [sample] : [],
  );
}

/** Indices of the coefficients that depend linearly on others, and of those others, ascending; empty for full rank. */
function dependentCoefficients(design: Design): number[] {
  const { columns, sampleCount } = design;
  const independent = independentColumns(design);
  const involved = new Set<number>();
  columns.forEach((column, at) => {
    if (independent.includes(at)) return;
    involved.add(at);
    const before = independent.filter((place) => place < at);
    const others = before.map((place) => columns[place]!);
    const { weights } = projection(others, column, sampleCount);
    before.forEach((place, k) => {
      if (Math.abs(weights[k]!) * Math.hypot(...columns[place]!) > minShare * Math.hypot(...column))
        involved.add(place);
    });
  });
  return [...involved].sort((a, b) => a - b);
}

/** Indices of the columns that do not depend linearly on earlier ones, ascending. */
export function independentColumns({
  columns,
  sampleCount,
}: Pick<Design, 'columns' | 'sampleCount'>): number[] {
  const independent: number[] = [];
  columns.forEach((column, at) => {
    const others = independent.map((place) => columns[place]!);
    const { rest } = projection(others, column, sampleCount);
    if (rest > rankTolerance * Math.hypot(...column)) independent.push(at);
  });
  return independent;
}

/** Least squares of a column on others that are linearly independent, and the length of the residual. */
function projection(
  others: readonly Float64Array[],
  column: Float64Array,
  sampleCount: number,
): { weights: Float64Array; rest: number } {
  // Independent columns equal in number to the samples span everything.
  const factor = new OrthogonalFactor(sampleCount, others.length);
  others.forEach((other, at) => factor.columns.set(other, at * sampleCount));
  factor.factor();
  const effects = column.slice();
  factor.rotate(effects);
  const rest = Math.hypot(...effects.subarray(others.length));
  factor.solve(effects);
  return { weights: effects.subarray(0, others.length), rest };
}
