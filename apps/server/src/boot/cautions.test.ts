import type { Column } from '@cellfolio/model';
import { FileObjectStore } from '@cellfolio/store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ModelServer, startModelServer } from '../features/ai/testing/model-server.ts';
import { StoredLibraries } from '../features/gene-sets/index.ts';
import { type ApiAnswer, apiClient, startTestServer, type TestServer } from '../testing/running-server.ts';
import { categorical, circle, writeTestDataset } from '../testing/write-test-dataset.ts';

const id = 'doubtful.h5ad';
const cellCount = 800;
/**
 * Genes of sex, ribosomes, mitochondria and stress: they top the list, but usually respond to something other than the
 * question.
 */
const leading = 'XIST RPS3 RPL5 RPL7 MT-CO1 MT-CO2 MT-ND1 FOS JUN EGR1'.split(' ');
const others = Array.from({ length: 60 }, (_, gene) => `GENE${gene + 1}`);
/** A and B are clusters with different donors and batches; in one tissue A has few cells. */
const isA = (cell: number) => cell % 2 === 0;
const isRare = (cell: number) => cell < 14;

function writeDoubtful(root: string) {
  const cells = Int32Array.from({ length: cellCount }, (_, cell) => cell);
  const valueOf = (gene: number, cell: number) =>
    gene < leading.length
      ? // So far apart that their p is too small for a number.
        (isA(cell) ? 5 : 0.5) + ((cell * (gene + 3)) % 7) / 1000
      : 1 + ((cell * 13 + gene * 29) % 31) / 31;
  const labels = (names: readonly string[], codeOf: (cell: number) => number): Column =>
    categorical(names, cellCount, codeOf);
  return writeTestDataset(root, id, {
    cellCount,
    obs: new Map([
      ['leiden', labels(['0', '1'], (cell) => (isA(cell) ? 0 : 1))],
      ['donor', labels(['D1', 'D2', 'D3', 'D4'], (cell) => cell % 4)],
      ['chemistry', labels(['v2', 'v3'], (cell) => (isA(cell) ? 0 : 1))],
      ['tissue', labels(['common', 'rare'], (cell) => (isRare(cell) ? 1 : 0))],
    ]),
    genes: [...leading, ...others].map((name, gene) => ({
      name,
      cells,
      values: Float32Array.from(cells, (cell) => valueOf(gene, cell)),
    })),
    embeddings: [circle(cellCount)],
    catalogue: { name: 'Doubtful' },
    roles: { cluster: 'leiden', patient: 'donor', embedding: 'X_umap', metadata: { 'Patient id': 'donor' } },
  });
}

let model: ModelServer;
let server: TestServer;
let token: string;
let api: ReturnType<typeof apiClient>;

beforeAll(async () => {
  model = await startModelServer();
  const ai = { AI_PROVIDER: 'openai-compatible', AI_MODEL: 'looker', AI_BASE_URL: model.url };
  server = await startTestServer(ai, async ({ objectRoot }) => {
    await writeDoubtful(objectRoot);
    const set = (name: string, genes: readonly string[]) => [name, '', ...genes].join('\t');
    const gmt = [set('LEADING', leading), set('OTHERS', others.slice(0, 20))].join('\n');
    await new StoredLibraries(new FileObjectStore(objectRoot)).put({
      name: 'Sets',
      bytes: new TextEncoder().encode(gmt),
      source: 'file',
      origin: 'sets.gmt',
      replace: true,
    });
  });
  token = await server.signIn('professional');
  api = apiClient(server, token, 'cautions');
  await api.get(`/api/dataset_analysis/${id}`);
});
afterAll(async () => {
  await server.close();
  await model.close();
});

const cluster = (value: string) => ({
  name: `Cluster ${value}`,
  filter: {
    subset_group_name: 'Group',
    patient_metadata_filter: true,
    patient_metadata: { leiden: [value] },
  },
});
const comparison = { a: cluster('0'), b: cluster('1'), within: 'tissue', method: 't-test' };

const analyses = [
  {
    name: 'comparison',
    path: '/api/perform-deg-analysis',
    body: comparison,
    csv: 'deg_csv',
    few: 'few-cells',
  },
  {
    name: 'marker analysis',
    path: '/api/perform-marker-analysis',
    body: { groupby: 'leiden', split: { column: 'tissue' }, method: 't-test' },
    csv: 'marker_csv',
    few: 'small-groups',
  },
  {
    name: 'ranked enrichment',
    path: '/api/perform-ranked-enrichment',
    body: {
      ranking: { source: 'comparison', comparison },
      library_name: 'Sets',
      min_size: 5,
      permutations: 50,
    },
    csv: 'analysis_csv',
    few: 'few-cells',
  },
];

/** Cautions that a reviewer expects for a list of genes and for gene sets derived from it. */
const questions = [
  ['who chose the groups', 'clusters-tested-on-own-data'],
  ['whether cells are replicates', 'cells-as-replicates'],
  ['whether there are cells enough', 'few'],
  ['whether batches differ in place of the groups', 'batch-confounded'],
  ['whether sex differs', 'sex-linked-genes-lead'],
  ['whether ribosomes lead', 'ribosomal-genes-lead'],
  ['whether damaged cells lead', 'mitochondrial-genes-lead'],
  ['whether stress leads', 'stress-genes-lead'],
] as const;

/** Facts: true of every such list, or how it was made. */
const answeredByFacts = [
  ['how many tests were made', 'multiple-testing'],
  ['what a p of 0 is', 'p-values-at-bound'],
] as const;

/**
 * Numbers sent to the model for the most significant gene of a comparison and of a marker, under their correct names.
 */
const numbersOf = new Map([
  [
    'deg_csv',
    { named: expect.arrayContaining([expect.objectContaining({ gene: 'XIST', higherIn: 'Cluster 0' })]) },
  ],
  [
    'marker_csv',
    {
      groups: expect.arrayContaining([
        expect.objectContaining({
          label: '0 · common',
          genes: expect.arrayContaining([
            expect.objectContaining({ symbol: 'XIST', listedUnder: '0 · common' }),
          ]),
        }),
      ]),
    },
  ],
  [
    'analysis_csv',
    { sets: expect.arrayContaining([expect.objectContaining({ term: 'LEADING', fdr: '< 0.02' })]) },
  ],
]);

describe.each(analyses)('a $name', ({ path, body, csv, few }) => {
  let answer: ApiAnswer['body'];
  let prompt: string;
  let figure: { cautions: { code: string; message: string }[] };

  beforeAll(async () => {
    const answered = await api.post(path, body);
    expect([answered.status, answered.body.message]).toEqual([200, undefined]);
    answer = answered.body;
    model.received.length = 0;
    // As the page asks: the picture, and what names its figure.
    const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]).toString('base64');
    const response = await fetch(`${server.siteUrl}/functions/v1/analyze-image`, {
      method: 'POST',
      headers: {
        apikey: server.config.publishableKey,
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        imageUrl: `data:image/png;base64,${png}`,
        filename: 'figure.png',
        prompt: 'What does this show?',
        source: answer.source,
      }),
    });
    expect(response.status, await response.text()).toBe(200);
    prompt = model.received[0]!.body.messages[1].content[0].text;
    figure = JSON.parse(prompt.split('\n')[1]!).figure;
  });

  test.each(questions)('says %s: in the answer, the file, the figure and the prompt', (_question, code) => {
    const expectedCode = code === 'few' ? few : code;
    const caution = answer.warnings.find((one: { code: string }) => one.code === expectedCode);
    expect(
      caution,
      `${expectedCode} among ${answer.warnings.map((one: { code: string }) => one.code).join(', ')}`,
    ).toBeDefined();
    expect(caution.numbers).toBeDefined();
    expect(answer[csv]).toContain(caution.message);
    expect(answer.figure.cautions).toContainEqual(caution);
    expect(figure.cautions).toContainEqual(caution);
  });

  test.each(answeredByFacts)('says %s among the facts: in the answer and the file', (_question, code) => {
    const fact = answer.facts.find((one: { code: string }) => one.code === code);
    expect(fact?.numbers).toBeDefined();
    expect(answer[csv]).toContain(`# ${fact.title}: ${fact.message}`);
    expect(answer.warnings.map((one: { code: string }) => one.code)).not.toContain(code);
  });

  test('the prompt has what was compared, the counts and the names of what leads', () => {
    expect(prompt).toContain('The biologist asks: What does this show?');
    expect(prompt).toMatch(
      csv === 'marker_csv' ? /Markers by cluster, split by Tissue/ : /Cluster 0.*Cluster 1/,
    );
    expect(prompt).toContain(csv === 'analysis_csv' ? 'LEADING' : 'XIST');
    expect(figure).toMatchObject(numbersOf.get(csv)!);
    expect(prompt).not.toMatch(/"(adjustedP|fdr)":0[,}]/);
  });
});
