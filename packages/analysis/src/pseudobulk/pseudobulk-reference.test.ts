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

function runOf(referenceCase: ReferenceCase) {
  const design = designOfCase(referenceCase);
  const all = matrixOf(referenceCase.counts, referenceCase.genes);
  const keptRows = filterByExpression(all, smallestGroupOf(design));
  const counts = referenceCase.filter ? selectGenes(all, keptRows) : all;
  const sizes = librarySizes(counts);
  const factors = normalisationFactors(counts);
  const weighted = voom(
    counts,
    sizes.map((size, at) => size * factors[at]!),
    design,
  );
  return { design, keptRows, sizes, factors, weighted };
}

function tableOf(moderatedTest: ModeratedTest, means: Float64Array, table: ReferenceTable) {
  return mismatches({
    logFC: [moderatedTest.effects, table.logFC, 1e-3],
    AveExpr: [means, table.AveExpr],
    t: [moderatedTest.t, table.t, 1e-3],
    'P.Value': [moderatedTest.pValues, table['P.Value']],
    'adj.P.Val': [moderatedTest.adjusted, table['adj.P.Val']],
    B: [moderatedTest.logOdds, table.B, 0.1],
  });
}

describe.each(reference.cases)('$name', (referenceCase) => {
  const { design, keptRows, sizes, factors, weighted } = runOf(referenceCase);
  const contrasts = referenceCase.coefficientNames.map((name) => contrastOf(design, new Map([[name, 1]])));
  const fit = linearFit(weighted.logCpm, design, { weights: weighted.weights, contrasts });

  test('has the design of model.matrix', () => {
    expect(design.coefficients.map(({ name }) => name)).toEqual(referenceCase.coefficientNames);
    const { columns } = design;
    const rows = referenceCase.design.map(
      (_, at) => columns[at % columns.length]![Math.floor(at / columns.length)]!,
    );
    expect(rows).toEqual(referenceCase.design);
  });

  test('keeps the genes of filterByExpr, with the factors of calcNormFactors', () => {
    expect(Array.from(keptRows)).toEqual(referenceCase.kept);
    expect(Array.from(sizes)).toEqual(referenceCase.librarySizes);
    expect(mismatches({ factors: [factors, referenceCase.factors] })).toEqual([]);
  });

  test('has the log counts, weights and trend of voom', () => {
    const { points, trend, weights, logCpm } = weighted;
    expect(
      mismatches({
        ...(referenceCase.logCpm && { logCpm: [logCpm.values, referenceCase.logCpm] }),
        'x of the points': [points.x, referenceCase.trendPoints.x],
        'y of the points': [points.y, referenceCase.trendPoints.y],
        'x of the curve': [trend.x, referenceCase.trendLine.x],
        'y of the curve': [trend.y, referenceCase.trendLine.y],
        weights: [weights, referenceCase.weights],
      }),
    ).toEqual([]);
  });

  test('has the fit of lmFit', () => {
    expect(fit.residualDegrees).toBe(referenceCase.degrees);
    expect(
      mismatches({
        coefficients: [fit.coefficients, referenceCase.coefficients, 1e-3],
        sigma: [fit.sigma, referenceCase.sigma],
        'stdev.unscaled': [fit.unscaled, referenceCase.unscaled],
      }),
    ).toEqual([]);
  });

  test('has the tests of eBayes and topTable', () => {
    const tests = moderatedTests(fit, { trend: referenceCase.trend });
    const plain = referenceCase.test;
    expect(
      mismatches({
        'df.prior': [Float64Array.of(tests.priorDegrees), plain['df.prior']],
        's2.prior': [
          referenceCase.trend ? tests.priorVariances : tests.priorVariances.subarray(0, 1),
          plain['s2.prior'],
        ],
        's2.post': [tests.variances, plain['s2.post']],
        'df.total': [new Float64Array(fit.geneCount).fill(tests.degrees), plain['df.total']],
      }),
    ).toEqual([]);
    const tested = tests.contrasts[referenceCase.coefficientNames.indexOf(referenceCase.coef)]!;
    expect(tableOf(tested, fit.means, plain)).toEqual([]);
  });
});

test.each(reference.cases.filter(({ effect }) => effect))(
  '$name: a contrast of several coefficients has its exact test',
  (referenceCase) => {
    const { design, weighted } = runOf(referenceCase);
    const contrasts = [Float64Array.from(referenceCase.effect!)];
    const fit = linearFit(weighted.logCpm, design, { weights: weighted.weights, contrasts });
    expect(tableOf(moderatedTests(fit).contrasts[0]!, fit.means, referenceCase.effectTest!)).toEqual([]);
  },
);

test('genes are filtered by groups as by designs, of which only a part counts where they are large', () => {
  const { counts, genes, kept: keptRows, keptOfOne, factors } = reference.filters;
  const matrix = matrixOf(counts, genes);
  expect(Array.from(filterByExpression(matrix, 3))).toEqual(keptRows);
  expect(Array.from(filterByExpression(matrix, 21))).toEqual(keptOfOne);
  expect(keptOfOne.length).toBeLessThan(keptRows.length);
  expect(mismatches({ factors: [normalisationFactors(matrix), factors] })).toEqual([]);
});
