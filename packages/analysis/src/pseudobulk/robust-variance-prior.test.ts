import { expect, test } from 'vitest';
import { readReference } from '../markers/testing/reference.ts';
import { linearFit } from './linear-fit.ts';
import { moderatedTests } from './moderated-tests.ts';
import { robustVariancePrior } from './robust-variance-prior.ts';
import { matrixOf, mismatches, numbersOf, type Numbers, type ReferenceTable } from './testing/reference.ts';

const { priors, test: tested } = readReference<{
  priors: readonly {
    name: string;
    degrees: number;
    variance: Numbers;
    mean: Numbers | null;
    priorDegrees: Numbers | number | string;
    priorVariance: Numbers | number;
    variances: Numbers;
  }[];
  test: ReferenceTable & {
    genes: number;
    values: readonly number[];
    design: readonly number[];
    F: Numbers;
    'F.p.value': Numbers;
    'df.prior': Numbers;
  };
}>(new URL('robust-reference.json', import.meta.url));

test.each(priors)('$name: has the prior of squeezeVar(robust = TRUE)', (referencePrior) => {
  const variances = numbersOf(referencePrior.variance);
  const mean = referencePrior.mean ? numbersOf(referencePrior.mean) : undefined;
  const { degrees, scales, geneDegrees } = robustVariancePrior(variances, referencePrior.degrees, mean);
  const degreesPerGene = geneDegrees ?? scales.map(() => degrees);
  const expected = numbersOf(referencePrior.priorDegrees);
  const scale = numbersOf(referencePrior.priorVariance);
  expect(
    mismatches({
      'df.prior': [
        expected.length === 1 ? degreesPerGene.subarray(0, 1) : degreesPerGene,
        referencePrior.priorDegrees,
      ],
      'var.prior': [scale.length === 1 ? scales.subarray(0, 1) : scales, referencePrior.priorVariance],
    }),
  ).toEqual([]);
});

const sampleCount = 12;
const coefficients = ['(Intercept)', 'conditiontreated', 'conditionrelapse'];
const design = {
  sampleCount,
  references: new Map(),
  coefficients: coefficients.map((name) => ({ name, parts: [] })),
  columns: coefficients.map((_, at) =>
    Float64Array.from({ length: sampleCount }, (__, sample) => tested.design[sample * 3 + at]!),
  ),
};

test('robust tests have the numbers of eBayes and topTable', () => {
  const contrasts = [Float64Array.of(0, 1, 0), Float64Array.of(0, 0, 1)];
  const fit = linearFit(matrixOf(tested.values, tested.genes), design, { contrasts });
  const moderated = moderatedTests(fit, { robust: true });
  const [first] = moderated.contrasts;
  expect(
    mismatches({
      'df.prior': [moderated.genePriorDegrees, tested['df.prior']],
      logFC: [first!.effects, tested.logFC, 1e-3],
      t: [first!.t, tested.t, 1e-3],
      'P.Value': [first!.pValues, tested['P.Value']],
      'adj.P.Val': [first!.adjusted, tested['adj.P.Val']],
      B: [first!.logOdds, tested.B, 0.1],
      F: [moderated.joint.f, tested.F],
      'F.p.value': [moderated.joint.pValues, tested['F.p.value']],
    }),
  ).toEqual([]);
});

test('a gene that stands out keeps more of its own variance, and the others share more of theirs', () => {
  const fit = linearFit(matrixOf(tested.values, tested.genes), design);
  const [robust, plain] = [moderatedTests(fit, { robust: true }), moderatedTests(fit)];
  expect(robust.priorDegrees).toBeGreaterThan(plain.priorDegrees);
  expect(Math.min(...robust.genePriorDegrees)).toBeLessThan(plain.priorDegrees / 2);
  expect(robust.geneDegrees.every((own) => own <= robust.degrees)).toBe(true);
});
