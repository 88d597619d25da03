import { deciles, type EndsRecord } from '@cellfolio/analyses';
import { analysisCall, type ComparisonAnswer } from '@cellfolio/contract';
import { parse } from 'csv-parse/sync';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { writeAnalysisDataset } from '../../testing/analysis-dataset.ts';
import { apiClient } from '../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../testing/shared-server.ts';
import {
  donorCount,
  type DonorsDataset,
  writeDonorsDataset,
} from '../gene-comparisons/testing/donors-dataset.ts';

type DecileAnswer = ComparisonAnswer & { ends: EndsRecord };

const { path } = deciles;
let server: SharedServer;
let dataset: DonorsDataset;
let api: ReturnType<typeof apiClient>;
let plain: ReturnType<typeof apiClient>;

beforeAll(async () => {
  server = await shareTestServer(async ({ objectRoot }) => {
    dataset = await writeDonorsDataset(objectRoot, 'donors.h5ad');
    await writeAnalysisDataset(objectRoot, 'no-counts.h5ad');
  });
  api = apiClient(server, await server.signIn('standard'), 'ends');
  plain = apiClient(server, await server.signIn('standard'), 'plain');
  await api.get('/api/dataset_analysis/donors.h5ad');
  await plain.get('/api/dataset_analysis/no-counts.h5ad');
});
beforeEach(() => api.post('/api/filter-active-dataset', { subset_group_name: 'Default' }));

const byGene = (gene: string) => ({ by: { of: 'gene', gene }, share: 20 });

async function profile(body: object, client = api): Promise<DecileAnswer> {
  const { status, body: answer } = await client.post(path, body);
  expect([status, answer.message]).toEqual([200, undefined]);
  return analysisCall(deciles).answer.parse(answer) as unknown as DecileAnswer;
}
const rowsOf = ({ deg_csv: csv }: DecileAnswer): Record<string, string>[] =>
  parse(csv, { columns: true, comment: '#', comment_no_infix: true });
const codesOf = ({ warnings, facts }: DecileAnswer) => [...warnings, ...facts].map(({ code }) => code);
const cautionOf = ({ warnings, facts }: DecileAnswer, code: string) =>
  [...warnings, ...facts].find((caution) => caution.code === code);

function valuesOf(gene: string): Float32Array {
  const totals = new Float64Array(dataset.cells.length);
  for (const counts of dataset.counts) counts.forEach((count, cell) => (totals[cell]! += count));
  const counts = dataset.counts[dataset.genes.indexOf(gene)]!;
  return Float32Array.from(counts, (count, cell) => Math.log1p((1e4 * count) / totals[cell]!));
}

describe('by a gene, within donors', () => {
  test('ends are those of sorting each donor by itself, and are compared as pairs of donors', async () => {
    const answer = await profile(byGene('GENE1'));
    const values = valuesOf('GENE1');
    for (const { name, cells, high, low, high_from: from, low_to: to } of answer.ends.samples) {
      const own = [...dataset.cells.keys()].filter((cell) => `D${dataset.cells[cell]!.donor + 1}` === name);
      const rising = own.map((cell) => values[cell]!).toSorted((one, other) => one - other);
      const endSize = Math.floor(own.length / 5);
      expect(cells).toBe(own.length);
      expect([to, from]).toEqual([rising[endSize - 1], rising.at(-endSize)]);
      expect(high).toBe(rising.filter((value) => value >= from!).length);
      expect(low).toBe(rising.filter((value) => value <= to!).length);
    }
    expect(answer.ends.samples).toHaveLength(donorCount);
    expect(answer.ends.left_out).toEqual([]);
    expect(answer.parameters).toMatchObject({ method: 'pseudobulk', pairing: 'by-sample' });
    expect(answer.pseudobulk!.parts[0]).toMatchObject({ paired: true, samples_of_both: donorCount });
    expect(answer.test).toContain('~ side + donor');
    expect([answer.a.cells, answer.b.cells]).toEqual([answer.ends.high.cells, answer.ends.low.cells]);
    expect(answer.a.name).toBe('Highest 20 % of GENE1');
  });

  test('the gene itself is in the table without a test, and genes that go with it differ in their direction', async () => {
    const answer = await profile(byGene('GENE1'));
    const rows = new Map(rowsOf(answer).map((row) => [row['names']!, row]));
    expect(rows.size).toBe(dataset.genes.length);
    expect(rows.get('GENE1')).toMatchObject({ pvals: '', logfoldchanges: '', not_tested: 'chose the cells' });
    expect(answer.ends.untested).toEqual(['GENE1']);
    for (const [gene, sign] of [
      ['GENE2', 1],
      ['GENE3', 1],
      ['GENE4', -1],
      ['GENE5', -1],
    ] as const) {
      const row = rows.get(gene)!;
      expect(Number(row['pvals_adj'])).toBeLessThan(0.05);
      expect(Math.sign(Number(row['logfoldchanges']))).toBe(sign);
      expect(row['not_tested']).toBe('');
    }
    const untested = [...rows.values()].filter(({ not_tested: reason }) => reason !== '');
    expect(untested.every(({ pvals }) => pvals === '')).toBe(true);
    expect(answer.deg_csv).toContain('# Not tested, as they chose the cells: GENE1\n');
    expect(answer.deg_csv).toMatch(/^# Ends: A, the highest, \d+ cells, /m);
    expect(codesOf(answer)).toContain('ends-by-ranking');
    expect(answer.ends.composition).toMatchObject({ column: 'cell_type', unlabelled: { high: 0, low: 0 } });
  });

  test('a part of the cells is ranked by itself', async () => {
    const { status } = await api.post('/api/filter-active-dataset', {
      subset_group_name: 'T',
      cell_type_filter: true,
      cell_type: ['T cell'],
    });
    expect(status).toBe(200);
    const answer = await profile({ ...byGene('GENE1'), share: 25 });
    expect(answer.ends.samples.map(({ cells }) => cells)).toEqual(new Array<number>(donorCount).fill(48));
    expect(answer.ends.composition!.groups.map(({ name }) => name)).toEqual(['T cell']);
    expect(answer.ends.composition!.distance).toBe(0);
  });

  test('samples with too few cells in an end are left out and named; where fewer than two are left it is refused', async () => {
    const body = { ...byGene('GENE1'), min_sample_cells: 24 };
    const answer = await profile(body);
    const left = answer.ends.left_out.map(({ name }) => name);
    // Two donors have more cells than the others.
    expect(left.length).toBeGreaterThan(0);
    expect(left).not.toContain('D1');
    expect(answer.ends.samples.length + left.length).toBe(donorCount);
    expect(cautionOf(answer, 'samples-without-ends')!.message).toContain(left[0]);
    const { status, body: refusal } = await api.post(path, { ...byGene('GENE1'), min_sample_cells: 200 });
    expect([status, refusal.code]).toEqual([422, 'too_few_cells']);
    expect(refusal.message).toContain('no sample (Donor) has at least 200 cells');
  });

  test('tests of cells keep the gene out as well, and adjust the p-values of the others for their number', async () => {
    const answer = await profile({ ...byGene('GENE1'), method: 'wilcoxon' });
    expect(answer.pseudobulk).toBeNull();
    expect(answer.pseudobulk_offered).toBe(true);
    expect(codesOf(answer)).toContain('cells-as-replicates');
    const rows = rowsOf(answer);
    expect(rows).toHaveLength(dataset.genes.length);
    expect(rows.at(-1)).toMatchObject({
      names: 'GENE1',
      scores: '',
      pvals_adj: '',
      not_tested: 'chose the cells',
    });
    const tested = rows.slice(0, -1);
    const last = tested.at(-1)!;
    expect(Number(last['pvals_adj'])).toBeCloseTo(Number(last['pvals']), 12);
    const first = tested[0]!;
    expect(Number(first['pvals_adj'])).toBeLessThanOrEqual(
      Number(first['pvals']) * tested.length * (1 + 1e-9),
    );
    expect(cautionOf(answer, 'multiple-testing')!.numbers).toMatchObject({ genes: tested.length });
  });
});

test('all genes of a signature are left out, and a caution reports how few they are', async () => {
  const by = { of: 'signature', score_name: 'Two', genes: ['GENE1', 'GENE2'] };
  const answer = await profile({ by, share: 20 });
  expect(answer.ends.untested).toEqual(['GENE1', 'GENE2']);
  expect(codesOf(answer)).toContain('few-genes');
  const untested = rowsOf(answer).filter(({ not_tested: reason }) => reason === 'chose the cells');
  expect(untested.map(({ names }) => names).toSorted()).toEqual(['GENE1', 'GENE2']);
  expect(answer.ends.ranked_by).toContain('the score of Two');
});

test('without samples all cells are ranked together and tested as cells, which one warning says', async () => {
  const answer = await profile({ by: { of: 'gene', gene: 'GENE1' } }, plain);
  expect(answer.parameters.method).toBe('wilcoxon');
  expect(codesOf(answer)).toContain('ranked-over-all-cells');
  expect(codesOf(answer)).not.toContain('cells-as-replicates');
  expect(answer.ends.samples).toHaveLength(1);
});

test.each([
  [{ of: 'gene', gene: 'NOPE' }, 400, 'gene_not_found', 'no gene'],
  [{ of: 'column', column: 'nope' }, 400, 'unknown_column', 'no column'],
  [{ of: 'column', column: 'condition' }, 400, 'not_numeric', 'holds labels'],
  [{ of: 'column', column: 'age' }, 422, 'too_few_cells', 'the same value of "Age" within their sample'],
  [{ of: 'cell-state', cell_state: 'NOPE' }, 400, 'unknown_cell_state', 'no cell state'],
])('%j is refused with %i %s', async (by, status, error, words) => {
  const { status: actualStatus, body } = await api.post(path, { by });
  expect([actualStatus, body.code]).toEqual([status, error]);
  expect(body.message).toContain(words);
});

test.each([0, 51, 'ten'])('a share of %s is refused', async (share) => {
  const { status, body } = await api.post(path, { ...byGene('GENE1'), share });
  expect([status, body.code]).toEqual([400, 'invalid_request']);
});

test.each([
  'volcano',
  'ma-plot',
  'sample-heatmap',
  'sample-map',
  'sample-dots',
  'end-distribution',
  'end-composition',
])('the figure %s is drawn from its source alone', async (kind) => {
  const { source } = await profile(byGene('GENE1'));
  const {
    ends,
    samples,
    min_sample_cells: minSampleCells,
    ...rest
  } = source!.content as never as Record<string, object>;
  const content = kind.startsWith('end-')
    ? { kind, ...ends, samples, min_sample_cells: minSampleCells }
    : {
        ...rest,
        ends,
        samples,
        min_sample_cells: minSampleCells,
        kind,
        ...(kind === 'sample-dots' && { gene: 'GENE2' }),
      };
  const { status, body } = await api.post('/api/render-figure', {
    source: { ...source, content },
    format: 'svg',
  });
  expect(status).toBe(200);
  const svg = new TextDecoder().decode(body);
  expect(svg).toContain('<svg');
  expect(svg).not.toMatch(/NaN|Infinity/);
  expect(svg.includes('>GENE2<')).toBe(
    ['volcano', 'ma-plot', 'sample-heatmap', 'sample-dots'].includes(kind),
  );
});

test('what was compared is ranked along all genes but those that chose the cells', async () => {
  const { parameters } = await profile(byGene('GENE1'));
  const { status, body } = await api.post('/api/perform-ranked-enrichment', {
    ranking: { source: 'comparison', comparison: parameters },
    library_name: 'MSigDB_Hallmark_2020',
  });
  // None of these genes is in any set, which is found out once they are ranked.
  expect([status, body.message]).toEqual([422, expect.stringContaining('gene')]);
});
