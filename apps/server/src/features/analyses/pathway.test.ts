import { pathway } from '@cellfolio/analyses';
import { type AnalysisAnswer, analysisCall } from '@cellfolio/contract';
import { FileObjectStore } from '@cellfolio/store';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { apiClient } from '../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../testing/shared-server.ts';
import {
  backgroundLibrary,
  cellCount,
  human,
  mouse,
  randomLists,
  writeBackgroundDataset,
} from '../dataset-libraries/testing/background-data.ts';
import { addLibrary } from '../gene-sets/add-library.test-data.ts';
import { StoredOrthologues } from '../gene-sets/orthologues.ts';
import { StoredLibraries } from '../gene-sets/stored-libraries.ts';

type Answer = AnalysisAnswer<typeof pathway>;

let server: SharedServer;
let api: ReturnType<typeof apiClient>;
let root: string;

const mouseId = (gene: number) => `ENSMUSG${String(gene).padStart(11, '0')}`;

beforeAll(async () => {
  server = await shareTestServer(async ({ objectRoot }) => {
    root = objectRoot;
    await writeBackgroundDataset(root, 'human.h5ad');
    await writeBackgroundDataset(root, 'mouse.h5ad', mouse);
    await writeBackgroundDataset(root, 'capitals.h5ad', { ...human, idOf: mouseId });
    await writeBackgroundDataset(root, 'ids.h5ad', { symbolOf: mouseId });
    const libraries = new StoredLibraries(new FileObjectStore(root));
    await addLibrary(libraries, 'Study', backgroundLibrary());
    await addLibrary(libraries, 'Rat', 'A\t\tLOC100001\tCd3e\tCd3d\tCd4\n');
    await addLibrary(libraries, 'Odd', 'A\t\tGENE1\tGENE2\tGENE1\nB\t\tGENE2\tGENE20000\tNOWHERE\n');
  });
  api = apiClient(server, await server.signIn('standard'), 'background');
});
beforeEach(() => open('human.h5ad'));

const open = (id: string) => api.get(`/api/dataset_analysis/${id}`);
const ask = (body: object) => api.post('/api/perform-pathway-analysis', { library_name: 'Study', ...body });
const enrich = async (body: object): Promise<Answer> => {
  const { status, body: answer } = await ask(body);
  expect({ status, message: answer.message }).toEqual({ status: 200, message: undefined });
  return analysisCall(pathway).answer.parse(answer);
};
const significant = (answer: Answer) => (answer.figure as { significant: number }).significant;
const cautionOf = (answer: Answer, code: string) =>
  [...answer.warnings, ...answer.facts].find((caution) => caution.code === code);

test('random lists of expressed genes are significant in no set, unless every gene of the file is the background', async () => {
  for (const pathway_genes of randomLists()) {
    const answer = await enrich({ pathway_genes });
    expect(significant(answer)).toBe(0);
    expect(answer.sets.tested).toBeGreaterThan(630);
    expect(answer.background).toMatchObject({
      kind: 'expressed',
      minimum_share: 0.01,
      minimum_cells: 3,
      required_cells: 3,
      active_cells: cellCount,
      gene_count: 9000,
      dataset_gene_count: 24_000,
    });
    const whole = await enrich({ pathway_genes, background: { kind: 'dataset' } });
    expect(significant(whole)).toBeGreaterThan(66);
    expect(cautionOf(whole, 'dataset-background')).toMatchObject({
      message: expect.stringContaining('24,000'),
      numbers: { datasetGenes: 24_000, expressedGenes: 9000 },
    });
  }
});

test('the background is named with its figures in the answer, in the file and in the figure, which is drawn alike again', async () => {
  const pathway_genes = [...randomLists()[0]!, 'GENE23001', 'GENE23002', 'NOWHERE'];
  const answer = await enrich({ pathway_genes });
  expect(answer.background.description).toBe(
    'The 9,000 of 24,000 genes of Background that at least 3 of the 120 active cells express (a value above 0)',
  );
  expect(answer.not_found_genes).toEqual(['NOWHERE']);
  expect(answer.not_in_background_genes).toEqual(['GENE23001', 'GENE23002']);
  expect(cautionOf(answer, 'genes-not-in-background')).toMatchObject({ numbers: { genes: 2, given: 303 } });
  const comments = answer.analysis_csv!.split('\n').filter((line) => line.startsWith('# '));
  expect(comments[2]).toMatch(/^# Library: Study: File Study\.gmt, added .*\. License: not stated\.$/);
  expect(comments.slice(3)).toEqual([
    ...answer.facts.map(({ title, message }) => `# ${title}: ${message}`),
    ...answer.warnings.map(({ message }) => `# ${message}`),
  ]);
  expect(answer.figure).toMatchObject({
    cautions: answer.warnings,
    minimumOverlap: 2,
    subtitle: 'Study · 300 of 9,000 expressed genes',
  });
  const { status, body } = await api.post('/api/render-figure', { source: answer.source });
  expect(status).toBe(200);
  expect(Buffer.from(body).toString('base64')).toBe(answer.barplot_image);
});

test('a threshold is taken over the active cells, and so is the background', async () => {
  const [pathway_genes] = randomLists();
  await api.post('/api/filter-active-dataset', {
    subset_group_name: 'T cells',
    cell_type_filter: true,
    cell_type: ['T cell'],
  });
  const answer = await enrich({ pathway_genes: [...pathway_genes!, 'GENE3'] });
  // The first ten genes are expressed by B cells alone.
  expect(answer.background).toMatchObject({ active_cells: 60, required_cells: 3, gene_count: 8990 });
  expect(answer.not_in_background_genes).toContain('GENE3');
  const half = await enrich({ pathway_genes, background: { kind: 'expressed', minimum_share: 0.5 } });
  expect(half.background).toMatchObject({ minimum_share: 0.5, minimum_cells: 3, required_cells: 30 });
  expect(half.background.gene_count).toBeLessThan(4500);
  const none = await ask({ pathway_genes, background: { kind: 'expressed', minimum_share: 1 } });
  expect(none).toMatchObject({ status: 422, body: { code: 'no_genes_in_background' } });
  expect(none.body.message).toContain('Lower the thresholds');
});

test('the genes of the library, and a list of ones own, are backgrounds too', async () => {
  const odd = { library_name: 'Odd', minimum_overlap: 1 };
  const library = await enrich({ ...odd, pathway_genes: ['GENE1'], background: { kind: 'library' } });
  expect(library.background).toMatchObject({ kind: 'library', gene_count: 4 });
  expect(library.sets).toEqual({
    library: 2,
    dropped: 0,
    shrunk: 0,
    tested: 1,
    below_minimum_overlap: 0,
    reported: 1,
  });
  expect(cautionOf(library, 'background')?.message).toContain('1 of which the dataset lacks');
  const own = await enrich({
    ...odd,
    pathway_genes: ['GENE1', 'GENE5'],
    background: { kind: 'own', genes: ['gene1', 'GENE2', 'GENE3', 'ELSEWHERE', 'GENE1'] },
  });
  expect(own.background).toMatchObject({ kind: 'own', gene_count: 4 });
  expect(own.not_in_background_genes).toEqual(['GENE5']);
  expect(own.sets).toMatchObject({ library: 2, dropped: 0, shrunk: 1, tested: 1 });
  expect(own.warnings.map(({ code }) => code)).toEqual([
    'few-genes',
    'small-background',
    'genes-not-in-background',
  ]);
  expect(own.facts.map(({ code }) => code)).toEqual(['background', 'sets']);
});

test('sets below the minimum overlap are not reported, but are tested and adjusted for', async () => {
  const [pathway_genes] = randomLists();
  const rows = (answer: Answer) =>
    answer.analysis_csv!.split('\n').filter((line) => line.startsWith('Study,'));
  const all = await enrich({ pathway_genes, minimum_overlap: 1 });
  const some = await enrich({ pathway_genes });
  const { tested, below_minimum_overlap: below, reported } = some.sets;
  expect(below).toBeGreaterThan(0);
  expect(tested).toBe(all.sets.reported);
  expect(reported).toBe(tested - below);
  expect(rows(some)).toEqual(rows(all).filter((row) => !row.split(',')[2]!.startsWith('1/')));
  expect(cautionOf(some, 'sets')).toMatchObject({
    message: expect.stringContaining('count in the adjustment'),
    numbers: { tested, belowMinimumOverlap: below, minimumOverlap: 2 },
  });
  // One gene of the list in a set of two: significant by a single gene, so it is counted and not shown.
  const odd = { library_name: 'Odd', pathway_genes: ['GENE1'] };
  const single = await enrich({ ...odd, minimum_overlap: 1 });
  expect(significant(single)).toBe(1);
  const hidden = await enrich(odd);
  expect(significant(hidden)).toBe(0);
  expect(cautionOf(hidden, 'sets')).toMatchObject({ numbers: { belowSignificant: 1, tested: 1 } });
  const none = await enrich({ pathway_genes, minimum_overlap: 1000 });
  expect((none as { analysis_preview_table_html?: string }).analysis_preview_table_html).toContain(
    'shares 1000 genes with the list',
  );
  expect(cautionOf(await enrich({ pathway_genes: ['GENE1'] }), 'few-genes')).toMatchObject({
    numbers: { genes: 1 },
  });
});

test('mouse genes are mapped to a human library by the built-in table, or an installed one, or taken by name on request', async () => {
  await open('mouse.h5ad');
  const [pathway_genes] = randomLists(mouse);
  // The genes of this dataset are made up: no table of real ones has them.
  const refused = await ask({ pathway_genes });
  expect(refused).toMatchObject({ status: 422, body: { code: 'no_genes_in_background' } });
  expect(refused.body.message).toMatch(/no ortholog in the library's species/);
  const answer = await enrich({ pathway_genes, species: 'human' });
  expect(answer.species.dataset).toEqual({ species: 'human', by: 'request', matching: 0, looked: 0 });
  expect(cautionOf(answer, 'species-given')).toBeDefined();

  // Every tenth gene has no orthologue; Gene11 and Gene12 share one; Gene13 has two, one of its own name.
  const lines = Array.from({ length: 24_000 }, (_, gene) => gene)
    .filter((gene) => gene % 10 !== 0)
    .map((gene) => `Gene${gene}\t${gene === 12 ? 'GENE11' : gene === 13 ? 'OTHER' : `GENE${gene}`}`);
  await new StoredOrthologues(new FileObjectStore(root)).put({
    text: ['mouse\thuman', ...lines, 'Gene13\tGENE13'].join('\n'),
    from: 'mouse',
    to: 'human',
    origin: 'pairs.tsv',
    replace: false,
  });
  await expect.poll(async () => (await ask({ pathway_genes })).status, { interval: 500 }).toBe(200);
  const mapped = await enrich({ pathway_genes: [...pathway_genes!, 'Gene12', 'Gene20'] });
  expect(mapped.species).toMatchObject({
    dataset: { species: 'mouse', by: 'symbols' },
    library: { species: 'human', by: 'symbols' },
    orthologues: { from: 'mouse', to: 'human', table: 'pairs.tsv', mapped: 8100, unmapped: 900, merged: 1 },
  });
  expect(mapped.background.gene_count).toBe(8099);
  expect(mapped.not_in_background_genes).toContain('Gene20');
  // Gene12 is counted as the first gene of its orthologue.
  expect(mapped.found_genes).toContain('Gene11');
  expect(cautionOf(mapped, 'species-mapped')?.message).toContain('900 without one were left out');
  expect(significant(mapped)).toBe(0);
});

test('ids identify the species where symbols mislead', async () => {
  await open('capitals.h5ad');
  const refused = await ask({ pathway_genes: ['GENE1', 'GENE2'], library_name: 'Rat' });
  expect(refused).toMatchObject({ status: 422, body: { code: 'species_mismatch' } });
  expect(refused.body.message).toMatch(/has mouse genes \(24,000 of 24,000 ids/);
});

test('genes with ids in the place of symbols are refused in words, not tested against nothing', async () => {
  await open('ids.h5ad');
  const refused = await ask({ pathway_genes: [mouseId(1)] });
  expect(refused).toMatchObject({ status: 422, body: { code: 'no_gene_symbols' } });
  expect(refused.body.message).toContain('24,000 of the 24,000 genes');
});

test('where var has symbols, a list of ids is a list of their genes', async () => {
  await open('capitals.h5ad');
  const pathway_genes = [1, 2, 3].map((gene) => `${mouseId(gene)}.4`);
  const answer = await enrich({ pathway_genes, species: 'human' });
  expect(answer.found_genes).toEqual(['GENE1', 'GENE2', 'GENE3']);
});

test.each([
  [{ background: { kind: 'expressed', minimum_share: 2 } }, 'A share is from 0 to 1'],
  [{ background: { kind: 'expressed', minimum_cells: 0 } }, 'At least one cell'],
  [{ background: { kind: 'own', genes: [] } }, 'Name at least one gene of the background'],
  [{ background: { kind: 'somebody' } }, 'kind'],
  [{ minimum_overlap: 0 }, 'minimum overlap is 1 gene'],
  [{ species: 'constructor' }, 'species'],
])('the request %j is refused in words', async (body, words) => {
  const refused = await ask({ pathway_genes: ['GENE1'], ...body });
  expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  expect(JSON.stringify(refused.body)).toContain(words);
});
