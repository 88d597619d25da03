import type { Coefficient, Design, DesignRequest, SampleColumn, SampleFactor } from './design.ts';
import { designFault, type DesignRefusal } from './design-refusal.ts';

interface Term {
  coefficient: Coefficient;
  values: Float64Array;
}

/**
 * The design of a comparison, or why it cannot be tested. Samples in other categories of the tested column are kept,
 * since they inform the variance. Throws RangeError for columns of unequal length or equal names, and for an
 * interaction of unknown columns.
 */
export function designOf(request: DesignRequest): { design: Design } | { refusal: DesignRefusal } {
  const { tested, reference, covariates = [], withoutMainEffect = [], interactions = [] } = request;
  const sampleCount = tested.codes.length;
  const columns: readonly SampleColumn[] = [tested, ...covariates, ...withoutMainEffect];
  for (const column of columns) {
    const { length } = column.kind === 'numeric' ? column.values : column.codes;
    if (length === sampleCount) continue;
    throw new RangeError(`${length} values of column '${column.name}' do not fit ${sampleCount} samples`);
  }
  const references = new Map<string, string>();
  for (const column of columns) {
    if (column.kind === 'categorical')
      references.set(column.name, referenceOf(column, column === tested ? reference : undefined));
  }
  const termsOf = new Map(
    columns.map((column) => [column.name, termsOfColumn(column, references.get(column.name))]),
  );
  if (termsOf.size < columns.length) throw new RangeError('two columns of the samples have the same name');
  const products = interactions.flatMap(([first, second]) => {
    const [ones, others] = [termsOf.get(first), termsOf.get(second)];
    if (!ones || !others) throw new RangeError(`no columns '${first}' and '${second}' to interact`);
    return others.flatMap((other) => ones.map((one) => product(one, other)));
  });
  const intercept: Term = {
    coefficient: { name: '(Intercept)', parts: [] },
    values: new Float64Array(sampleCount).fill(1),
  };
  const own = [tested, ...covariates].flatMap(({ name }) => termsOf.get(name)!);
  const terms = [intercept, ...own, ...products];
  const design = {
    sampleCount,
    coefficients: terms.map(({ coefficient }) => coefficient),
    references,
    columns: terms.map(({ values }) => values),
  };
  const refusal = designFault(request, design);
  return refusal ? { refusal } : { design };
}

/** The wanted level if it has samples; otherwise the first that has. Empty if none has. */
function referenceOf({ categories, codes }: SampleFactor, preferred: string | undefined): string {
  const present = new Set(Array.from(codes));
  const levels = categories.filter((_, code) => present.has(code));
  return levels.find((level) => level === preferred) ?? levels[0] ?? '';
}

/** One term for a number; for labels one per level with samples, except the reference. */
function termsOfColumn(column: SampleColumn, reference: string | undefined): Term[] {
  const { name } = column;
  if (column.kind === 'numeric') {
    return [{ coefficient: { name, parts: [{ column: name }] }, values: Float64Array.from(column.values) }];
  }
  const present = new Set(Array.from(column.codes));
  return column.categories.flatMap((level, code) => {
    if (level === reference || !present.has(code)) return [];
    return {
      coefficient: { name: `${name}${level}`, parts: [{ column: name, level }] },
      values: Float64Array.from(column.codes, (own) => (own === code ? 1 : 0)),
    };
  });
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
