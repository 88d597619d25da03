import type { Design, DesignRequest, SampleColumn } from './design.ts';
import { OrthogonalFactor } from './orthogonal-factor.ts';

/** Why samples cannot be compared. `columns` names the columns of the samples that are to blame. */
export type DesignRefusal =
  /** A side of the comparison has no samples. */
  | { readonly code: 'empty_group'; readonly columns: readonly string[]; readonly levels: readonly string[] }
  /** A side has a single sample: nothing tells how much samples of it vary. */
  | {
      readonly code: 'no_replicates';
      readonly columns: readonly string[];
      readonly levels: readonly string[];
      /** Samples of the level and of the reference. */
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
  /** As many coefficients as samples: nothing is left that tells how much samples vary. */
  | {
      readonly code: 'no_residual_df';
      readonly columns: readonly string[];
      readonly samples: number;
      readonly coefficients: number;
    };

/** A side of fewer samples cannot be told from its one sample. */
const minReplicates = 2;
/** Of a column's length, what must be left when the columns before it are taken away: R's. */
const rankTolerance = 1e-7;
/** Shares of a column below this are rounding. */
const minShare = 1e-6;

/** What is wrong with a design, if anything. Confounding is looked for first where both it and too few samples apply: it says what to leave out. */
export function designFault(request: DesignRequest, design: Design): DesignRefusal | undefined {
  const { tested, level, reference, covariates = [], withoutMainEffect = [] } = request;
  const levels = [level, reference];
  const counts = levels.map((name) => {
    const code = tested.categories.indexOf(name);
    return code < 0 ? 0 : Array.from(tested.codes).filter((own) => own === code).length;
  });
  const few = (least: number) => levels.filter((_, at) => counts[at]! < least);
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

/** Places of the coefficients that follow from others, and of those they follow from, rising: none for full rank. */
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

/** Places of the columns that do not follow from those before them, rising. */
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

/** Least squares of a column by others that are independent of each other, and the length of what is left. */
function projection(
  others: readonly Float64Array[],
  column: Float64Array,
  sampleCount: number,
): { weights: Float64Array; rest: number } {
  // As many independent columns as samples span everything.
  const factor = new OrthogonalFactor(sampleCount, others.length);
  others.forEach((other, at) => factor.columns.set(other, at * sampleCount));
  factor.factor();
  const effects = column.slice();
  factor.rotate(effects);
  const rest = Math.hypot(...effects.subarray(others.length));
  factor.solve(effects);
  return { weights: effects.subarray(0, others.length), rest };
}
