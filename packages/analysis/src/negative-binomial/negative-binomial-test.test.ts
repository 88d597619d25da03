import { expect, test } from 'vitest';
import { NotCounts } from '../pseudobulk/not-counts.ts';
import { GeneModel } from './gene-model.ts';
import { negativeBinomialTest } from './negative-binomial-test.ts';
import { sizeFactors } from './size-factors.ts';
import { cases, designOfCase } from './testing/reference.ts';

const referenceCase = cases[0]!;
const design = designOfCase(referenceCase);
const contrasts = [Float64Array.from(referenceCase.contrast)];
const counts = {
  geneCount: referenceCase.genes,
  sampleCount: referenceCase.samples,
  values: Float64Array.from(referenceCase.counts),
};

test('genes without counts are not tested, and every other one has its place', () => {
  const answer = negativeBinomialTest(counts, design, contrasts);
  if ('refusal' in answer) throw new Error(answer.refusal.code);
  const { genes, contrasts: tests, histograms, map, residualDegrees } = answer.result;
  expect(Array.from(genes)).not.toContain(5);
  expect(genes.length).toBe(referenceCase.exact.pvalue.filter((p) => p !== null).length);
  expect(histograms[0]!.reduce((sum, some) => sum + some, 0)).toBe(genes.length);
  expect(map.x).toHaveLength(8);
  expect(residualDegrees).toBe(6);
  const { adjusted, minMean } = tests[0]!;
  adjusted.forEach((value, place) => expect(Number.isNaN(value)).toBe(answer.result.means[place]! < minMean));
});

test('a contrast the other way round has the opposite effect and the same p-value', () => {
  const answer = negativeBinomialTest(counts, design, [contrasts[0]!, Float64Array.of(0, -1)]);
  if ('refusal' in answer) throw new Error(answer.refusal.code);
  const [one, other] = answer.result.contrasts;
  expect(Array.from(other!.effects)).toEqual(Array.from(one!.effects, (effect) => 0 - effect));
  expect(other!.pValues).toEqual(one!.pValues);
});

test('samples without counts and too few genes are refused with their numbers', () => {
  const values = counts.values.map((count, at) => (at % 8 === 3 ? 0 : count));
  const others = new Set([...values.keys()].flatMap((at) => (values[at]! > 0 ? [Math.floor(at / 8)] : [])));
  expect(negativeBinomialTest({ ...counts, values }, design, contrasts)).toEqual({
    refusal: { code: 'empty_library', samples: [3], genes: others.size },
  });
  const none = { ...counts, values: new Float64Array(counts.values.length) };
  expect(negativeBinomialTest(none, design, contrasts)).toEqual({
    refusal: { code: 'too_few_genes', genes: 0, needed: 10 },
  });
  // Counts of 1 alone have no logarithm other than 0, of which no size factor can be made.
  const single = {
    ...counts,
    values: counts.values.map((_, at) => Number((2 * Math.floor(at / 8) + at) % 3 === 0)),
  };
  expect(negativeBinomialTest(single, design, contrasts)).toEqual({
    refusal: { code: 'too_few_genes', genes: 0, needed: 10 },
  });
});

test('a sample without counts in the genes that size factors are made of is refused as one without counts', () => {
  // Each gene has a zero, and sample 3 only counts of 1 in genes that have no larger ones.
  const values = counts.values.map((count, at) => {
    const [gene, sample] = [Math.floor(at / 8), at % 8];
    if (gene < 5) return Number(sample === 3);
    return sample === 3 ? 0 : count;
  });
  expect(negativeBinomialTest({ ...counts, values }, design, contrasts)).toMatchObject({
    refusal: { code: 'empty_library', samples: [3] },
  });
});

test('numbers that are not whole are refused by gene and sample', () => {
  const values = counts.values.slice();
  values[8 * 7 + 2] = 1.5;
  const wrong = () => negativeBinomialTest({ ...counts, values }, design, contrasts);
  expect(wrong).toThrow(NotCounts);
  expect(wrong).toThrow('gene 7 in sample 2 is 1.5');
});

test('size factors follow the depth of the samples', () => {
  const factors = sizeFactors(counts);
  const values = counts.values.map((count, at) => (at % 8 === 2 ? 3 * count : count));
  const deeper = sizeFactors({ ...counts, values });
  expect(deeper[2]! / deeper[0]! / (factors[2]! / factors[0]!)).toBeCloseTo(3, 10);
});

test.each([
  ['grows faster than any power', [0, 0, 0, 0, 0, 0, 0, 0, 3, 90_000], 0.1, 20],
  ['is in one sample alone', [0, 0, 0, 0, 0, 0, 0, 0, 0, 90_000], 0.01, 1],
])(
  'a gene that %s is fitted near its highest likelihood, with an error that is not too small',
  (_, row, dispersion, limit) => {
    const x = Float64Array.from(row, (__, at) => at ** 3);
    const numbers = { ...design, sampleCount: 10, columns: [new Float64Array(10).fill(1), x] };
    const model = new GeneModel(numbers, new Float64Array(10).fill(1));
    model.fit(Float64Array.from(row), dispersion);
    const { coefficients, means } = model;
    // Gradient of the likelihood with its ridge by each coefficient, in units of the largest term.
    const slopes = numbers.columns.map((column, j) => {
      const terms = row.map((count, i) => ((count - means[i]!) / (1 + dispersion * means[i]!)) * column[i]!);
      const size = Math.max(...terms.map(Math.abs), 1e-6 * Math.abs(coefficients[j]!));
      return (terms.reduce((sum, term) => sum + term, 0) - 1e-6 * coefficients[j]!) / size;
    });
    for (const slope of slopes) expect(Math.abs(slope)).toBeLessThan(0.02);
    const error = Math.sqrt(model.contrastVariance(Float64Array.of(0, 1), dispersion));
    expect(Math.abs(coefficients[1]!) / error).toBeLessThan(limit);
  },
);

test('genes in one sample alone do not stop a test that allows for a number', () => {
  const samples = 12;
  const numbers = {
    ...design,
    sampleCount: samples,
    columns: [
      new Float64Array(samples).fill(1),
      Float64Array.from({ length: samples }, (_, at) => at % 2),
      Float64Array.from({ length: samples }, (_, at) => at ** 3),
    ],
  };
  const values = new Float64Array(40 * samples);
  values.forEach((_, at) => (values[at] = 20 + ((at * 7919) % 61)));
  for (const [gene, place] of [
    [3, 0],
    [4, 11],
    [5, 6],
  ] as const) {
    values.fill(0, gene * samples, (gene + 1) * samples);
    values[gene * samples + place] = 80_000;
  }
  const answer = negativeBinomialTest({ geneCount: 40, sampleCount: samples, values }, numbers, [
    Float64Array.of(0, 1, 0),
  ]);
  if ('refusal' in answer) throw new Error(answer.refusal.code);
  const { contrasts: tests, dispersions, outliers } = answer.result;
  const { effects, errors, pValues, adjusted } = tests[0]!;
  expect(dispersions.final.every(Number.isFinite)).toBe(true);
  expect(outliers).toHaveLength(0);
  // Without an end, there is no estimate; the others have theirs.
  expect([3, 4, 5].flatMap((gene) => [effects[gene], errors[gene], pValues[gene], adjusted[gene]])).toEqual(
    new Array(12).fill(NaN),
  );
  expect(pValues.filter((p) => p >= 0)).toHaveLength(37);
});
