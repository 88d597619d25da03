import { describe, expect, test } from 'vitest';
import { compositionTest } from './composition.ts';
import { designOf } from './design-of.ts';
import { contrastOf } from './design.ts';
import { matrixOf, mismatches, reference, sampleColumn } from './testing/reference.ts';

const cases = reference.compositions.flatMap((composition) =>
  (['logit', 'asin'] as const).map((transform) => ({ name: composition.name, composition, transform })),
);

describe.each(cases)('$name, $transform', ({ composition, transform }) => {
  const [tested, ...covariates] = Object.entries(composition.samples).map(([name, values]) =>
    sampleColumn(name, values),
  );
  if (tested?.kind !== 'categorical') throw new Error('the first column has labels');
  const answer = designOf({ tested, level: 'treated', reference: 'control', covariates });
  if ('refusal' in answer) throw new Error(answer.refusal.code);
  const { design } = answer;
  const cells = matrixOf(composition.cells, composition.types);
  const expected = composition[transform];

  test('each cell type has the moderated t-test of limma', () => {
    const contrast = contrastOf(design, new Map([[composition.coef, 1]]));
    const { tests } = compositionTest(cells, design, [contrast], transform);
    const [firstContrast] = tests.contrasts;
    expect(
      mismatches({
        'df.prior': [Float64Array.of(tests.priorDegrees), expected['df.prior']],
        logFC: [firstContrast!.effects, expected.logFC, 1e-3],
        t: [firstContrast!.t, expected.t, 1e-3],
        'P.Value': [firstContrast!.pValues, expected['P.Value']],
        'adj.P.Val': [firstContrast!.adjusted, expected['adj.P.Val']],
        B: [firstContrast!.logOdds, expected.B, 0.1],
      }),
    ).toEqual([]);
  });

  test('all coefficients of the condition together have its moderated F test', () => {
    const places = [composition.columns].flat();
    const contrasts = places.map((place) =>
      Float64Array.from(design.columns, (_, at) => (at === place ? 1 : 0)),
    );
    const { joint } = compositionTest(cells, design, contrasts, transform).tests;
    expect(
      mismatches({ F: [joint.f, expected.F, 1e-3], 'F.p.value': [joint.pValues, expected['F.p.value']] }),
    ).toEqual([]);
  });

  test('shares of a sample add up to 1', () => {
    const { shares } = compositionTest(cells, design, [], transform);
    const sums = Array.from({ length: shares.sampleCount }, (_, sample) =>
      shares.values.reduce((sum, share, at) => sum + (at % shares.sampleCount === sample ? share : 0), 0),
    );
    for (const sum of sums) expect(sum).toBeCloseTo(1, 12);
  });

  test('a sample without cells and two cell types are mistakes of the caller', () => {
    const values = cells.values.map((count, at) => (at % cells.sampleCount === 1 ? 0 : count));
    expect(() => compositionTest({ ...cells, values }, design, [])).toThrow('sample 1 has no cells');
    const two = matrixOf(composition.cells.slice(0, 2 * cells.sampleCount), 2);
    expect(() => compositionTest(two, design, [])).toThrow('fewer than 3');
  });
});
