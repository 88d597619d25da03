import type { Coefficient, Design, DesignRequest, SampleColumn } from './design.ts';
import { designFault, type DesignRefusal } from './design-refusal.ts';

interface Term {
  readonly coefficient: Coefficient;
  readonly values: Float64Array;
}

/**
 * The design of a comparison, or why it cannot be tested. Samples of the tested column's other categories stay in: they
 * tell how much samples vary. Throws RangeError for an interaction of unknown columns or columns of unequal length.
 */
export function designOf(request: DesignRequest): { design: Design } | { refusal: DesignRefusal } {
  const { tested, reference, covariates = [], interactions = [] } = request;
  const sampleCount = tested.codes.length;
  const columns: readonly SampleColumn[] = [tested, ...covariates];
  for (const column of columns) {
    const { length } = column.kind === 'numeric' ? column.values : column.codes;
    if (length === sampleCount) continue;
    throw new RangeError(`${length} values of column '${column.name}' do not fit ${sampleCount} samples`);
  }
  const termsOf = new Map(
    columns.map((column) => [column.name, termsOfColumn(column, column === tested ? reference : undefined)]),
  );
  const products = interactions.flatMap(([first, second]) => {
    const [ones, others] = [termsOf.get(first), termsOf.get(second)];
    if (!ones || !others) throw new RangeError(`no columns '${first}' and '${second}' to interact`);
    return others.flatMap((other) => ones.map((one) => product(one, other)));
  });
  const intercept: Term = {
    coefficient: { name: '(Intercept)', parts: [] },
    values: new Float64Array(sampleCount).fill(1),
  };
  const terms = [intercept, ...[...termsOf.values()].flat(), ...products];
  const design = {
    sampleCount,
    coefficients: terms.map(({ coefficient }) => coefficient),
    columns: terms.map(({ values }) => values),
  };
  const refusal = designFault(request, design);
  return refusal ? { refusal } : { design };
}

/** One for a number; for labels one for each level that has samples, but the reference. */
function termsOfColumn(column: SampleColumn, reference: string | undefined): Term[] {
  const { name } = column;
  if (column.kind === 'numeric') {
    return [{ coefficient: { name, parts: [{ column: name }] }, values: Float64Array.from(column.values) }];
  }
  const present = new Set(Array.from(column.codes));
  const levels = column.categories
    .map((level, code) => ({ level, code }))
    .filter(({ code }) => present.has(code));
  const base = levels.find(({ level }) => level === reference) ?? levels[0];
  return levels
    .filter((level) => level !== base)
    .map(({ level, code }) => ({
      coefficient: { name: `${name}${level}`, parts: [{ column: name, level }] },
      values: Float64Array.from(column.codes, (own) => (own === code ? 1 : 0)),
    }));
}

function product(one: Term, other: Term): Term {
  return {
    coefficient: {
      name: `${one.coefficient.name}:${other.coefficient.name}`,
      parts: [...one.coefficient.parts, ...other.coefficient.parts],
    },
    values: one.values.map((value, sample) => value * other.values[sample]!),
  };
}
