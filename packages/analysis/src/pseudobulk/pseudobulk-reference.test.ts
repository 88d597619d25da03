import { describe, expect, test } from 'vitest';
import { contrastOf } from './design.ts';
import { filterByExpression } from './filter-by-expression.ts';
import { librarySizes, selectGenes } from './gene-sample-matrix.ts';
import { linearFit } from './linear-fit.ts';
import { moderatedTests, type ModeratedTest } from './moderated-tests.ts';
import { normalisationFactors } from './normalisation-factors.ts';
import { smallestGroupOf } from './pseudobulk-test.ts';
import {
  designOfCase,
  matrixOf,
  mismatches,
  reference,
  type ReferenceCase,
  type ReferenceTable,
} from './testing/reference.ts';
import { voom } from './voom.ts';

function runOf(given: ReferenceCase) {
  const design = designOfCase(given);
  const all = matrixOf(given.counts, given.genes);
  const kept = filterByExpression(all, smallestGroupOf(design));
  const counts = given.filter ? selectGenes(all, kept) : all;
  const sizes = librarySizes(counts);
  const factors = normalisationFactors(counts);
  const weighted = voom(
    counts,
    sizes.map((size, at) => size * factors[at]!),
    design,
  );
  return { design, kept, sizes, factors, weighted };
}

function tableOf(found: ModeratedTest, means: Float64Array, table: ReferenceTable) {
  return mismatches({
    logFC: [found.effects, table.logFC, 1e-3],
    AveExpr: [means, table.AveExpr],
    t: [found.t, table.t, 1e-3],
    'P.Value': [found.pValues, table['P.Value']],
    'adj.P.Val': [found.adjusted, table['adj.P.Val']],
    B: [found.logOdds, table.B, 0.1],
  });
}

describe.each(reference.cases)('$name', (given) => {
  const { design, kept, sizes, factors, weighted } = runOf(given);
  const contrasts = given.coefficientNames.map((name) => contrastOf(design, new Map([[name, 1]])));
  const fit = linearFit(weighted.logCpm, design, { weights: weighted.weights, contrasts });

  test('has the design of model.matrix', () => {
    expect(design.coefficients.map(({ name }) => name)).toEqual(given.coefficientNames);
    const { columns } = design;
    const rows = given.design.map((_, at) => columns[at % columns.length]![Math.floor(at / columns.length)]!);
    expect(rows).toEqual(given.design);
  });

  test('keeps the genes of filterByExpr, with the factors of calcNormFactors', () => {
    expect(Array.from(kept)).toEqual(given.kept);
    expect(Array.from(sizes)).toEqual(given.librarySizes);
    expect(mismatches({ factors: [factors, given.factors] })).toEqual([]);
  });

  test('has the log counts, weights and trend of voom', () => {
    const { points, trend, weights, logCpm } = weighted;
    expect(
      mismatches({
        ...(given.logCpm && { logCpm: [logCpm.values, given.logCpm] }),
        'x of the points': [points.x, given.trendPoints.x],
        'y of the points': [points.y, given.trendPoints.y],
        'x of the curve': [trend.x, given.trendLine.x],
        'y of the curve': [trend.y, given.trendLine.y],
        weights: [weights, given.weights],
      }),
    ).toEqual([]);
  });

  test('has the fit of lmFit', () => {
    expect(fit.residualDegrees).toBe(given.degrees);
    expect(
      mismatches({
        coefficients: [fit.coefficients, given.coefficients, 1e-3],
        sigma: [fit.sigma, given.sigma],
        'stdev.unscaled': [fit.unscaled, given.unscaled],
      }),
    ).toEqual([]);
  });

  test('has the tests of eBayes and topTable', () => {
    const tests = moderatedTests(fit, { trend: given.trend });
    const plain = given.test;
    expect(
      mismatches({
        'df.prior': [Float64Array.of(tests.priorDegrees), plain['df.prior']],
        's2.prior': [
          given.trend ? tests.priorVariances : tests.priorVariances.subarray(0, 1),
          plain['s2.prior'],
        ],
        's2.post': [tests.variances, plain['s2.post']],
        'df.total': [new Float64Array(fit.geneCount).fill(tests.degrees), plain['df.total']],
      }),
    ).toEqual([]);
    const tested = tests.contrasts[given.coefficientNames.indexOf(given.coef)]!;
    expect(tableOf(tested, fit.means, plain)).toEqual([]);
  });
});

test.each(reference.cases.filter(({ effect }) => effect))(
  '$name: a contrast of several coefficients has its exact test',
  (given) => {
    const { design, weighted } = runOf(given);
    const contrasts = [Float64Array.from(given.effect!)];
    const fit = linearFit(weighted.logCpm, design, { weights: weighted.weights, contrasts });
    expect(tableOf(moderatedTests(fit).contrasts[0]!, fit.means, given.effectTest!)).toEqual([]);
  },
);

test('genes are filtered by groups as by designs, of which only a part counts where they are large', () => {
  const { counts, genes, kept, keptOfOne, factors } = reference.filters;
  const matrix = matrixOf(counts, genes);
  expect(Array.from(filterByExpression(matrix, 3))).toEqual(kept);
  expect(Array.from(filterByExpression(matrix, 21))).toEqual(keptOfOne);
  expect(keptOfOne.length).toBeLessThan(kept.length);
  expect(mismatches({ factors: [normalisationFactors(matrix), factors] })).toEqual([]);
});
