import { expect, test } from 'vitest';
import { contrastOf } from '../pseudobulk/design.ts';
import { selectGenes } from '../pseudobulk/gene-sample-matrix.ts';
import { normalisedCounts } from '../pseudobulk/pseudobulk-test.ts';
import { designOfCase, matrixOf, reference } from '../pseudobulk/testing/reference.ts';
import { profileLikelihoods } from './profile-likelihoods.ts';
import { joinedQuasiFits, quasiFits, quasiLikelihoodTest } from './quasi-likelihood-test.ts';
import { maximumOf, trendedDispersions } from './trended-dispersions.ts';

const referenceCase = reference.cases[0]!;
const design = designOfCase(referenceCase);
const contrasts = [contrastOf(design, new Map([[referenceCase.coef, 1]]))];
const counts = matrixOf(referenceCase.counts, referenceCase.genes);

function resultOf(contrast = contrasts[0]!, matrix = counts) {
  const answer = quasiLikelihoodTest(matrix, design, [contrast]);
  if ('refusal' in answer) throw new Error(answer.refusal.code);
  return answer.result;
}

test('the other direction has the same p-values and the opposite fold changes', () => {
  const [one] = resultOf().contrasts;
  const [other] = resultOf(contrasts[0]!.map((weight) => -weight)).contrasts;
  one!.effects.forEach((effect, gene) => expect(other!.effects[gene]).toBeCloseTo(-effect, 12));
  expect(other!.pValues).toEqual(one!.pValues);
});

test('of many counts Wald’s statistic is near the root of F', () => {
  const { contrasts: tests, means } = resultOf();
  const { effects, standardErrors, f } = tests[0]!;
  const many = Array.from(means.keys()).filter((gene) => means[gene]! > 14 && f[gene]! < 9);
  expect(many.length).toBeGreaterThan(5);
  for (const gene of many) {
    expect(Math.abs(effects[gene]! / standardErrors[gene]!)).toBeCloseTo(Math.sqrt(f[gene]!), 0);
  }
});

test('blocks of genes have the numbers of all genes together', () => {
  const normalised = normalisedCounts(counts, design);
  if ('refusal' in normalised) throw new Error(normalised.refusal.code);
  const samples = { design, sizes: normalised.effectiveSizes };
  const profiles = profileLikelihoods(normalised.tested, samples);
  const dispersions = trendedDispersions(
    profiles,
    Float64Array.from(normalised.genes, (gene) => gene),
  );
  const places = Array.from(normalised.genes.keys());
  const blocks = [places.slice(0, 20), places.slice(20)].map((block) => ({
    counts: selectGenes(normalised.tested, block),
    dispersions: Float64Array.from(block, (place) => dispersions[place]!),
  }));
  expect(blocks.flatMap((block) => [...profileLikelihoods(block.counts, samples)])).toEqual([...profiles]);
  expect(
    joinedQuasiFits(blocks.map((block) => quasiFits(block.counts, samples, contrasts, block.dispersions))),
  ).toEqual(quasiFits(normalised.tested, samples, contrasts, dispersions));
});

test('a spline has the maximum of a cubic that its values lie on, inside and at the ends', () => {
  const valuesOf = (curve: (x: number) => number) => Float64Array.from({ length: 12 }, (_, x) => curve(x));
  expect(maximumOf(valuesOf((x) => -((x - 4.3) ** 2)))).toBeCloseTo(4.3, 10);
  const cubic = (x: number) => x ** 3 / 300 - x ** 2 / 10 + x * 0.9;
  expect(maximumOf(valuesOf((x) => cubic(x) - 0.05 * x))).toBeCloseTo(10 - Math.sqrt(15), 10);
  expect(maximumOf(valuesOf((x) => x))).toBe(11);
  expect(maximumOf(valuesOf((x) => -x))).toBe(0);
});

test('genes of one mean have one dispersion', () => {
  const profiles = Float64Array.from({ length: 3 * 21 }, (_, at) => -(((at % 21) - 7.5) ** 2));
  const dispersions = trendedDispersions(profiles, new Float64Array(3).fill(5));
  for (const dispersion of dispersions) expect(dispersion).toBeCloseTo(0.1 * 2 ** -2.5, 10);
});

test('samples without counts and too few genes are refused with their numbers', () => {
  const values = counts.values.map((count, at) => (at % 8 === 3 ? 0 : count));
  expect(quasiLikelihoodTest({ ...counts, values }, design, contrasts)).toEqual({
    refusal: { code: 'empty_library', samples: [3], genes: referenceCase.genes },
  });
  const few = { geneCount: 2, sampleCount: 8, values: new Float64Array(16).fill(100) };
  expect(quasiLikelihoodTest(few, design, contrasts)).toMatchObject({ refusal: { code: 'too_few_genes' } });
});
