import { type ComparisonAnswer, scanpyCellTest } from '@cellfolio/contract';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AnalysisDataset, hostile, writeAnalysisDataset } from '../../testing/analysis-dataset.ts';
import { apiClient } from '../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../testing/shared-server.ts';
import { comparisonAnswer } from '../gene-comparisons/testing/comparison-answer.ts';

const id = 'analysis.h5ad';
const path = '/api/perform-deg-analysis';
let server: SharedServer;
let dataset: AnalysisDataset;
let api: ReturnType<typeof apiClient>;
let eve: ReturnType<typeof apiClient>;

beforeAll(async () => {
  server = await shareTestServer(async ({ objectRoot }) => {
    dataset = await writeAnalysisDataset(objectRoot, id);
  });
  api = apiClient(server, await server.signIn('standard'), 'comparisons');
  eve = apiClient(server, await server.signIn('professional'), 'eve');
  for (const one of [api, eve]) await one.get(`/api/dataset_analysis/${id}`);
});
beforeEach(() => api.post('/api/filter-active-dataset', { subset_group_name: 'Default' }));

const ofColumn = (field: string, ...values: string[]) => ({
  name: values.join(' or '),
  filter: {
    subset_group_name: 'Group',
    patient_metadata_filter: true,
    patient_metadata: { [field]: values },
  },
});
const ofGene = (presence: 'positive' | 'negative') => ({
  name: `GENE1 ${presence}`,
  filter: { subset_group_name: 'x', gene_filter: true, gene: { name: 'GENE1', presence } },
});
const bCells = ofColumn('cell_type', 'B cell');
const tCells = ofColumn('cell_type', 'T cell');

async function compare(body: object): Promise<ComparisonAnswer> {
  const { status, body: answer } = await api.post(path, body);
  expect([status, answer.message]).toEqual([200, undefined]);
  return comparisonAnswer.parse(answer);
}
const linesOf = ({ deg_csv: csv }: ComparisonAnswer) =>
  csv.split('\n').filter((line) => !line.startsWith('#'));
const headOf = ({ deg_csv: csv }: ComparisonAnswer) => csv.split('\n').filter((line) => line.startsWith('#'));
const codesOf = ({ warnings }: ComparisonAnswer) => warnings.map(({ code }) => code);

test('the table has every gene once, the surest first, and the markers of each side in its direction', async () => {
  const answer = await compare({ a: bCells, b: tCells });
  const [heading, ...rows] = linesOf(answer).filter((line) => !line.startsWith('break"') && line !== '');
  expect(heading).toBe('names,scores,logfoldchanges,pvals,pvals_adj,pct_nz_a,pct_nz_b,mean_a,mean_b,auc');
  expect(rows).toHaveLength(dataset.genes.length);
  const cells = rows.filter((line) => line.startsWith('GENE')).map((line) => line.split(','));
  const ps = cells.map((row) => Number(row[3]));
  expect(ps).toEqual(ps.toSorted((one, other) => one - other));
  const best = cells.slice(0, 20);
  for (const [gene, score, change, , , inA, inB, meanA, meanB, auc] of best) {
    const isOfB = Number(gene!.slice(4)) <= 10;
    expect([Number(score) > 0, Number(change) > 0, Number(auc) > 0.5]).toEqual([isOfB, isOfB, isOfB]);
    expect([Number(inA) > Number(inB), Number(meanA) > Number(meanB)]).toEqual([isOfB, isOfB]);
  }
  const differing = (direction: number) =>
    rows
      .map((line) => line.split(',').slice(-9).map(Number))
      .filter(([, change, , p]) => p! < 0.05 && direction * change! >= 1).length;
  const significant = { higher: differing(1), lower: differing(-1) };
  expect(Math.min(significant.higher, significant.lower)).toBeGreaterThanOrEqual(10);
  expect(answer).toMatchObject({
    a: { name: 'B cell', cells: 80 },
    b: { name: 'T cell', cells: 80 },
    groups: [{ name: '', cells_a: 80, cells_b: 80, ...significant, few_cells: false }],
    samples: null,
    gene_count: 100,
  });
});

test('a mean is over all cells of its side, those without expression too', async () => {
  const [, ...rows] = linesOf(await compare({ a: bCells, b: tCells, method: 't-test' }));
  const row = rows.find((line) => line.startsWith('GENE1,'))!.split(',');
  const values = dataset.expression[0]!.subarray(0, 80);
  const mean = values.reduce((sum, value) => sum + value, 0) / 80;
  expect(Number(row[7])).toBeCloseTo(mean, 12);
  expect(Number(row[5])).toBeCloseTo(values.filter((value) => value > 0).length / 80, 12);
  // A t-test has no area under a curve.
  expect(row).toHaveLength(9);
});

test('without B it is the rest of the active cells, named by their number, of the active subset alone', async () => {
  const whole = await compare({ a: bCells });
  expect([whole.a.cells, whole.b]).toEqual([80, { name: 'the other 160 active cells', cells: 160 }]);
  expect(whole.figure!.title).toBe('B cell against the other 160 active cells');
  expect(headOf(whole).join('\n')).toContain('B: the other 160 active cells\n');
  await api.post('/api/filter-active-dataset', {
    subset_group_name: 'two',
    cell_type_filter: true,
    cell_type: ['B cell', 'T cell'],
  });
  const part = await compare({ a: ofColumn('leiden', '0') });
  expect([part.a.cells, part.b.cells]).toEqual([40, 120]);
  expect(headOf(part)[0]).toContain('active subset two');
  // As the list of analyses runs one again: on the cells of then.
  const again = await compare({ a: ofColumn('leiden', '0'), cells: {} });
  expect([again.a.cells, again.b.cells]).toEqual([60, 180]);
});

test('within the categories of a column each has its own table, that of the category as the active subset', async () => {
  const sides = { a: ofColumn('leiden', '0', '1'), b: ofColumn('leiden', '2', '3') };
  const within = await compare({ ...sides, within: 'cell_type' });
  expect(within.groups.map(({ name, cells_a: a, cells_b: b }) => [name, a, b])).toEqual([
    ['B cell', 40, 40],
    [hostile, 40, 40],
    ['T cell', 40, 40],
  ]);
  await api.post('/api/filter-active-dataset', {
    subset_group_name: 'T',
    cell_type_filter: true,
    cell_type: ['T cell'],
  });
  const alone = linesOf(await compare(sides)).filter((line) => line.startsWith('GENE'));
  const rows = linesOf(within).filter((line) => line.startsWith('T cell,GENE'));
  expect(rows.map((line) => line.slice('T cell,'.length))).toEqual(alone);
});

test('groups with too few cells of a side are left out, and a caution names them', async () => {
  const answer = await compare({
    a: ofColumn('patient', 'P1'),
    b: ofColumn('patient', 'P2'),
    within: 'some',
  });
  expect(answer.groups.map(({ name }) => name)).toEqual(['first', 'second']);
  expect(answer.warnings.find(({ code }) => code === 'groups-left-out')?.numbers).toMatchObject({
    minimumCells: 3,
    groups: ['lone'],
  });
});

describe('cautions', () => {
  test('say that clusters were formed by the expression that is tested, and that selections were', async () => {
    const answer = await compare({ a: ofColumn('leiden', '0'), b: ofColumn('leiden', '1') });
    const own = answer.warnings.find(({ code }) => code === 'clusters-tested-on-own-data');
    expect(own?.numbers).toEqual({ sides: ['A', 'B'] });
    const filtered = await compare({ a: ofGene('positive'), b: ofGene('negative') });
    expect(codesOf(filtered)).toContain('filter-tested-on-own-data');
    expect(codesOf(filtered)).not.toContain('clusters-tested-on-own-data');
  });

  test('count the samples of each side, and say where sample and side cannot be distinguished', async () => {
    const patients = { a: ofColumn('patient', 'P1'), b: ofColumn('patient', 'P2', 'P3'), samples: 'patient' };
    const confounded = await compare(patients);
    expect(confounded.samples).toMatchObject({ column: 'patient', a: 1, b: 2, both: 0 });
    expect(codesOf(confounded)[0]).toBe('sample-confounded');
    // It says that p-values are too small, and more.
    expect(codesOf(confounded)).not.toContain('cells-as-replicates');
    expect(confounded.warnings[0]!.numbers).toMatchObject({ samplesA: 1, samplesB: 2, samplesOfBoth: 0 });
    const shared = await compare({ a: bCells, b: tCells, samples: 'patient' });
    expect(shared.samples).toMatchObject({ a: 3, b: 3, both: 3 });
    expect(codesOf(shared)).not.toContain('sample-confounded');
    const replicates = shared.warnings.find(({ code }) => code === 'cells-as-replicates')!;
    expect(replicates.message).toMatch(
      /Between samples, \d+ of the first [\d,]+ genes ha(s|ve) p < 0\.05, \d+ adjusted, by /,
    );
    const { checked, testable, kept, keptAdjusted } = replicates.numbers as Record<string, number>;
    expect(checked).toBeGreaterThan(0);
    expect(testable).toBe(checked);
    expect(kept).toBeLessThanOrEqual(testable!);
    expect(keptAdjusted).toBeLessThanOrEqual(kept!);
    const unknown = await compare({ a: bCells, b: tCells });
    expect(unknown.warnings[0]).toMatchObject({
      code: 'cells-as-replicates',
      numbers: { cellsA: 80, cellsB: 80 },
    });
  });

  test('say how many tests were made, and mark few cells', async () => {
    const answer = await compare({ a: ofColumn('cell_type', 'B cell'), b: tCells, within: 'leiden' });
    const testing = answer.facts.find(({ code }) => code === 'multiple-testing');
    expect(testing?.numbers).toMatchObject({ tests: 400, genes: 100, groups: 4 });
    await api.post('/api/filter-active-dataset', {
      subset_group_name: 'few',
      patient_metadata_filter: true,
      patient_metadata: { patient: ['P1'], leiden: ['0'] },
    });
    const few = await compare({ a: bCells, b: tCells });
    expect(few.groups[0]).toMatchObject({ cells_a: 7, few_cells: true });
    expect(few.warnings.find(({ code }) => code === 'few-cells')?.numbers).toMatchObject({ cellsA: [7] });
  });
});

test('the file says what was compared, and hostile names stay text in it', async () => {
  const answer = await compare({ a: ofColumn('cell_type', hostile), b: tCells });
  const head = headOf(answer);
  expect(head[0]).toBe(`# Data: Analysis (${id}), version ${dataset.manifest.version}; all cells`);
  expect(head[2]).toBe(`# A: ${hostile}, 80 cells; B: T cell, 80 cells`);
  for (const { message } of answer.warnings) expect(answer.deg_csv).toContain(message);
  const { body: svg } = await api.post('/api/render-figure', { source: answer.source, format: 'svg' });
  expect(Buffer.from(svg).toString()).not.toContain('<script>alert');
  expect(answer.deg_csv).toContain("\n'=cmd|calc,");
});

test('ties are corrected for and a pseudocount of 1 is added, by default; as scanpy, neither is kept for the other', async () => {
  const sides = { a: bCells, b: tCells };
  const answer = await compare(sides);
  expect(answer.parameters).toMatchObject({ tie_correct: true, pseudocount: 1, sparse_genes: 'exact' });
  expect(headOf(answer).join('\n')).toMatch(
    /test of cells, corrected for ties \(genes with fewer than 10 expressing cells expected[^]*a pseudocount of 1 added to both;/,
  );
  const asScanpy = await compare({ ...sides, ...scanpyCellTest });
  expect(headOf(asScanpy).join('\n')).toMatch(
    /not corrected for ties, as scanpy by default[^]*a pseudocount of 1e-9 added to both, as scanpy;/,
  );
  const numbersOf = (of: ComparisonAnswer) => linesOf(of).map((line) => line.split(',').slice(0, 3));
  expect(numbersOf(asScanpy)).not.toEqual(numbersOf(answer));
  // Each parameter by itself is another question.
  const [, corrected] = numbersOf(await compare({ ...sides, ...scanpyCellTest, tie_correct: true }));
  const row = (of: ComparisonAnswer) => numbersOf(of).find(([gene]) => gene === corrected![0])!;
  expect(corrected![1]).toBe(row(answer)[1]);
  expect(corrected![2]).toBe(row(asScanpy)[2]);
});

test('a volcano plot is drawn again from its source, also of another group, with the requested genes', async () => {
  const { source, figure } = await compare({ a: bCells, b: tCells, within: 'leiden' });
  const draw = (content: object) =>
    api.post('/api/render-figure', { source: { ...source, content }, format: 'json' });
  expect((await draw(source!.content)).body).toMatchObject(JSON.parse(JSON.stringify(figure)));
  const other = await draw({ ...source!.content, part: '3', genes: ['GENE50'] });
  expect(other.body.subtitle).toContain('3 · Wilcoxon');
  expect(other.body.named.map(({ gene }: { gene: string }) => gene)).toEqual(['GENE50']);
  expect((await draw({ ...source!.content, part: 'none' })).body.code).toBe('group_not_compared');
});

test('other thresholds and other figures of a comparison are drawn from its tables', async () => {
  const answer = await compare({ a: bCells, b: tCells });
  const { source } = answer;
  const [header = '', ...lines] = linesOf(answer).filter((line) => line !== '');
  const rows = lines.map(
    (line) => new Map(line.split(',').map((field, place) => [header.split(',')[place]!, field] as const)),
  );
  const draw = async (content: object) => {
    const { body } = await api.post('/api/render-figure', {
      source: { ...source, content: { ...source!.content, ...content } },
      format: 'json',
    });
    return body;
  };
  const thresholds = { pvals_adj: 1e-6, logfoldchanges: 2 };
  const significantCount = (sign: number) =>
    rows.filter(
      (row) =>
        Number(row.get('pvals_adj')) < thresholds.pvals_adj &&
        sign * Number(row.get('logfoldchanges')) >= thresholds.logfoldchanges,
    ).length;
  expect(significantCount(1)).toBeGreaterThan(0);
  for (const kind of ['volcano', 'ma-plot', 'rank-plot']) {
    const figure = await draw({ kind, thresholds });
    expect([figure.kind, figure.higher, figure.lower]).toEqual([
      kind,
      significantCount(1),
      significantCount(-1),
    ]);
  }
  const [first] = rows;
  const gene = first!.get('names')!;
  const { named } = await draw({ kind: 'ma-plot', genes: [gene] });
  expect(named[0].mean).toBeCloseTo((Number(first!.get('mean_a')) + Number(first!.get('mean_b'))) / 2, 6);
  const ranked = await draw({ kind: 'rank-plot', genes: [gene] });
  expect(ranked.named[0].statistic).toBeCloseTo(Number(first!.get('scores')), 6);
});

test.each([
  [
    'sets that share cells',
    { a: bCells, b: ofColumn('leiden', '0') },
    422,
    'sets_overlap',
    '20 active cells are in both',
  ],
  [
    'all cells, which leave no other',
    { a: { name: 'all', filter: { subset_group_name: 'Default' } } },
    422,
    'too_few_cells',
    '240 are in "all" and 0 in the rest',
  ],
  [
    'too few cells',
    { a: ofColumn('single', 'one'), b: tCells, method: 't-test' },
    422,
    'too_few_cells',
    'at least 3 cells on each side',
  ],
  [
    'groups that part the sides',
    { a: bCells, b: tCells, within: 'cell_type' },
    422,
    'too_few_cells',
    'no group of "cell_type" has 3 of both',
  ],
  [
    'samples that are numbers',
    { a: bCells, b: tCells, samples: 'depth' },
    400,
    'not_categorical',
    'holds numbers',
  ],
])('%s cannot be compared, with the reason', async (_what, body, status, code, expectedMessage) => {
  const answer = await api.post(path, body);
  expect([answer.status, answer.body.code]).toEqual([status, code]);
  expect(answer.body.message).toContain(expectedMessage);
});

test('a set of one’s own labels is compared by their user, and is unknown to others', async () => {
  const { body: labels } = await api.post(`/api/datasets/${id}/annotations`, {
    name: 'mine',
    from: 'cell_type',
  });
  expect(labels.groups).toHaveLength(3);
  const question = { a: ofColumn('mine', 'B cell'), b: ofColumn('mine', 'T cell') };
  const { source, a } = await compare(question);
  expect(a.cells).toBe(80);
  const refused = await eve.post(path, question);
  expect([refused.status, refused.body.code]).toEqual([400, 'unknown_field']);
  expect((await eve.post('/api/render-figure', { source, format: 'json' })).status).toBe(404);
  expect((await api.post('/api/render-figure', { source, format: 'json' })).status).toBe(200);
});
