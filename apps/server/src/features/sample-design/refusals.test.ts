import { comparisonParameters } from '@cellfolio/analysis/parameters';
import { describe, expect, test } from 'vitest';
import { refusalWords, type RefusedTest, type TestRefusal } from './refusals.ts';

const set = (name: string) => ({ name, filter: { subset_group_name: name } });
const about: RefusedTest = {
  parameters: comparisonParameters.parse({ a: set('drug'), b: set('placebo') }),
  sampleColumn: 'donor',
  otherwise: ['compare cells by the Wilcoxon test'],
  isPaired: false,
  sideColumn: 'side',
  geneCount: 1000,
  sums: ['D1', 'D2', 'D1'].map((sample, at) => ({ sample, side: at < 2 ? 'a' : 'b', cells: 20 })),
  unpaired: [],
  fewCells: [],
  empty: [],
};

test.each<[TestRefusal, string]>([
  [
    { code: 'no_replicates', columns: ['side'], levels: ['B'], samples: [2, 1] },
    'A ("drug") has 2 samples with at least 10 cells (Donor), B ("placebo") has 1 sample. Each side needs at least 2 samples to estimate how much samples vary.',
  ],
  [
    { code: 'missing_values', columns: ['age', 'sex'], samples: [0, 2] },
    '"Age" and "Sex" have no value for sample D1.',
  ],
  [
    { code: 'confounded', columns: ['side', 'run', 'chip'], coefficients: [] },
    'Effects of A against B, "Run" and "Chip" cannot be separated: in these samples one follows from the others. Leave out "Run" or "Chip".',
  ],
  [{ code: 'too_few_genes', genes: 4, needed: 10 }, '4 genes have enough counts in enough samples'],
  [{ code: 'not_counts', gene: '=cmd' }, 'Gene "=cmd" has negative or non-numeric values'],
  [{ code: 'not_whole_counts', gene: 'CD3D' }, 'Gene "CD3D" has raw counts with fractions'],
  [{ code: 'interaction_levels', columns: ['dose'], levels: [] }, '"Dose" has none.'],
])('%o says what is wrong and what to do', (refusal, words) => {
  const text = refusalWords(refusal, about);
  expect(text).toContain(words);
  expect(text).toMatch(/\. (Choose|Leave|Correct) [^.]+\.$/);
});

const few = { code: 'no_replicates', columns: ['side'], levels: ['B'], samples: [2, 1] } as const;
const sum = (sample: string, side: 'a' | 'b', cells: number) => ({ sample, side, cells });

test('where pairs are compared, a refusal says that they are what is missing', () => {
  const unpaired = [sum('D1', 'a', 20), sum('D2', 'a', 20), sum('D3', 'b', 20), sum('D4', 'b', 20)];
  const paired = { ...about, isPaired: true, sums: [], unpaired };
  const text = refusalWords({ code: 'empty_group', columns: ['side'], levels: ['A', 'B'] }, paired);
  expect(text).toContain('no sample has sums with at least 10 cells (Donor) on both sides');
  expect(text).toContain('. Choose no pairing, choose cells of more samples, or compare cells by');
});

describe('advice is given where it leads out alone:', () => {
  const adviceFor = (refusal: TestRefusal, more: Partial<RefusedTest> = {}) =>
    refusalWords(refusal, { ...about, ...more })
      .split('. ')
      .at(-1);
  const tests = 'compare cells by the Wilcoxon test.';

  test('a lower minimum of cells where samples have as many, by its number', () => {
    expect(adviceFor(few)).toBe(`Choose cells of more samples, or ${tests}`);
    const fewCells = [sum('D4', 'b', 4), sum('D5', 'b', 7), sum('D6', 'a', 9)];
    expect(adviceFor(few, { fewCells })).toBe(
      `Choose cells of more samples, lower the minimum of cells per sample to 7, or ${tests}`,
    );
    expect(adviceFor(few, { fewCells: [sum('D6', 'a', 9)] })).not.toContain('lower');
  });

  test('of pairs, a minimum with which two samples are on both sides', () => {
    const paired = { isPaired: true, sums: [sum('D1', 'a', 20), sum('D1', 'b', 20)] };
    const fewCells = [sum('D2', 'b', 4), sum('D3', 'b', 6), sum('D4', 'b', 9)];
    const unpaired = [sum('D2', 'a', 20), sum('D3', 'a', 5)];
    expect(adviceFor(few, { ...paired, unpaired, fewCells })).toBe(
      `Choose cells of more samples, lower the minimum of cells per sample to 5, or ${tests}`,
    );
    expect(adviceFor(few, { ...paired, fewCells })).not.toContain('lower');
  });

  test('no pairing where both sides have samples without pairs, but not of ends', () => {
    const unpaired = [sum('D2', 'a', 20), sum('D3', 'b', 20)];
    const paired = { isPaired: true, sums: [sum('D1', 'a', 20), sum('D1', 'b', 20)], unpaired };
    expect(adviceFor(few, paired)).toContain('Choose no pairing');
    const ends = { by: { of: 'gene', gene: 'CD3D' }, share: 10 } as const;
    expect(adviceFor(few, { ...paired, parameters: { ...about.parameters, ends } })).toBe(
      'Choose cells of more samples, or compare cells by the Wilcoxon test.',
    );
  });

  test('no pairing where the samples of the pairs are among the columns that depend on each other', () => {
    const confounded = (...columns: string[]) => ({ code: 'confounded', columns, coefficients: [] }) as const;
    expect(adviceFor(confounded('side', 'chip'), { isPaired: true })).toBe('Leave out "Chip".');
    expect(adviceFor(confounded('chip', 'donor'), { isPaired: true })).toBe(
      'Leave out "Chip", or choose no pairing.',
    );
  });

  test('a covariate that is called side can be left out', () => {
    const confounded = { code: 'confounded', columns: ['side_', 'side'], coefficients: [] } as const;
    const text = refusalWords(confounded, { ...about, sideColumn: 'side_' });
    expect(text).toMatch(/^Effects of A against B and "Side" .* Leave out "Side"\.$/);
  });

  test('more cells where the dataset has genes enough', () => {
    const refusal = { code: 'too_few_genes', genes: 4, needed: 10 } as const;
    expect(adviceFor(refusal)).toBe(`Choose more cells, or ${tests}`);
    expect(adviceFor(refusal, { geneCount: 8 })).toBe(`C${tests.slice(1)}`);
  });
});

test('a refusal names the samples that were left out as they have no counts', () => {
  const empty = [{ ...sum('D7', 'b', 30), genes: 1000 }];
  expect(refusalWords(few, { ...about, empty })).toMatch(
    /^Left out: samples without counts in the tested genes cannot be normalized: D7 of B \(30 cells, 0 counts in 1,000 genes\)\. A \("drug"\) has 2 samples with at least 10 cells and with counts \(Donor\), B/,
  );
});
