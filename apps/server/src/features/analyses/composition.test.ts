import { composition } from '@cellfolio/analyses';
import { compositionTest, sideDesign, studentQuantile } from '@cellfolio/analysis';
import { type AnalysisAnswer, analysisCall } from '@cellfolio/contract';
import { beforeAll, expect, test } from 'vitest';
import { hostile } from '../../testing/analysis-dataset.ts';
import { apiClient } from '../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../testing/shared-server.ts';
import { cellTypes, donorCount, type MixedDataset, writeMixedDataset } from './testing/mixed-dataset.ts';

type CompositionAnswer = AnalysisAnswer<typeof composition>;
const id = 'mixed.h5ad';
const path = '/api/perform-composition-analysis';
let server: SharedServer;
let dataset: MixedDataset;
let api: ReturnType<typeof apiClient>;

beforeAll(async () => {
  server = await shareTestServer(async ({ objectRoot }) => {
    dataset = await writeMixedDataset(objectRoot, id);
  });
  api = apiClient(server, await server.signIn('standard'), 'mixed');
  await api.get(`/api/dataset_analysis/${id}`);
});

const ofColumn = (field: string, ...values: string[]) => ({
  name: values.join(' or '),
  filter: {
    subset_group_name: 'Group',
    patient_metadata_filter: true,
    patient_metadata: { [field]: values },
  },
});
const treated = { a: ofColumn('condition', 'treated'), b: ofColumn('condition', 'control') };
const libraries = { ...treated, samples: 'library' };

async function compare(body: object): Promise<CompositionAnswer> {
  const { status, body: answer } = await api.post(path, body);
  expect([status, answer.message]).toEqual([200, undefined]);
  return analysisCall(composition).answer.parse(answer);
}

function rowsOf({ composition_csv: csv = '' }: CompositionAnswer) {
  const [head, ...lines] = csv
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('#'));
  const columns = head!.split(',').slice(1);
  return new Map(
    lines.map((line) => {
      const cells = line.split(',');
      const numbers = cells.slice(-columns.length).map((cell) => (cell === '' ? NaN : Number(cell)));
      const name = cells.slice(0, -columns.length).join(',').replace(/^"|"$/g, '').replaceAll('""', '"');
      return [name, new Map(columns.map((column, at) => [column, numbers[at]!]))];
    }),
  );
}
const cautionOf = ({ warnings, facts }: CompositionAnswer, code: string) =>
  [...warnings, ...facts].find((caution) => caution.code === code);

function naively(transform: 'logit' | 'asin', isPaired: boolean) {
  const donors = [0, 1, 2, 3, 4];
  const samples = isPaired
    ? [...donors.map((donor) => [donor, 1]), ...donors.map((donor) => [donor, 0])]
    : [...donors.map((donor) => [donor, 1]), ...[...donors, 5].map((donor) => [donor, 0])];
  const values = cellTypes.flatMap((_, type) =>
    samples.map(
      ([donor, condition]) =>
        dataset.cells.filter(
          (cell) => cell.type === type && cell.donor === donor && cell.condition === condition,
        ).length,
    ),
  );
  const outcome = sideDesign({
    samples: {
      kind: 'categorical',
      name: 'donor',
      categories: Array.from({ length: donorCount }, (_, donor) => `D${donor}`),
      codes: samples.map(([donor]) => donor!),
    },
    sides: samples.map(([, condition]) => 1 - condition!),
    covariates: [],
    pairing: isPaired ? 'by-sample' : 'none',
  });
  if ('refusal' in outcome) throw new Error(outcome.refusal.code);
  const { design, contrast } = outcome.design;
  const cells = {
    geneCount: cellTypes.length,
    sampleCount: samples.length,
    values: Float64Array.from(values),
  };
  return { values, samples, ...compositionTest(cells, design, [contrast], transform) };
}

test.each([
  ['logit', true, 'log_odds'],
  ['logit', false, 'log_odds'],
  ['asin', true, 'asin_difference'],
  ['asin', false, 'asin_difference'],
] as const)(
  'by %s, pairs %s, the table is that of cells counted one by one',
  async (transform, isPaired, effect) => {
    const answer = await compare({ ...treated, transform, pairing: isPaired ? 'auto' : 'none' });
    const { values, samples, shares, tests } = naively(transform, isPaired);
    const rows = rowsOf(answer);
    const [contrastTest] = tests.contrasts;
    const reach = studentQuantile(0.05, tests.degrees);
    expect([...rows.keys()].toSorted()).toEqual(cellTypes.toSorted());
    cellTypes.forEach((name, type) => {
      const of = (all: ArrayLike<number>, condition: number) =>
        samples.flatMap(([, own], at) => (own === condition ? [all[type * samples.length + at]!] : []));
      const sum = (list: number[]) => list.reduce((total, one) => total + one, 0);
      const mean = (list: number[]) => sum(list) / list.length;
      const [shareA, shareB] = [mean(of(shares.values, 1)), mean(of(shares.values, 0))];
      const [change, error] = [contrastTest!.effects[type]!, contrastTest!.standardErrors[type]!];
      const expected = {
        share_a: shareA,
        share_b: shareB,
        [effect]: change,
        ci_low: change - reach * error,
        ci_high: change + reach * error,
        ratio: shareA / shareB,
        scores: contrastTest!.t[type]!,
        pvals: contrastTest!.pValues[type]!,
        pvals_adj: contrastTest!.adjusted[type]!,
        cells_a: sum(of(values, 1)),
        cells_b: sum(of(values, 0)),
      };
      for (const [column, number] of Object.entries(expected)) {
        expect(rows.get(name)!.get(column), `${column} of ${name}`).toBeCloseTo(number, 9);
      }
    });
    expect([...rows.keys()][0]).toBe('Macrophage');
    expect(rows.get('Macrophage')!.get(effect)).toBeGreaterThan(0);
  },
);

test('the answer has the design, its samples, and what was left out', async () => {
  const answer = await compare(treated);
  expect(answer).toMatchObject({
    by: 'cell_type',
    samples: { column: 'donor', a: 5, b: 5, both: 5 },
    design: { formula: '~ side + donor', paired: true, residual_df: 4 },
    categories: 5,
  });
  expect(answer.design.left_out).toEqual([
    { name: 'D6', side: 'a', cells: 8, reason: 'few-cells' },
    expect.objectContaining({ name: 'D6', side: 'b', reason: 'one-side-alone' }),
  ]);
  expect(cautionOf(answer, 'samples-paired')?.message).toContain('5 pairs');
  expect(cautionOf(answer, 'samples-left-out')?.message).toContain('D6 of A (8 cells)');
  expect(cautionOf(answer, 'rare-categories')?.numbers).toMatchObject({ categories: ['Rare'] });
  expect(cautionOf(answer, 'shares-add-up')).toBeDefined();
  expect(cautionOf(answer, 'unlabelled-cells')?.numbers).toEqual({ unlabelled: 7 });
  for (const { message } of answer.warnings) expect(answer.composition_csv).toContain(message);
  expect(answer.test).toBe(
    'moderated t-tests of log odds of shares, ~ side + donor, 5 + 5 samples, 4 residual degrees of freedom',
  );
});

test('covariates are part of the design, and a caution reports unused pairs of samples', async () => {
  const answer = await compare({ ...libraries, covariates: ['batch', 'age'] });
  expect(answer.design).toMatchObject({
    formula: '~ side + batch + age',
    columns: ['side', 'batch', 'age'],
    paired: false,
  });
  expect(answer.design.samples[0]).toMatchObject({ name: 'D1 treated', side: 'a', values: ['b1', 30] });
  const unpaired = await compare({ ...treated, pairing: 'none' });
  expect(cautionOf(unpaired, 'pairs-not-used')).toBeDefined();
});

test('sets that are made of the categories themselves are warned of', async () => {
  const answer = await compare({
    a: ofColumn('cell_type', 'B cell', 'T cell'),
    b: ofColumn('cell_type', 'Macrophage', hostile),
    pairing: 'none',
  });
  expect(cautionOf(answer, 'sets-of-categories')?.message).toMatch(/^A and B consist of categories/);
});

test('its figure is drawn again from its source', async () => {
  const answer = await compare(treated);
  expect(answer.figure).toMatchObject({ kind: 'composition-dots', groupCount: 5 });
  const response = await api.post('/api/render-figure', { source: answer.source, format: 'json' });
  const pairs = [0, 1, 2, 3, 4].map((at) => [at, at + 5]);
  expect(response.body).toMatchObject({ kind: 'composition-dots', groups: expect.any(Array), pairs });
});

test('a covariate that pairs hold is left out by name, and the numbers are those without it', async () => {
  const answer = await compare({ ...treated, covariates: ['batch'] });
  expect(cautionOf(answer, 'covariates-held-by-pairs')?.numbers).toMatchObject({ columns: ['batch'] });
  expect(rowsOf(answer)).toEqual(rowsOf(await compare(treated)));
});

test.each([
  [
    'categories of a column of two',
    { ...treated, by: 'two' },
    422,
    'too_few_categories',
    '2 categories of "Two"',
  ],
  ['an unknown column', { ...treated, by: 'gone' }, 400, 'unknown_column', '"gone"'],
  ['a column of numbers', { ...treated, by: 'age' }, 400, 'not_categorical', 'numbers'],
  ['sets that share cells', { a: treated.a, b: treated.a }, 422, 'sets_overlap', 'one side only'],
  [
    'a single sample on a side',
    { a: ofColumn('library', 'D1 treated'), b: treated.b, samples: 'library' },
    422,
    'no_replicates',
    'has 1 sample with at least 10 cells (Library)',
  ],
  [
    'a covariate that differs within a sample',
    { ...treated, covariates: ['cell_type'] },
    422,
    'varying_column',
    '"Cell Type" differs between cells',
  ],
])('%s are refused, with what to do', async (_, body, status, code, words) => {
  const answer = await api.post(path, body);
  expect([answer.status, answer.body.code]).toEqual([status, code]);
  expect(answer.body.message).toContain(words);
  expect(answer.body.message).not.toContain('t-test');
});

test('a caution names categories such as Doublet and NA, which are left out of all shares on request', async () => {
  const request = { ...libraries, by: 'labels' };
  const answer = await compare(request);
  expect(rowsOf(answer).has('Doublet')).toBe(true);
  expect(cautionOf(answer, 'unassigned-groups')!.message).toContain('Doublet (');
  const without = await compare({ ...request, unassigned: 'left-out' });
  const rows = rowsOf(without);
  expect([...rows.keys()].sort()).toEqual(['B cell', 'Macrophage', 'T cell']);
  for (const side of ['share_a', 'share_b']) {
    expect([...rows.values()].reduce((sum, row) => sum + row.get(side)!, 0)).toBeCloseTo(1, 12);
  }
  const doublets = dataset.cells.filter(({ type }) => type >= 3).length;
  expect(cautionOf(without, 'unassigned-left-out')!.numbers).toMatchObject({
    groups: ['Doublet', 'NA'],
    cells: doublets,
  });
  expect(cautionOf(without, 'unlabelled-cells')!.numbers).toEqual({ unlabelled: 7 });
  expect(without.composition_csv).toContain('Left out of Labels, as cells without a group: Doublet (');
});
