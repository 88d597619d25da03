import { describe, expect, test } from 'vitest';
import { designOf } from './design-of.ts';
import {
  codesAsFactor,
  contrastOf,
  levelContrast,
  type DesignRequest,
  type SampleColumn,
  type SampleFactor,
} from './design.ts';

function labels(
  name: string,
  letters: string,
  categories = [...new Set(letters.replaceAll('.', ''))],
): SampleFactor {
  return {
    kind: 'categorical',
    name,
    categories,
    codes: Array.from(letters, (letter) => categories.indexOf(letter)),
  };
}

function answer(tested: SampleFactor, ...covariates: readonly SampleColumn[]) {
  return designOf({ tested, level: 'b', reference: 'a', covariates });
}

function designFor(request: DesignRequest) {
  const outcome = designOf(request);
  if ('refusal' in outcome) throw new Error(outcome.refusal.code);
  return outcome.design;
}

describe('a design is refused', () => {
  test('where a side has no samples, or both are the same', () => {
    expect(answer(labels('group', 'aaacc', ['a', 'b', 'c']))).toEqual({
      refusal: { code: 'empty_group', columns: ['group'], levels: ['b'] },
    });
    expect(designOf({ tested: labels('group', 'aabb'), level: 'a', reference: 'a' })).toEqual({
      refusal: { code: 'empty_group', columns: ['group'], levels: ['a'] },
    });
    expect(designOf({ tested: labels('group', 'aabb'), level: 'x', reference: 'y' })).toEqual({
      refusal: { code: 'empty_group', columns: ['group'], levels: ['x', 'y'] },
    });
  });

  test('where a side has one sample', () => {
    expect(answer(labels('group', 'aaab'))).toEqual({
      refusal: { code: 'no_replicates', columns: ['group'], levels: ['b'], samples: [1, 3] },
    });
  });

  test('where a sample has no value', () => {
    const age: SampleColumn = { kind: 'numeric', name: 'age', values: [30, NaN, 50, 60] };
    expect(answer(labels('group', 'aabb'), age, labels('sex', 'fm.m'))).toEqual({
      refusal: { code: 'missing_values', columns: ['age', 'sex'], samples: [1, 2] },
    });
  });

  test('where a batch is the condition, which it names with the coefficients', () => {
    const age: SampleColumn = { kind: 'numeric', name: 'age', values: [30, 41, 52, 44, 65, 28, 39, 70] };
    expect(answer(labels('group', 'aaaabbbb'), age, labels('batch', 'ppppqqqq'))).toEqual({
      refusal: { code: 'confounded', columns: ['group', 'batch'], coefficients: ['groupb', 'batchq'] },
    });
  });

  test('where batches lie within the conditions', () => {
    expect(
      answer(labels('group', 'aaaabbbb'), labels('batch', 'ppqqrrss'), labels('sex', 'fmfmfmfm')),
    ).toEqual({
      refusal: {
        code: 'confounded',
        columns: ['group', 'batch'],
        coefficients: ['groupb', 'batchr', 'batchs'],
      },
    });
  });

  test('where each patient is in one condition alone', () => {
    const outcome = answer(labels('group', 'aaabbb'), labels('patient', '123456'));
    expect(outcome).toMatchObject({ refusal: { code: 'confounded', columns: ['group', 'patient'] } });
  });

  test('where a covariate is the same for all samples', () => {
    const depth: SampleColumn = { kind: 'numeric', name: 'depth', values: [5, 5, 5, 5] };
    expect(answer(labels('group', 'aabb'), depth)).toEqual({
      refusal: { code: 'confounded', columns: ['depth'], coefficients: ['(Intercept)', 'depth'] },
    });
  });

  test('where an interaction has no samples of its own', () => {
    const outcome = designOf({
      tested: labels('group', 'aaaabb'),
      level: 'b',
      reference: 'a',
      covariates: [labels('sex', 'ffmmff')],
      interactions: [['group', 'sex']],
    });
    expect(outcome).toMatchObject({ refusal: { code: 'confounded', coefficients: ['groupb:sexm'] } });
  });

  test('where as many coefficients as samples leave no residual degrees of freedom', () => {
    const age: SampleColumn = { kind: 'numeric', name: 'age', values: [30, 41, 52, 47] };
    expect(answer(labels('group', 'aabb'), age, labels('sex', 'fmfm'))).toEqual({
      refusal: { code: 'no_residual_df', columns: ['group', 'age', 'sex'], samples: 4, coefficients: 4 },
    });
  });
});

test('a covariate of any scale is distinguished from a constant', () => {
  const date: SampleColumn = {
    kind: 'numeric',
    name: 'date',
    values: [1.7e9, 1.7e9 + 86_400, 1.6e9, 1.65e9],
  };
  expect(answer(labels('group', 'aabb'), date)).toHaveProperty('design');
});

test('few whole numbers are codes, and fractions, many numbers and nearly one for each sample are quantities', () => {
  const of = (values: readonly number[], samples: number, isCode = false) =>
    codesAsFactor({ kind: 'numeric', name: 'batch', values }, { samples, isCode });
  expect(of([3, 1, 2, NaN, 10, 1, 2, 3, 10], 9)).toEqual({
    kind: 'categorical',
    name: 'batch',
    categories: ['1', '2', '3', '10'],
    codes: Int32Array.of(2, 0, 1, -1, 3, 0, 1, 2, 3),
    isOfNumbers: true,
  });
  expect(of([1, 2.5, 1, 2.5], 4)).toBeUndefined();
  expect(of([31, 45, 45, 60], 4)).toBeUndefined();
  expect(of([1, 2, 2, 3], 4, true)?.categories).toEqual(['1', '2', '3']);
  expect(
    of(
      Array.from({ length: 40 }, (_, at) => at >> 1),
      80,
    ),
  ).toBeUndefined();
});

test('the reference comes first, whatever the order of the categories, and levels without samples are no coefficients', () => {
  const tested = labels('group', 'bbaacc', ['x', 'c', 'b', 'a']);
  const design = designFor({ tested, level: 'b', reference: 'a' });
  expect(design.coefficients.map(({ name }) => name)).toEqual(['(Intercept)', 'groupc', 'groupb']);
  expect(Array.from(levelContrast(design, 'group', 'b', 'a'))).toEqual([0, 0, 1]);
  expect(Array.from(levelContrast(design, 'group', 'a', 'c'))).toEqual([0, -1, 0]);
  expect(Array.from(levelContrast(design, 'group', 'b', 'c'))).toEqual([0, -1, 1]);
  expect(design.references).toEqual(new Map([['group', 'a']]));
  expect(() => levelContrast(design, 'group', 'b', 'x')).toThrow("the level 'x'");
  expect(() => levelContrast(design, 'group', 'b', 'b')).toThrow('itself');
  expect(() => levelContrast(design, 'sex', 'b', 'a')).toThrow(RangeError);
});

test('names that strangers give cannot be mistaken for others', () => {
  const design = designFor({
    tested: { ...labels('__proto__', 'aabbaabb'), categories: ['a', 'constructor'] },
    level: 'constructor',
    reference: 'a',
    covariates: [{ ...labels('__proto__c', 'aababbba'), categories: ['x', 'onstructor'] }],
  });
  // Both are called `__proto__constructor`: by its name neither can be meant, by column and level each can.
  expect(() => contrastOf(design, new Map([['__proto__constructor', 1]]))).toThrow('2 coefficients');
  expect(Array.from(levelContrast(design, '__proto__', 'constructor', 'a'))).toEqual([0, 1, 0]);
  expect(() => contrastOf(design, new Map([['toString', 1]]))).toThrow('0 coefficients');
});

test('contrasts weigh coefficients by their names', () => {
  const design = designFor({ tested: labels('group', 'aabbcc'), level: 'b', reference: 'a' });
  const contrast = contrastOf(
    design,
    new Map([
      ['groupb', 1],
      ['groupc', -1],
    ]),
  );
  expect(Array.from(contrast)).toEqual([0, 1, -1]);
});

test('columns of other samples or of one name, and interactions of unknown columns are mistakes of the caller', () => {
  expect(() => answer(labels('group', 'aabb'), labels('sex', 'fmf'))).toThrow(RangeError);
  expect(() => answer(labels('group', 'aabb'), labels('group', 'aabb'))).toThrow('same name');
  expect(() =>
    designOf({
      tested: labels('group', 'aabb'),
      level: 'b',
      reference: 'a',
      interactions: [['group', 'sex']],
    }),
  ).toThrow(RangeError);
});
