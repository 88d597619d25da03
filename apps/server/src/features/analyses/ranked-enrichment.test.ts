import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rankedEnrichment } from '@cellfolio/analyses';
import { type AnalysisAnswer, analysisCall } from '@cellfolio/contract';
import { FileObjectStore } from '@cellfolio/store';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hostile, writeAnalysisDataset } from '../../testing/analysis-dataset.ts';
import { apiClient } from '../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../testing/shared-server.ts';
import { addLibrary } from '../gene-sets/add-library.test-data.ts';
import { StoredLibraries } from '../gene-sets/index.ts';

type Answer = AnalysisAnswer<typeof rankedEnrichment>;

const id = 'analysis.h5ad';
const path = '/api/perform-ranked-enrichment';
let server: SharedServer;
let api: ReturnType<typeof apiClient>;

/** Written by fixtures/analysis/ranked_enrichment_reference.py. */
const reference = JSON.parse(
  readFileSync(
    join(
      import.meta.dirname,
      '../../../../../packages/analysis/src/ranked-enrichment/ranked-enrichment-reference.json',
    ),
    'utf8',
  ),
) as {
  seed: number;
  permutations: number;
  metric: number[];
  sets: Record<string, number[]>;
  results: { weight: number; es: number[]; nes: number[]; p: number[]; fdr: number[]; fwer: number[] }[];
};
const nameOf = (place: number) => `G${String(place).padStart(4, '0')}`;
const ranking = {
  source: 'own',
  name: 'Reference',
  genes: reference.metric.map((_, place) => nameOf(place)),
  values: reference.metric,
} as const;

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `GENE${from + i}`);
const markerSets: [string, string[]][] = [
  ['OF B', numbered(1, 10)],
  ['OF T', numbered(21, 30)],
  [hostile, numbered(31, 45)],
  ['=cmd', [...numbered(50, 60), '=cmd|calc', 'A,"B"']],
  ['TINY', numbered(61, 63)],
  ['ELSEWHERE', ['NOWHERE']],
];
const gmt = (sets: readonly [string, readonly string[]][]) =>
  sets.map(([name, genes]) => `${[name, '', ...genes].join('\t')}\n`).join('');

beforeAll(async () => {
  server = await shareTestServer(async ({ objectRoot }) => {
    await writeAnalysisDataset(objectRoot, id);
    const libraries = new StoredLibraries(new FileObjectStore(objectRoot));
    await addLibrary(libraries, 'Markers', gmt(markerSets));
    await addLibrary(
      libraries,
      'Reference',
      gmt(Object.entries(reference.sets).map(([term, places]) => [term, places.map(nameOf)])),
    );
  });
  api = apiClient(server, await server.signIn('standard'), 'ranked');
  await api.get(`/api/dataset_analysis/${id}`);
});
beforeEach(() => api.post('/api/filter-active-dataset', { subset_group_name: 'Default' }));

const ofCells = (value: string) => ({
  name: value,
  filter: {
    subset_group_name: 'Group',
    patient_metadata_filter: true,
    patient_metadata: { cell_type: [value] },
  },
});
const comparison = { a: ofCells('B cell'), b: ofCells('T cell') };
const compared = {
  ranking: { source: 'comparison', comparison },
  library_name: 'Markers',
  min_size: 5,
  permutations: 200,
} as const;

async function enrich(body: object): Promise<Answer> {
  const { status, body: answer } = await api.post(path, body);
  expect([status, answer.message]).toEqual([200, undefined]);
  return analysisCall(rankedEnrichment).answer.parse(answer);
}
const linesOf = ({ analysis_csv: csv }: Answer) =>
  csv!.split('\n').filter((line) => !line.startsWith('# ') && line !== '');
const rowsOf = (answer: Answer) =>
  new Map(
    linesOf(answer)
      .slice(1)
      .map((line) => [line.split(',')[0]!, line.split(',').slice(1)]),
  );
const cautionOf = ({ warnings, facts }: Answer, code: string) =>
  [...warnings, ...facts].find((warning) => warning.code === code);

test('a ranking of one’s own has the numbers of gseapy, whatever order its lines come in', async () => {
  const { seed, permutations } = reference;
  const order = ranking.genes.map((_, i) => (i * 7) % ranking.genes.length);
  const shuffled = {
    ...ranking,
    genes: order.map((i) => ranking.genes[i]!),
    values: order.map((i) => ranking.values[i]!),
  };
  const ones = reference.results.find(({ weight }) => weight === 1)!;
  const answer = await enrich({ ranking: shuffled, library_name: 'Reference', seed, permutations });
  expect(linesOf(answer)[0]).toBe('Term,ES,NES,NOM p-val,FDR q-val,FWER p-val,Size,Tag %,Gene %,Lead_genes');
  const rows = rowsOf(answer);
  Object.keys(reference.sets).forEach((term, set) => {
    const actual = rows.get(term)!.slice(0, 5).map(Number);
    const expected = [ones.es, ones.nes, ones.p, ones.fdr, ones.fwer].map((column) => column[set]!);
    actual.forEach((value, column) => expect(Math.abs(value - expected[column]!)).toBeLessThan(1e-9));
  });
  const scores = [...rows.values()].map(([, nes]) => Math.abs(Number(nes)));
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  expect(answer.ranking).toMatchObject({ entries: 1500, genes: 1500, missing: 0, tied: 0 });
});

test('more permutations than are held at once are those that one stream draws', async () => {
  const request = { ranking, library_name: 'Reference', seed: 5, permutations: 1300 };
  const first = await enrich(request);
  const again = await enrich({ ...request, ranking: { ...ranking, name: 'Again' } });
  expect(linesOf(again)).toEqual(linesOf(first));
  const best = rowsOf(first).get('SET_07')!;
  expect(Number(best[2])).toBe(0);
  expect(cautionOf(first, 'p-values-at-bound')?.numbers).toMatchObject({ permutations: 1300 });
});

test('the genes of a comparison put the markers of each side at its end of the ranking', async () => {
  const answer = await enrich(compared);
  const rows = rowsOf(answer);
  const [ofB, ofT] = [rows.get('OF B')!, rows.get('OF T')!];
  expect([Number(ofB[0]) > 0.8, Number(ofT[0]) < -0.8]).toEqual([true, true]);
  expect(ofB.at(-1)!.split(';').toSorted()).toEqual(numbered(1, 10).toSorted());
  expect(ofB[6]).toBe('10/10');
  expect(answer.ranking).toMatchObject({
    top: 'higher in B cell',
    end: 'higher in T cell',
    metric: 'score',
    genes: 100,
  });
  expect(answer.sets).toMatchObject({ tested: 4, too_small: 2, significant_top: 1, significant_end: 1 });
  const codes = answer.warnings.map(({ code }) => code);
  expect(codes.slice(0, 2)).toEqual(['cells-as-replicates', 'clusters-tested-on-own-data']);
  expect(answer.facts.map(({ code }) => code)).toEqual(
    expect.arrayContaining(['genes-as-independent', 'sets-left-out']),
  );
  // About the sets, not about the genes that were ranked.
  expect(answer.facts.filter(({ code }) => code === 'multiple-testing')).toMatchObject([
    { numbers: { tests: 4, passing: 2 } },
  ]);
});

test.each(['signed-p', 'logfoldchanges'] as const)('genes can be ranked by %s', async (statistic) => {
  const rows = rowsOf(await enrich({ ...compared, ranking: { ...compared.ranking, statistic } }));
  expect(Number(rows.get('OF B')![1])).toBeGreaterThan(1.4);
  expect(Number(rows.get('OF T')![1])).toBeLessThan(-1.4);
});

test('a group of a comparison within a column is ranked by itself', async () => {
  const within = { ...comparison, within: 'leiden' };
  const enrichPart = (part?: string) =>
    enrich({ ...compared, ranking: { source: 'comparison', comparison: within, part } });
  const [one, other] = [await enrichPart('1'), await enrichPart('2')];
  expect(one.ranking.name).toContain('B cell against T cell in 1, score');
  expect(linesOf(one)).not.toEqual(linesOf(other));
  const refused = await api.post(path, {
    ...compared,
    ranking: { source: 'comparison', comparison: within, part: 'none' },
  });
  expect([refused.status, refused.body.code]).toEqual([422, 'group_not_compared']);
});

test('multilevel p-values are below what permutations reach, with their errors', async () => {
  const request = { ranking, library_name: 'Reference', permutations: 200, max_size: 60 };
  const answer = await enrich({ ...request, method: 'multilevel' });
  expect(linesOf(answer)[0]).toContain('FDR q-val,log2err,Size');
  const [, , p, fdr, error] = [...rowsOf(answer).values()].toSorted(
    (a, b) => Number(a[2]) - Number(b[2]),
  )[0]!;
  expect(Number(p)).toBeLessThan(1e-6);
  expect(Number(p)).toBeGreaterThan(0);
  expect(Number(fdr)).toBeGreaterThanOrEqual(Number(p));
  expect(Number(error)).toBeGreaterThan(0);
});

test('a caution reports doubts about a ranking with its figures', async () => {
  const genes = [...ranking.genes, 'G0000', 'G0001', 'ALONE'];
  const values = [...ranking.values.map((value) => Math.abs(Math.round(value))), 9, 9, null];
  const answer = await enrich({
    ranking: { source: 'own', genes, values },
    library_name: 'Reference',
    permutations: 20,
  });
  expect(answer.ranking).toMatchObject({ entries: 1503, genes: 1500, repeated: 2, missing: 1 });
  expect(cautionOf(answer, 'repeated-genes')?.numbers).toEqual({ repeated: 2 });
  expect(cautionOf(answer, 'genes-without-number')?.numbers).toEqual({ genes: 1 });
  expect(cautionOf(answer, 'ties')?.message).toContain('%) share their value');
  expect(cautionOf(answer, 'one-sided-ranking')?.message).toContain('0 or above');
});

test('names that are hostile stay text in file and figures', async () => {
  const answer = await enrich(compared);
  expect(answer.analysis_csv).toContain("\n'=cmd,");
  expect(answer.analysis_csv).toContain('"<script>alert(""x"")</script>"');
  for (const content of [
    answer.source!.content,
    { ...answer.source!.content, kind: 'running-score', term: hostile },
  ]) {
    const source = { ...answer.source, content };
    const { body: svg } = await api.post('/api/render-figure', { source, format: 'svg' });
    expect(Buffer.from(svg).toString()).not.toContain('<script>alert');
  }
});

test('a running score is drawn of any tested set from the source of the result', async () => {
  const { source, figure } = await enrich(compared);
  const draw = (content: object) =>
    api.post('/api/render-figure', { source: { ...source, content }, format: 'json' });
  expect((await draw(source!.content)).body).toMatchObject(JSON.parse(JSON.stringify(figure)));
  const { body } = await draw({ ...source!.content, kind: 'running-score', term: 'OF T' });
  expect(body).toMatchObject({ title: 'OF T', setSize: 10, genes: 100 });
  expect(body.leading.toSorted()).toEqual(numbered(21, 30).toSorted());
  expect(body.es).toBeLessThan(0);
  const tiny = await draw({ ...source!.content, kind: 'running-score', term: 'TINY' });
  expect(tiny.body.code).toBe('set_not_tested');
});

describe('refusals', () => {
  test.each([
    ['a library that is not there', { library_name: 'Nothing' }, 400, 'unknown_library', 'Nothing'],
    ['sizes that exclude each other', { min_size: 20, max_size: 10 }, 400, 'invalid_request', 'no set'],
    ['values of another number', { ranking: { ...ranking, values: [1, 2] } }, 400, 'invalid_request', ''],
    [
      'a ranking without numbers',
      { ranking: { source: 'own', genes: ['A', 'B'], values: [0, null] } },
      422,
      'no_ranking',
      'second column',
    ],
    [
      'genes of which the library has none',
      { ranking: { source: 'own', genes: ['A', 'B'], values: [1, 2] } },
      422,
      'no_genes_found',
      'A',
    ],
  ])('%s', async (_what, body, status, code, expectedMessage) => {
    const answer = await api.post(path, { ranking, library_name: 'Reference', ...body });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.body.message).toContain(expectedMessage);
  });

  test('a ranking of the most lines fits the body of a call', async () => {
    const genes = Array.from({ length: 60_000 }, (_, i) => `ENSG${String(i).padStart(11, '0')}`);
    const values = genes.map((_, i) => Math.sin(i) * 12.345678901234);
    const request = { ranking: { source: 'own', genes, values }, library_name: 'Reference' };
    const answer = await api.post(path, request);
    expect([answer.status, answer.body.code]).toEqual([422, 'no_genes_found']);
    const more = { source: 'own', genes: [...genes, 'ONE'], values: [...values, 1] };
    expect((await api.post(path, { ...request, ranking: more })).status).toBe(400);
  });

  test('a library without a set of the requested sizes gives a table without rows', async () => {
    const genes = Array.from({ length: 40 }, (_, i) => nameOf(i));
    const answer = await enrich({
      ranking: { source: 'own', genes, values: genes.map((_, i) => 20 - i) },
      library_name: 'Reference',
      min_size: 30,
      permutations: 10,
    });
    expect(answer.sets.tested).toBe(0);
    expect(linesOf(answer)).toHaveLength(1);
  });
});
