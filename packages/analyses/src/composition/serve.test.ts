import { expect, test } from 'vitest';
import { composition } from './declare.ts';
import { analysis } from './serve.ts';

const set = (name: string) => ({ name, filter: { subset_group_name: name } });
const request = composition.request.parse({ a: set('treated'), b: set('control'), transform: 'asin' });
const sum = (name: string, side: 'a' | 'b', cells: number) => ({ name, side, cells });
const result = composition.result.parse({
  by: 'mine',
  test: 'moderated t-tests',
  a: { name: 'treated', cells: 1 },
  b: { name: 'control', cells: 2500 },
  samples: { column: 'donor', reason: 'the column of patients', a: 1, b: 5, both: 1 },
  design: {
    formula: '~ side + donor + age',
    columns: ['side', 'donor', 'age'],
    column_kinds: ['categories', 'categories', 'number'],
    coefficients: [],
    paired: true,
    samples: [],
    left_out: [
      { ...sum('D6', 'a', 1), reason: 'few-cells' },
      { ...sum('D7', 'b', 30), reason: 'one-side-alone' },
    ],
    residual_df: 4,
    prior_df: null,
  },
  categories: 1,
  differing: 0,
});

test('facts say the samples of each side, the degrees of freedom, what was left out, and columns by the titles that users gave', () => {
  const titleOf = (column: string) => (column === 'mine' ? 'My labels' : 'Donor');
  const facts = analysis.facts({ request, result }, { titleOf });
  expect(Object.fromEntries(facts.map(({ code, message }) => [code, message]))).toEqual({
    a: 'treated, 1 sample, 1 cell',
    b: 'control, 5 samples, 2,500 cells',
    differing: '0 of 1 category, adjusted p < 0.05',
    by: 'My labels, among the cells of each sample on a side',
    test: 'moderated t-tests (4 + ∞ prior), as propeller of the package speckle without its robust option',
    effect: 'difference in the arcsine square roots of a share, A minus B',
    replicates:
      'Donor (the column of patients): 1 in A, 5 in B, 1 in both, compared in pairs; of fewer than 10 cells on a side left out on that side',
    covariates: 'Donor as categories; Age as a number',
    'left-out': 'D6 (A: 1 cell, too few); D7 (B: 30 cells, on one side only)',
  });
  const bare = { ...result, design: { ...result.design, columns: ['side'], left_out: [] } };
  const codes = analysis.facts({ request, result: bare }, { titleOf }).map(({ code }) => code);
  expect(codes).not.toContain('covariates');
  expect(codes).not.toContain('left-out');
});
