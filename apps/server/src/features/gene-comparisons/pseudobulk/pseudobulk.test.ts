import {
  negativeBinomialTest,
  pseudobulkTest,
  quasiLikelihoodTest,
  sideDesign,
  studentQuantile,
} from '@cellfolio/analysis';
import { type ComparisonAnswer } from '@cellfolio/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { hostile, writeAnalysisDataset } from '../../../testing/analysis-dataset.ts';
import { apiClient } from '../../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../../testing/shared-server.ts';
import {
  changed,
  changedInOld,
  donorCount,
  type DonorsDataset,
  writeDonorsDataset,
} from '../testing/donors-dataset.ts';
import { comparisonAnswer } from '../testing/comparison-answer.ts';

const id = 'donors.h5ad';
const path = '/api/perform-deg-analysis';
let server: SharedServer;
let dataset: DonorsDataset;
let api: ReturnType<typeof apiClient>;
let plain: ReturnType<typeof apiClient>;

beforeAll(async () => {
  server = await shareTestServer(async ({ objectRoot }) => {
    dataset = await writeDonorsDataset(objectRoot, id);
    await writeAnalysisDataset(objectRoot, 'no-counts.h5ad');
  });
  api = apiClient(server, await server.signIn('standard'), 'sums');
  plain = apiClient(server, await server.signIn('standard'), 'plain');
  await api.get(`/api/dataset_analysis/${id}`);
  await plain.get('/api/dataset_analysis/no-counts.h5ad');
});

const ofColumn = (field: string, ...values: string[]) => ({
  name: values.join(' or '),
  filter: {
    subset_group_name: 'Group',
    patient_metadata_filter: true,
    patient_metadata: { [field]: values },
  },
});
const treated = {
  a: ofColumn('condition', 'treated'),
  b: ofColumn('condition', 'control'),
  method: 'pseudobulk',
};
/** By library; each library is on one side, so there are no pairs. */
const libraries = { ...treated, samples: 'library' };

async function compare(body: object): Promise<ComparisonAnswer> {
  const { status, body: answer } = await api.post(path, body);
  expect([status, answer.message]).toEqual([200, undefined]);
  return comparisonAnswer.parse(answer);
}
const rowsOf = ({ deg_csv: csv }: ComparisonAnswer) =>
  csv.split('\n').filter((line) => /^(?:[^,#]*cell,)?GENE\d/.test(line));
const codesOf = ({ warnings }: ComparisonAnswer) => warnings.map(({ code }) => code);
const cautionOf = ({ warnings, facts }: ComparisonAnswer, code: string) =>
  [...warnings, ...facts].find((caution) => caution.code === code);

function sumsOf(type: number) {
  const sampleCount = 2 * donorCount;
  const values = new Float64Array(dataset.genes.length * sampleCount);
  dataset.counts.forEach((counts, gene) =>
    counts.forEach((count, cell) => {
      const { donor, condition, type: own } = dataset.cells[cell]!;
      // A, the treated, come first.
      if (own === type) values[gene * sampleCount + (1 - condition) * donorCount + donor]! += count;
    }),
  );
  const outcome = sideDesign({
    samples: {
      kind: 'categorical',
      name: 'donor',
      categories: Array.from({ length: donorCount }, (_, donor) => `D${donor + 1}`),
      codes: Array.from({ length: sampleCount }, (_, at) => at % donorCount),
    },
    sides: Array.from({ length: sampleCount }, (_, at) => (at < donorCount ? 0 : 1)),
    covariates: [],
    pairing: 'auto',
  });
  if ('refusal' in outcome) throw new Error(outcome.refusal.code);
  return { counts: { geneCount: dataset.genes.length, sampleCount, values }, design: outcome.design };
}

function naively(type: number, robust: boolean) {
  const { counts, design } = sumsOf(type);
  const answer = pseudobulkTest(counts, design.design, [design.contrast], { robust });
  if ('refusal' in answer) throw new Error(answer.refusal.code);
  return answer.result;
}

test.each([false, true])(
  'the table is that of sums made cell by cell, for each cell type; robust: %s',
  async (robust) => {
    const answer = await compare({ ...treated, within: 'cell_type', robust });
    for (const [type, name] of ['B cell', 'T cell'].entries()) {
      const { genes, means, tests } = naively(type, robust);
      const [contrastTest] = tests.contrasts;
      const rows = new Map(
        rowsOf(answer)
          .filter((row) => row.startsWith(`${name},`))
          .map((row) => row.split(','))
          .map(([, gene, ...numbers]) => [
            gene,
            numbers.map((number) => (number === '' ? NaN : Number(number))),
          ]),
      );
      const wrong = [...genes].filter((row, at) => {
        const numbers = rows.get(dataset.genes[row]);
        const [effect, error] = [contrastTest!.effects[at]!, contrastTest!.standardErrors[at]!];
        const reach = studentQuantile(0.05, tests.geneDegrees[at]!);
        const expected = [
          effect,
          effect - reach * error,
          effect + reach * error,
          means[at]!,
          contrastTest!.t[at]!,
          contrastTest!.pValues[at]!,
          contrastTest!.adjusted[at]!,
        ];
        return numbers?.some((number, place) => !(Math.abs(number - expected[place]!) < 1e-9));
      });
      expect(wrong).toEqual([]);
      expect(genes.length).toBeGreaterThan(100);
      const tested = [...rows.values()].filter((numbers) => !numbers.every(Number.isNaN));
      const named = [...genes].filter((row) => dataset.genes[row]!.startsWith('GENE'));
      expect(tested).toHaveLength(named.length);
    }
  },
);

test('genes that treatment changes are found in their direction, and hardly any other', async () => {
  const answer = await compare(treated);
  const rows = rowsOf(answer).map((row) => row.split(','));
  const significant = rows.filter((row) => Number(row[7]) < 0.05 && row[7] !== '');
  expect(new Set(significant.slice(0, changed.size).map(([gene]) => gene))).toEqual(new Set(changed.keys()));
  for (const [gene, change] of changed) {
    const row = rows.find(([name]) => name === gene)!.map(Number);
    expect(Math.sign(row[1]!)).toBe(Math.sign(change));
    expect([row[2]! < row[1]!, row[1]! < row[3]!]).toEqual([true, true]);
  }
  expect(significant.length).toBeLessThan(15);
});

test('every gene has a row; those without counts enough come last with nothing but their names', async () => {
  const answer = await compare(treated);
  const lines = answer.deg_csv.split('\n');
  const heading = lines.find((line) => line.startsWith('names,'));
  expect(heading).toBe('names,logfoldchanges,ci_low,ci_high,mean_log_cpm,scores,pvals,pvals_adj');
  expect(lines.at(-2)).toBe('__proto__,,,,,,,');
  expect(answer.gene_count).toBe(dataset.genes.length);
  const [part] = answer.pseudobulk!.parts;
  expect(part!.genes_tested + part!.genes_not_tested).toBe(dataset.genes.length);
  expect(part!.genes_not_tested).toBeGreaterThan(0);
  expect(cautionOf(answer, 'genes-not-tested')?.message).toContain(`${part!.genes_tested} of 120 tested`);
  expect(cautionOf(answer, 'multiple-testing')?.numbers).toMatchObject({ tests: part!.genes_tested });
  expect(codesOf(answer)).not.toContain('cells-as-replicates');
});

test('the answer has the samples, the design and the checks of each part', async () => {
  const answer = await compare({ ...libraries, covariates: ['Age group', 'age'] });
  expect(answer.test).toBe(
    'limma-voom of pseudobulk sums, ~ side + age_group + age, 8 + 8 samples, 12 residual degrees of freedom',
  );
  expect(answer.parameters.covariates).toEqual(['age_group', 'age']);
  const [part] = answer.pseudobulk!.parts;
  expect(part).toMatchObject({
    formula: '~ side + age_group + age',
    columns: ['side', 'age_group', 'age'],
    coefficients: ['(Intercept)', 'sideA', 'age_groupold', 'age'],
    tested: [0, 1, 0, 0],
    paired: false,
    residual_df: 12,
    left_out: [],
  });
  expect(part!.samples).toHaveLength(16);
  expect(part!.samples[0]).toMatchObject({
    name: 'D1 treated',
    side: 'a',
    cells: 66,
    values: ['young', 30],
  });
  const product = part!.samples.reduce((all, { factor }) => all * factor, 1);
  expect(product).toBeCloseTo(1, 9);
  expect(part!.p_values.reduce((sum, genes) => sum + genes, 0)).toBe(part!.genes_tested);
  expect(part!.spread.points).toHaveLength(part!.genes_tested);
  const head = answer.deg_csv.split('\n').filter((line) => line.startsWith('#'));
  expect(
    head.some((line) => line.startsWith('# Design: ~ side + age_group + age, 8 samples in A and 8')),
  ).toBe(true);
  for (const { message } of answer.warnings) expect(answer.deg_csv).toContain(message);
});

describe('samples on both sides', () => {
  test('are paired unless the request declines it, and the answer reports either case', async () => {
    const paired = await compare(treated);
    expect(paired.pseudobulk!.parts[0]).toMatchObject({ formula: '~ side + donor', paired: true });
    expect(cautionOf(paired, 'samples-paired')?.message).toContain('8 pairs');
    const unpaired = await compare({ ...treated, pairing: 'none' });
    expect(unpaired.pseudobulk!.parts[0]).toMatchObject({ formula: '~ side', residual_df: 14 });
    expect(cautionOf(unpaired, 'pairs-not-used')?.numbers).toMatchObject({ samplesOfBoth: [8] });
  });

  test('leave those of one side out, by name and cells', async () => {
    const answer = await compare({
      ...treated,
      b: ofColumn('library', 'D1 control', 'D2 control', 'D3 control', 'D4 control', 'D5 control'),
    });
    const [part] = answer.pseudobulk!.parts;
    expect(part!.left_out).toEqual(
      ['D6', 'D7', 'D8'].map((name) => ({ name, side: 'a', cells: 54, reason: 'one-side-alone' })),
    );
    expect(cautionOf(answer, 'samples-paired')?.message).toContain('D6 of A (54 cells)');
  });

  test('say by a column of donors whether the difference depends on it', async () => {
    const answer = await compare({ ...treated, interaction: 'age_group' });
    const [part] = answer.pseudobulk!.parts;
    expect(part!.formula).toBe('~ side + donor + side:age_group');
    expect(rowsOf(answer)[0]).toMatch(new RegExp(`^${changedInOld},[12]\\.`));
    expect(answer.groups[0]!.higher).toBe(1);
  });
});

test('groups that cannot be tested are named with their reason, and the others are tested', async () => {
  const answer = await compare({ ...libraries, within: 'cell_type', min_sample_cells: 13 });
  expect(answer.groups.map(({ name }) => name)).toEqual(['B cell', 'T cell']);
  expect(answer.pseudobulk!.refused).toMatchObject([{ name: hostile, code: 'empty_group' }]);
  expect(cautionOf(answer, 'groups-not-testable')?.message).toBe(
    `Not tested, as fewer than 2 samples of a side (Library) have 13 cells or more: ${hostile} (0 against 0). Lower the minimum of cells per sample, or choose cells of more samples.`,
  );
  expect(answer.test).toBe('limma-voom of pseudobulk sums, ~ side, in 2 groups');
  const few = await compare({ ...libraries, within: 'cell_type' });
  expect(cautionOf(few, 'few-samples')?.numbers).toMatchObject({ groups: [hostile], samplesA: [2] });
});

test('a group such as Unknown is named in a caution where it is tested, and as not testable where it is not', async () => {
  const { body: labels } = await api.post(`/api/datasets/${id}/annotations`, {
    name: 'Mine',
    from: 'cell_type',
  });
  const change = { change: 'rename', group: hostile, name: 'Unknown' };
  await api.post(`/api/annotations/${labels.id}/changes`, { revision: labels.revision, change });
  const tested = await compare({ ...libraries, within: 'Mine' });
  expect(cautionOf(tested, 'unassigned-groups')?.message).toMatch(
    /: Unknown \(\d+\)\. They are compared like the others, though they may be cells of several kinds: leave them out\.$/,
  );
  const refused = await compare({ ...libraries, within: 'Mine', min_sample_cells: 13 });
  expect(codesOf(refused)).toContain('groups-not-testable');
  expect(codesOf(refused)).not.toContain('unassigned-groups');
});

test('a covariate that all samples of a group share is not in its model, and is named', async () => {
  const answer = await compare({ ...libraries, within: 'cell_type', covariates: ['age_group'] });
  // The donors of the rare type are all young.
  expect(answer.pseudobulk!.parts.map(({ name, formula }) => [name, formula])).toEqual([
    ['B cell', '~ side + age_group'],
    ['T cell', '~ side + age_group'],
    [hostile, '~ side'],
  ]);
  expect(cautionOf(answer, 'constant-covariates')?.numbers).toEqual({
    groups: [hostile],
    columns: ['age_group'],
  });
});

test('a covariate that pairs hold is left out by name, and the numbers are those without it', async () => {
  const answer = await compare({ ...treated, covariates: ['batch', 'age'] });
  const [part] = answer.pseudobulk!.parts;
  expect(part).toMatchObject({ formula: '~ side + donor', paired: true, columns: ['side', 'donor'] });
  const caution = cautionOf(answer, 'covariates-held-by-pairs');
  expect(caution?.message).toMatch(/^Not in the model, .* pairs .*: Batch and Age\.$/);
  expect(caution?.numbers).toEqual({ groups: [''], columns: ['batch', 'age'] });
  expect(rowsOf(answer)).toEqual(rowsOf(await compare(treated)));
  const { body: design } = await api.post('/api/deg-design', { ...treated, covariates: ['batch'] });
  expect(design.parts[0].left_out_columns).toEqual([{ column: 'batch', reason: 'held-by-pairs' }]);
});

describe('a negative binomial test', () => {
  const counted = { ...treated, method: 'negative-binomial' };

  test('has the numbers of the same sums, in blocks or at once, for each cell type', async () => {
    const answer = await compare({ ...counted, within: 'cell_type' });
    for (const [type, name] of ['B cell', 'T cell'].entries()) {
      const { counts, design } = sumsOf(type);
      const outcome = negativeBinomialTest(counts, design.design, [design.contrast]);
      if ('refusal' in outcome) throw new Error(outcome.refusal.code);
      const { genes, means, dispersions, contrasts } = outcome.result;
      const { effects, errors, statistics, pValues, adjusted } = contrasts[0]!;
      const rows = new Map(
        rowsOf(answer)
          .filter((row) => row.startsWith(`${name},`))
          .map((row) => row.split(','))
          .map(([, gene, ...numbers]) => [gene, numbers.map((text) => (text === '' ? NaN : Number(text)))]),
      );
      const named = [...genes.keys()].filter((at) => dataset.genes[genes[at]!]!.startsWith('GENE'));
      for (const at of named) {
        const [effect, error] = [effects[at]!, errors[at]!];
        const expected = [
          effect,
          effect - 1.959964 * error,
          effect + 1.959964 * error,
          means[at]!,
          dispersions.final[at]!,
          statistics[at]!,
          pValues[at]!,
          adjusted[at]!,
        ];
        const numbers = rows.get(dataset.genes[genes[at]!]!)!;
        expected.forEach((value, place) => expect(numbers[place]).toBeCloseTo(value, 5));
      }
      expect(named.length).toBeGreaterThan(100);
    }
  });

  test('says its model, its curve and how far it can be believed', async () => {
    const answer = await compare(counted);
    expect(answer.test).toBe(
      'negative binomial Wald test of pseudobulk sums, ~ side + donor, 8 + 8 samples, 7 residual degrees of freedom',
    );
    expect(answer.deg_csv).toContain(
      '\nnames,logfoldchanges,ci_low,ci_high,mean_count,dispersion,scores,pvals,pvals_adj\n',
    );
    expect(answer.deg_csv).not.toMatch(/\b(\d+) of \1 tested/);
    const [part] = answer.pseudobulk!.parts;
    expect(part).toMatchObject({ prior_df: null, spread: { measure: 'dispersion' } });
    expect(part!.dispersions!.coefficients[0]).toBeGreaterThan(0);
    // Size factors are about 1, and those of libraries that are alike are alike.
    for (const { factor } of part!.samples) expect(factor > 0.5 && factor < 2).toBe(true);
    const caution = cautionOf(answer, 'more-false-discoveries');
    expect(caution).toMatchObject({
      code: 'more-false-discoveries',
      numbers: { promised: 5, sets: 10, group: '', samplesA: 8, samplesB: 8 },
    });
    const { found, error } = caution!.numbers as { found: number; error: number };
    expect(found).toBeGreaterThan(2);
    expect(found).toBeLessThan(15);
    expect(caution!.message).toContain(
      `${found} % of the genes called were false on average (standard error ${error} %)`,
    );
    const significant = rowsOf(answer)
      .map((row) => row.split(','))
      .filter((row) => row[8] !== '' && Number(row[8]) < 0.05);
    expect(new Set(significant.slice(0, changed.size).map(([gene]) => gene))).toEqual(
      new Set(changed.keys()),
    );
    for (const { message } of answer.warnings) expect(answer.deg_csv).toContain(message);
  });

  test('has figures of its dispersions, of its means and of one gene', async () => {
    const { source } = await compare(counted);
    const draw = async (content: object) => {
      const { status, body } = await api.post('/api/render-figure', {
        source: { ...source, content: { ...source!.content, ...content } },
        format: 'json',
      });
      expect(status).toBe(200);
      return body;
    };
    expect(await draw({ kind: 'mean-variance' })).toMatchObject({ measure: 'dispersion' });
    expect((await draw({ kind: 'ma-plot' })).meanTitle).toContain('log2 mean count');
    expect(await draw({ kind: 'sample-dots', gene: 'GENE1' })).toMatchObject({ kind: 'sample-dots' });
  });
});

describe('a quasi-likelihood test', () => {
  const quasi = { ...treated, method: 'quasi-likelihood' };

  test('has the numbers of the same sums, in blocks or at once, for each cell type', async () => {
    const answer = await compare({ ...quasi, within: 'cell_type' });
    for (const [type, name] of ['B cell', 'T cell'].entries()) {
      const { counts, design } = sumsOf(type);
      const outcome = quasiLikelihoodTest(counts, design.design, [design.contrast]);
      if ('refusal' in outcome) throw new Error(outcome.refusal.code);
      const { genes, means, totalDegrees, contrasts } = outcome.result;
      const { effects, standardErrors, f, pValues, adjusted } = contrasts[0]!;
      const rows = new Map(
        rowsOf(answer)
          .filter((row) => row.startsWith(`${name},`))
          .map((row) => row.split(','))
          .map(([, gene, ...numbers]) => [gene, numbers.map(Number)]),
      );
      const named = [...genes.keys()].filter((at) => dataset.genes[genes[at]!]!.startsWith('GENE'));
      for (const at of named) {
        const effect = effects[at]!;
        const reach = studentQuantile(0.05, totalDegrees[at]!) * standardErrors[at]!;
        const score = Math.sign(effect) * Math.sqrt(f[at]!);
        const expected = [
          effect,
          effect - reach,
          effect + reach,
          means[at]!,
          score,
          pValues[at]!,
          adjusted[at]!,
        ];
        const numbers = rows.get(dataset.genes[genes[at]!]!)!;
        expected.forEach((value, place) => expect(numbers[place]).toBeCloseTo(value, 5));
      }
      expect(named.length).toBeGreaterThan(100);
    }
  });

  test('says its model and its prior, and finds what treatment changes', async () => {
    const answer = await compare(quasi);
    expect(answer.test).toBe(
      'quasi-likelihood F test of pseudobulk sums, ~ side + donor, 8 + 8 samples, 7 residual degrees of freedom',
    );
    expect(answer.deg_csv).toContain('F tests (glmQLFTest), as edgeR has them');
    expect(answer.deg_csv).toContain(
      '\nnames,logfoldchanges,ci_low,ci_high,mean_log_cpm,scores,pvals,pvals_adj\n',
    );
    const [part] = answer.pseudobulk!.parts;
    expect(part).toMatchObject({ dispersions: null, spread: { measure: 'quasi-dispersion' } });
    expect(part!.prior_df).toBeGreaterThan(0);
    expect(answer.warnings.map(({ code }) => code)).not.toContain('more-false-discoveries');
    const significant = rowsOf(answer)
      .map((row) => row.split(','))
      .filter((row) => row[7] !== '' && Number(row[7]) < 0.05);
    expect(new Set(significant.slice(0, changed.size).map(([gene]) => gene))).toEqual(
      new Set(changed.keys()),
    );
  });

  test('has figures of its dispersions and of its means', async () => {
    const { source } = await compare(quasi);
    const draw = async (content: object) => {
      const { body } = await api.post('/api/render-figure', {
        source: { ...source, content: { ...source!.content, ...content } },
        format: 'json',
      });
      return body;
    };
    const spread = await draw({ kind: 'mean-variance' });
    expect(spread).toMatchObject({ measure: 'quasi-dispersion' });
    expect((await draw({ kind: 'ma-plot' })).meanTitle).toContain('average counts per million');
  });
});

test('genes are drawn as dots by the sides, within each category or in one', async () => {
  const { source } = await compare({ ...treated, within: 'cell_type' });
  const draw = async (content: object) => {
    const { body } = await api.post('/api/render-figure', {
      source: {
        ...source,
        content: { ...source!.content, kind: 'compared-dots', genes: ['GENE1', 'GENE2'], ...content },
      },
      format: 'json',
    });
    return body;
  };
  const one = await draw({ part: 'T cell' });
  const cells = dataset.cells.filter(({ type, condition }) => type === 1 && condition === 1).length;
  expect(one.groups).toEqual([
    { label: 'A', cells },
    { label: 'B', cells },
  ]);
  expect(one.genes.map(({ symbol }: { symbol: string }) => symbol)).toEqual(['GENE1', 'GENE2']);
  expect(one.summary).toContain('A: treated, B: control');
  // Treatment raises both.
  expect(one.mean[0]).toBeGreaterThan(one.mean[2]);
  const all = await draw({});
  expect(all.groups.map(({ label }: { label: string }) => label)).toContain('B cell · A');
  expect(all.groups).toHaveLength(6);
  expect((await draw({ part: 'none' })).code).toBe('group_not_compared');
});

test('columns of batches that have no batch of both sides are named, unless they are what is compared', async () => {
  expect(cautionOf(await compare(treated), 'batch-confounded')).toMatchObject({
    message: expect.stringContaining('No batch has cells of both A and B, by Chip (1 in A, 1 in B)'),
    numbers: { columns: ['chip'], batchesA: [1], batchesB: [1] },
  });
  const chips = { a: ofColumn('chip', 'c1'), b: ofColumn('chip', 'c2'), method: 'wilcoxon' };
  expect(codesOf(await compare(chips))).not.toContain('batch-confounded');
});

test('samples of too few cells are left out by name', async () => {
  await api.post('/api/filter-active-dataset', {
    subset_group_name: 'most',
    patient_metadata_filter: true,
    patient_metadata: { donor: ['D1', 'D2', 'D3'], cell_type: [hostile, 'T cell'] },
  });
  const answer = await compare({ ...libraries, min_sample_cells: 30 });
  await api.post('/api/filter-active-dataset', { subset_group_name: 'Default' });
  expect(answer.pseudobulk!.parts[0]!.left_out).toEqual([
    { name: 'D3 treated', side: 'a', cells: 24, reason: 'few-cells' },
    { name: 'D3 control', side: 'b', cells: 24, reason: 'few-cells' },
  ]);
  expect(cautionOf(answer, 'samples-left-out')?.message).toContain('D3 treated of A (24 cells)');
});

test('figures of the samples are drawn from the source of the volcano plot', async () => {
  const answer = await compare({ ...treated, within: 'cell_type' });
  expect(answer.figure).toMatchObject({ kind: 'volcano' });
  const response = await api.post('/api/render-figure', {
    source: { ...answer.source, content: { ...answer.source!.content, part: 'T cell' } },
    format: 'json',
  });
  expect(response.body.subtitle).toContain('limma-voom of pseudobulk sums, ~ side + donor, 8 + 8 samples');
});

test('a preview reports a design before it runs, with what it would leave out, as the result does', async () => {
  const request = { ...treated, within: 'cell_type', covariates: ['chip'], pairing: 'none' };
  const refused = await api.post('/api/deg-design', request);
  expect([refused.status, refused.body.code]).toEqual([422, 'groups_not_testable']);
  const { body: design } = await api.post('/api/deg-design', {
    ...libraries,
    within: 'cell_type',
    min_sample_cells: 13,
  });
  expect(design.refused).toMatchObject([{ name: hostile, code: 'empty_group' }]);
  const run = await compare({ ...libraries, within: 'cell_type', min_sample_cells: 13 });
  expect(design.parts).toMatchObject(
    run.pseudobulk!.parts.map(({ name, formula, residual_df, left_out }) => ({
      name,
      formula,
      residual_df,
      left_out,
      samples_a: 8,
      samples_b: 8,
    })),
  );
});

test('tests of cells offer samples as replicates where these and raw counts are there', async () => {
  const cells = await compare({ ...treated, method: 'wilcoxon' });
  expect(cells).toMatchObject({ pseudobulk: null, pseudobulk_offered: true });
  expect(cautionOf(cells, 'cells-as-replicates')?.message).toMatch(/Use pseudobulk\.$/);
});

test.each([
  ['an unknown covariate', { ...treated, covariates: ['gone'] }, 400, 'unknown_column', '"gone"'],
  [
    'a column that differs between cells of a sample',
    { ...treated, covariates: ['run'] },
    422,
    'varying_column',
    '"Run" differs between cells of sample D1 on side',
  ],
  [
    'a covariate that is the comparison',
    { ...libraries, covariates: ['chip'] },
    422,
    'confounded',
    'A against B and "Chip"',
  ],
  [
    'a covariate that some lack',
    { ...libraries, covariates: ['partial'] },
    422,
    'missing_values',
    'no value for samples D1 treated, D1 control',
  ],
  [
    'an interaction of three labels',
    { ...treated, interaction: 'third' },
    422,
    'interaction_levels',
    'has 3 (x, y, z)',
  ],
  [
    'one sample a side',
    { a: ofColumn('library', 'D1 treated'), b: ofColumn('library', 'D2 control'), method: 'pseudobulk' },
    422,
    'no_replicates',
    'A ("D1 treated") has 1 sample',
  ],
  [
    'samples of too few cells',
    { ...libraries, min_sample_cells: 1000 },
    422,
    'empty_group',
    'has 0 samples with at least 1,000 cells',
  ],
  [
    'pairs where there are none',
    { ...libraries, pairing: 'by-sample' },
    422,
    'empty_group',
    'no sample has sums',
  ],
  [
    'no group with samples enough',
    { ...libraries, within: 'cell_type', min_sample_cells: 1000 },
    422,
    'groups_not_testable',
    ': A ("treated") has 0 samples',
  ],
  [
    'as many coefficients as samples',
    {
      a: ofColumn('library', 'D1 treated', 'D3 treated'),
      b: ofColumn('library', 'D2 control', 'D5 control'),
      samples: 'library',
      method: 'pseudobulk',
      covariates: ['age_group', 'age'],
    },
    422,
    'no_residual_df',
    '4 sums of samples are too few for the 4 coefficients of the design',
  ],
])('%s is refused, with what to do', async (_what, body, status, code, expectedMessage) => {
  const answer = await api.post(path, body);
  expect([answer.status, answer.body.code]).toEqual([status, code]);
  expect(answer.body.message).toContain(expectedMessage);
});

test('a dataset without raw counts says so, and one without samples asks for their column', async () => {
  const types = { a: ofColumn('cell_type', 'B cell'), b: ofColumn('cell_type', 'T cell') };
  const refused = await plain.post(path, { ...types, method: 'pseudobulk', samples: 'patient' });
  expect([refused.status, refused.body.code]).toEqual([422, 'no_raw_counts']);
  expect(refused.body.message).toContain('Wilcoxon');
  const { body: analysis } = await plain.get('/api/dataset_analysis/no-counts.h5ad');
  expect(analysis.raw_counts).toBe(false);
});
