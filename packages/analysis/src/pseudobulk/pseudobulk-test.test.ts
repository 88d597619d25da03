import { expect, test } from 'vitest';
import { contrastOf } from './design.ts';
import { NotCounts } from './not-counts.ts';
import { pseudobulkTest } from './pseudobulk-test.ts';
import { designOfCase, matrixOf, mismatches, reference } from './testing/reference.ts';

const referenceCase = reference.cases[0]!;
const design = designOfCase(referenceCase);
const contrasts = [contrastOf(design, new Map([[referenceCase.coef, 1]]))];
const counts = matrixOf(referenceCase.counts, referenceCase.genes);

test('all steps together have the p-values of limma, with what their figures show', () => {
  const answer = pseudobulkTest(counts, design, contrasts);
  if ('refusal' in answer) throw new Error(answer.refusal.code);
  const { result } = answer;
  expect(Array.from(result.genes)).toEqual(referenceCase.kept);
  const [test] = result.tests.contrasts;
  expect(
    mismatches({
      'P.Value': [test!.pValues, referenceCase.test['P.Value']],
      AveExpr: [result.means, referenceCase.test.AveExpr],
      curve: [result.spread.trend.y, referenceCase.trendLine.y],
    }),
  ).toEqual([]);
  expect(result.smallestGroup).toBeCloseTo(4, 12);
  expect(result.residualDegrees).toBe(6);
  expect(result.map.x).toHaveLength(8);
  const [histogram] = result.histograms;
  expect(histogram![0]).toBe(test!.pValues.filter((p) => p < 0.05).length);
  expect(histogram!.reduce((sum, genes) => sum + genes, 0)).toBe(result.genes.length);
});

test('a filter that keeps fewer genes changes what is tested', () => {
  const filter = { minCount: 30, minTotalCount: 15, largeSize: 10, minShare: 0.7 };
  const answer = pseudobulkTest(counts, design, contrasts, { filter });
  expect('result' in answer && answer.result.genes.length).toBeLessThan(referenceCase.kept.length);
});

test('a robust prior gives genes prior degrees of freedom of their own', () => {
  const answer = pseudobulkTest(counts, design, contrasts, { robust: true });
  if ('refusal' in answer) throw new Error(answer.refusal.code);
  const { priorDegrees, genePriorDegrees, geneDegrees } = answer.result.tests;
  expect(priorDegrees).not.toBe(Number(referenceCase.test['df.prior']));
  expect(Math.max(...genePriorDegrees)).toBe(priorDegrees);
  expect(geneDegrees).toHaveLength(answer.result.genes.length);
});

test('samples without counts and too few genes are refused with their numbers', () => {
  const values = counts.values.map((count, at) => (at % 8 === 3 || at % 8 === 5 ? 0 : count));
  expect(pseudobulkTest({ ...counts, values }, design, contrasts)).toEqual({
    refusal: { code: 'empty_library', samples: [3, 5], genes: referenceCase.genes },
  });
  const none = { ...counts, values: new Float64Array(counts.values.length) };
  expect(pseudobulkTest(none, design, contrasts)).toEqual({
    refusal: { code: 'too_few_genes', genes: 0, needed: 10 },
  });
  const few = { geneCount: 2, sampleCount: 8, values: new Float64Array(16).fill(100) };
  expect(pseudobulkTest(few, design, contrasts)).toEqual({
    refusal: { code: 'too_few_genes', genes: 2, needed: 10 },
  });
});

test('a sample whose counts are all in genes that the filter drops is refused as one without counts', () => {
  const rare = Float64Array.from({ length: 8 }, (_, sample) => (sample === 3 ? 5 : 0));
  const others = counts.values.map((count, at) => (at % 8 === 3 ? 0 : count));
  const values = Float64Array.of(...others, ...rare);
  const answer = pseudobulkTest({ ...counts, geneCount: referenceCase.genes + 1, values }, design, contrasts);
  expect(answer).toMatchObject({ refusal: { code: 'empty_library', samples: [3] } });
  // The genes that pass, not all that have counts.
  expect('refusal' in answer && answer.refusal.genes).toBeLessThan(referenceCase.genes);
});

test('numbers that are no counts are refused by gene and sample', () => {
  const values = counts.values.slice();
  values[8 * 7 + 2] = -0.5;
  const wrong = () => pseudobulkTest({ ...counts, values }, design, contrasts);
  expect(wrong).toThrow(NotCounts);
  expect(wrong).toThrow('gene 7 in sample 2');
});
