import { describe, expect, test } from 'vitest';
import { studentQuantile } from '../statistics/tails.ts';
import type { SampleColumn, SampleFactor } from './design.ts';
import { pseudobulkTest } from './pseudobulk-test.ts';
import { sideDesign, type Pairing, type SideSums } from './side-design.ts';
import { matrixOf, mismatches, reference, sampleColumn } from './testing/reference.ts';

function sums(
  samples: string,
  sides: string,
  { pairing = 'auto', ...columns }: { pairing?: Pairing; [column: string]: string | undefined } = {},
): SideSums {
  const { interaction, ...covariates } = columns;
  return {
    samples: sampleColumn('patient', Array.from(samples)) as SampleFactor,
    sides: Array.from(sides, (side) => (side === 'A' ? 0 : 1)),
    covariates: Object.entries(covariates).map(([name, values]) => sampleColumn(name, Array.from(values!))),
    interaction: interaction === undefined ? undefined : sampleColumn('response', Array.from(interaction)),
    pairing,
  };
}

function designed(request: SideSums) {
  const outcome = sideDesign(request);
  if ('refusal' in outcome) throw new Error(outcome.refusal.code);
  return outcome.design;
}

test.each(reference.sides)('$name: fold changes, limits and p-values are those of limma', (referenceCase) => {
  const columnOf = (name: string, values: typeof referenceCase.interaction): SampleColumn[] =>
    Array.isArray(values) ? [sampleColumn(name, values)] : [];
  const { sumIndices, design, contrast } = designed({
    samples: sampleColumn('patient', referenceCase.sample) as SampleFactor,
    sides: referenceCase.sides.map((side) => (side === 'A' ? 0 : 1)),
    covariates: columnOf('batch', referenceCase.batch),
    interaction: columnOf('response', referenceCase.interaction)[0],
    pairing: 'auto',
  });
  expect(sumIndices).toHaveLength(referenceCase.sides.length);
  const answer = pseudobulkTest(matrixOf(referenceCase.counts, referenceCase.genes), design, [contrast]);
  if ('refusal' in answer) throw new Error(answer.refusal.code);
  const { tests, means, residualDegrees } = answer.result;
  const [firstContrast] = tests.contrasts;
  const reach = studentQuantile(0.05, tests.degrees);
  const limit = (sign: number) =>
    firstContrast!.effects.map(
      (effect, gene) => effect + sign * reach * firstContrast!.standardErrors[gene]!,
    );
  expect(residualDegrees).toBe(referenceCase.degrees);
  expect(
    mismatches({
      logFC: [firstContrast!.effects, referenceCase.logFC, 1e-3],
      'CI.L': [limit(-1), referenceCase['CI.L'], 1e-3],
      'CI.R': [limit(1), referenceCase['CI.R'], 1e-3],
      AveExpr: [means, referenceCase.AveExpr],
      t: [firstContrast!.t, referenceCase.t, 1e-3],
      'P.Value': [firstContrast!.pValues, referenceCase['P.Value']],
      'adj.P.Val': [firstContrast!.adjusted, referenceCase['adj.P.Val']],
      'df.prior': [Float64Array.of(tests.priorDegrees), referenceCase['df.prior']],
    }),
  ).toEqual([]);
});

describe('samples with sums on both sides', () => {
  test('are pairs where they are more than half, and samples of one side are left out', () => {
    const design = designed(sums('1122334', 'ABABABA'));
    expect(design).toMatchObject({ isPaired: true, both: 3, formula: '~ side + patient' });
    expect(Array.from(design.sumIndices)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(Array.from(design.unpaired)).toEqual([6]);
    const half = designed(sums('112234', 'ABABAB'));
    expect(half).toMatchObject({ isPaired: false, both: 2, formula: '~ side' });
    expect(half.unpaired).toHaveLength(0);
  });

  test('are paired or not, as requested', () => {
    expect(designed(sums('112234', 'ABABAB', { pairing: 'by-sample' }))).toMatchObject({ isPaired: true });
    expect(designed(sums('112233', 'ABABAB', { pairing: 'none' }))).toMatchObject({
      isPaired: false,
      both: 3,
    });
    expect(sideDesign(sums('1234', 'ABAB', { pairing: 'by-sample' }))).toMatchObject({
      isPaired: true,
      refusal: { code: 'empty_group', levels: ['A', 'B'] },
    });
  });

  test('hold the effect of a column whose values they share, which is left out by name', () => {
    const withBatch = designed(sums('112233', 'ABABAB', { batch: 'xxyyxx', lane: 'lrlrrl' }));
    expect(withBatch).toMatchObject({ formula: '~ side + lane + patient', held: ['batch'], constant: [] });
    const without = designed(sums('112233', 'ABABAB', { lane: 'lrlrrl' }));
    expect([withBatch.design.columns, withBatch.contrast]).toEqual([
      without.design.columns,
      without.contrast,
    ]);
    // A value that a pair lacks says nothing that the pair does not, either.
    const age = { kind: 'numeric', name: 'age', values: [30, 30, NaN, NaN, 50, 50] } as const;
    expect(designed({ ...sums('112233', 'ABABAB'), covariates: [age] })).toMatchObject({
      formula: '~ side + patient',
      held: ['age'],
    });
    // The column of the samples itself says nothing that the pairs do not.
    expect(designed(sums('112233', 'ABABAB', { patient: '112233' })).formula).toBe('~ side + patient');
  });

  test('are named with a column that they hold only together with others', () => {
    // Its values follow the sides in every pair.
    expect(sideDesign(sums('112233', 'ABABAB', { chip: 'xyxyxy' }))).toMatchObject({
      refusal: { code: 'confounded', columns: ['side', 'chip'] },
    });
  });
});

describe('an interaction', () => {
  test('stands without its own column where pairs hold that, and with it where they do not', () => {
    const paired = designed(sums('11223344', 'ABABABAB', { interaction: 'nnnnyyyy' }));
    expect(paired.formula).toBe('~ side + patient + side:response');
    expect(paired.design.coefficients.map(({ name }) => name)).not.toContain('responsey');
    expect(paired.contrast.at(-1)).toBe(1);
    expect(paired.contrast.filter((weight) => weight !== 0)).toHaveLength(1);
    const free = designed(sums('12345678', 'ABABABAB', { interaction: 'nnnnyyyy', response: 'nnnnyyyy' }));
    expect(free.formula).toBe('~ side + response + side:response');
    const varies = designed(sums('1122334455', 'ABABABABAB', { interaction: 'nynynnyyyn' }));
    expect(varies.formula).toBe('~ side + patient + response + side:response');
  });

  test('needs two labels, and values of all samples', () => {
    expect(sideDesign(sums('123456', 'ABABAB', { interaction: 'nymnym' }))).toMatchObject({
      refusal: { code: 'interaction_levels', columns: ['response'], levels: ['n', 'y', 'm'] },
    });
    const age = { kind: 'numeric', name: 'age', values: [30, 30, NaN, NaN, 50, 50, 61, 61] } as const;
    expect(sideDesign({ ...sums('11223344', 'ABABABAB'), interaction: age })).toMatchObject({
      refusal: { code: 'missing_values', columns: ['age'], samples: [2, 3] },
    });
  });
});

test('a column that is called as the sides are stays another one', () => {
  expect(designed(sums('123456', 'ABABAB', { side: 'lrrllr' })).formula).toBe('~ side_ + side');
});

test('codes that are numbers are a factor in the formula', () => {
  const codes = { kind: 'categorical', name: 'batch', categories: ['1', '2'], codes: [0, 1, 0, 1] } as const;
  const outcome = sideDesign({
    samples: sampleColumn('patient', ['p', 'q', 'r', 's']) as SampleFactor,
    sides: [0, 0, 1, 1],
    covariates: [{ ...codes, isOfNumbers: true }],
    pairing: 'none',
  });
  expect(outcome).toMatchObject({ design: { formula: '~ side + factor(batch)' } });
});

test('a covariate that is the same for all samples is no part of the model, and is named', () => {
  const model = designed(sums('123456', 'ABABAB', { sex: 'ffffff', batch: 'xyyxxy' }));
  expect(model).toMatchObject({ formula: '~ side + batch', constant: ['sex'] });
  expect(model.columns.map(({ name }) => name)).toEqual(['side', 'batch']);
});
