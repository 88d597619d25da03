import { type Owner, ownerOfUser } from '../../runtime/owners.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GeneList, geneList, maxListGenes } from '@cellfolio/contract';
import { createUser, type Database, openDatabase } from '@cellfolio/platform';
import { copyTestDatabase } from '@cellfolio/platform/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeAnalysisDataset } from '../../testing/analysis-dataset.ts';
import { writeBackgroundDataset } from '../dataset-libraries/testing/background-data.ts';
import { apiClient } from '../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../testing/shared-server.ts';
import { documentKinds, UserDocuments } from '../../runtime/user-documents.ts';
import type { GenesOfList } from './routes.ts';

const id = 'analysis.h5ad';
let server: SharedServer;
let ada: ReturnType<typeof apiClient>;
let eve: ReturnType<typeof apiClient>;
let symbols: readonly string[];
let folder: string;
let database: Database;
let lists: UserDocuments<GenesOfList>;
let bob: Owner;
let carol: Owner;
let nextName = 1;

beforeAll(async () => {
  server = await shareTestServer(async ({ objectRoot }) => {
    await writeAnalysisDataset(objectRoot, id);
    const idOf = (gene: number) => `ENSG${String(gene).padStart(11, '0')}.7`;
    await writeBackgroundDataset(objectRoot, 'ids.h5ad', { symbolOf: (gene) => `GENE${gene}`, idOf });
    const present = ['MARCHF1', 'MTARC1', 'PTPRC', 'SEPT7'];
    const symbolOf = (gene: number) => present[gene] ?? `GENE${gene}`;
    await writeBackgroundDataset(objectRoot, 'named.h5ad', { symbolOf });
    const ofMouse = ['Cd8b1', 'Trp53', 'Actb'];
    await writeBackgroundDataset(objectRoot, 'mouse.h5ad', {
      symbolOf: (gene) => ofMouse[gene] ?? `Gm${1000 + gene}`,
    });
  });
  ada = apiClient(server, await server.signIn('standard'), 'lists');
  eve = apiClient(server, await server.signIn('professional'), 'lists');
  symbols = (await ada.get(`/api/dataset_analysis/${id}`)).body.gene_library;
});
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cellfolio-gene-lists-'));
  await copyTestDatabase(folder);
  database = await openDatabase({ dataDir: folder });
  lists = new UserDocuments(database, documentKinds.geneList);
  const account = async (name: string) => {
    const user = { email: `${name}@example.org`, password: 'a long password', confirmed: true };
    const { id } = await createUser(database, { ...user, passwordCost: { memoryKib: 64, passes: 1 } });
    return ownerOfUser(id);
  };
  [bob, carol] = [await account('bob'), await account('carol')];
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

const listsOf = async (api: typeof ada): Promise<GeneList[]> => (await api.get('/api/gene-lists')).body.lists;
async function make(genes: readonly string[], name = `List ${nextName++}`, api = ada): Promise<GeneList> {
  const { status, body } = await api.post('/api/gene-lists', { name, genes });
  expect({ status, body }).toMatchObject({ status: 200 });
  return geneList.parse(body);
}
const change = (one: GeneList, what: object, api = ada) =>
  api.send('PATCH', `/api/gene-lists/${one.id}`, { revision: one.revision, ...what });
const remove = (one: GeneList, api = ada) => api.send('DELETE', `/api/gene-lists/${one.id}`);

test('a list is made, renamed, given other genes and deleted', async () => {
  const geneList = await make([' CD3D ', 'MS4A1', 'CD3D', 'HLA-DRA'], '  T and B  ');
  expect(geneList).toMatchObject({ name: 'T and B', genes: ['CD3D', 'MS4A1', 'HLA-DRA'], revision: 1 });
  const renamed = await change(geneList, { name: 'B and T' });
  expect(renamed).toMatchObject({
    status: 200,
    body: { id: geneList.id, name: 'B and T', genes: geneList.genes, revision: 2 },
  });
  const changed = await change(renamed.body, { genes: ['MS4A1', 'CD79A'] });
  expect(changed.body).toEqual({ ...renamed.body, genes: ['MS4A1', 'CD79A'], revision: 3 });
  expect(await listsOf(ada)).toContainEqual(changed.body);
  const { status, body } = await remove(geneList);
  expect(status).toBe(200);
  expect(body.lists).not.toContainEqual(expect.objectContaining({ id: geneList.id }));
  expect(await remove(geneList)).toMatchObject({ status: 404, body: { code: 'gene_list_not_found' } });
});

test('lists come by name, whatever its case, and genes in their order', async () => {
  const names = ['zeta', 'Alpha', 'beta'];
  for (const name of names) await make(['Z9', 'a1'], `order ${name}`, eve);
  const lists = (await listsOf(eve)).filter(({ name }) => name.startsWith('order'));
  expect(lists.map(({ name }) => name)).toEqual(['order Alpha', 'order beta', 'order zeta']);
  expect(lists[0]!.genes).toEqual(['Z9', 'a1']);
});

test('no user sees, changes or deletes the list of another, and both may use one name', async () => {
  const mine = await make(['CD3D'], 'shared name');
  expect((await listsOf(eve)).map(({ id: one }) => one)).not.toContain(mine.id);
  const notFound = { status: 404, body: { code: 'gene_list_not_found' } };
  expect(await change(mine, { genes: ['EVE'] }, eve)).toMatchObject(notFound);
  expect(await remove(mine, eve)).toMatchObject(notFound);
  await make(['LYZ'], 'shared name', eve);
  expect(await listsOf(ada)).toContainEqual(mine);
});

test('a name that is taken is refused, for a new list and for another one', async () => {
  const first = await make(['CD3D']);
  const second = await make(['CD3E']);
  const conflict = { status: 409, body: { code: 'gene_list_exists' } };
  expect(await ada.post('/api/gene-lists', { name: first.name, genes: ['LYZ'] })).toMatchObject(conflict);
  const refused = await change(second, { name: first.name });
  expect(refused).toMatchObject(conflict);
  expect(refused.body.message).toContain(`“${first.name}”`);
  expect(await listsOf(ada)).toContainEqual(second);
});

test('a change of an older state is refused, so that two pages do not undo each other’s', async () => {
  const original = await make(['CD3D']);
  await change(original, { genes: ['CD3D', 'CD3E'] });
  expect(await change(original, { genes: ['CD3D', 'LYZ'] })).toMatchObject({
    status: 409,
    body: { code: 'gene_list_changed' },
  });
  expect((await listsOf(ada)).find(({ id: one }) => one === original.id)?.genes).toEqual(['CD3D', 'CD3E']);
});

const many = (count: number, name = (n: number) => `G${n}`) =>
  Array.from({ length: count }, (_, n) => name(n));

test.each([
  ['no genes', { name: 'x', genes: [] }, 'genes'],
  ['too many genes', { name: 'x', genes: many(maxListGenes + 1) }, 'genes'],
  ['a gene without a name', { name: 'x', genes: ['CD3D', '  '] }, 'genes.1'],
  ['names too long together', { name: 'x', genes: many(101, (n) => `${n}`.padStart(500, 'G')) }, 'genes'],
  ['no name', { name: '  ', genes: ['CD3D'] }, 'name'],
  ['a long name', { name: 'n'.repeat(101), genes: ['CD3D'] }, 'name'],
  ['a name of two lines', { name: 'a\nb', genes: ['CD3D'] }, 'name'],
])('a list with %s is refused, in words', async (_what, body, field) => {
  expect(await ada.post('/api/gene-lists', body)).toMatchObject({
    status: 400,
    body: { code: 'invalid_request', details: [{ field }] },
  });
});

test('names are kept as they are, also those that mean something to a program', async () => {
  const genes = [
    '__proto__',
    'constructor',
    '<img src=x onerror=alert(1)>',
    "'; drop table x; --",
    'NULL',
    '{a,b}',
  ];
  const geneList = await make(genes, '<b>"bold"</b> __proto__');
  expect(await listsOf(ada)).toContainEqual({ ...geneList, genes, name: '<b>"bold"</b> __proto__' });
});

test('a user has 200 lists at most; the refusal says so and what to do, and they go with their user', async () => {
  const list = (name: string) => ({ name, body: { genes: ['A'] } });
  await lists.create(bob, list('Bob’s'));
  for (let n = 0; n < 200; n++) await lists.create(carol, list(`list ${n}`));
  await expect(lists.create(carol, list('one more'))).rejects.toMatchObject({
    status: 409,
    code: 'too_many_gene_lists',
    message:
      'You can keep at most 200 gene lists. Delete gene lists that are no longer needed, then try again.',
  });
  await database.pool.query('delete from auth.users where id = $1', [carol]);
  expect(await lists.list(carol)).toEqual([]);
  expect(await lists.list(bob)).toHaveLength(1);
});

test('a dataset returns its own names of genes, whatever the case, and those that it does not have', async () => {
  const [first = '', second = ''] = symbols;
  const path = `/api/datasets/${id}/gene-names`;
  const names = [second, first.toLowerCase(), 'NOPE', 'toString'];
  expect(await ada.post(path, { names })).toMatchObject({
    status: 200,
    body: {
      genes: [
        { name: second, symbol: second },
        { name: first.toLowerCase(), symbol: first },
      ],
      missing: ['NOPE', 'toString'],
    },
  });
  expect(await ada.post('/api/datasets/none.h5ad/gene-names', { names })).toMatchObject({
    status: 404,
    body: { code: 'dataset_not_found' },
  });
});

test('ids are looked up with a version, another version or none', async () => {
  const names = ['ENSG00000000003.7', 'ensg00000000004', 'ENSG00000000005.12', 'ENSG00000099999'];
  const { body } = await ada.post('/api/datasets/ids.h5ad/gene-names', { names });
  expect(body.genes.map(({ symbol }: { symbol: string }) => symbol)).toEqual(['GENE3', 'GENE4', 'GENE5']);
  expect(body.genes[0]).toMatchObject({ id: 'ENSG00000000003' });
  expect(body.missing).toEqual(['ENSG00000099999']);
  expect(body.species).toBe('human');
});

test('former symbols and aliases are looked up, and one of several genes is none of them', async () => {
  const names = ['MARCH1', 'CD45', 'SEPTIN7', 'PTPRC', '1-Mar', 'NOPE'];
  const { body } = await ada.post('/api/datasets/named.h5ad/gene-names', { names });
  expect(body.genes).toEqual([
    { name: 'MARCH1', symbol: 'MARCHF1' },
    { name: 'CD45', symbol: 'PTPRC' },
    { name: 'SEPTIN7', symbol: 'SEPT7' },
    { name: 'PTPRC', symbol: 'PTPRC' },
  ]);
  expect(body.missing).toEqual(['1-Mar', 'NOPE']);
  expect(body.ambiguous).toEqual([{ name: '1-Mar', symbols: ['MARCHF1', 'MTARC1'] }]);
});

test('symbols of another species are looked up by orthologues', async () => {
  const names = ['CD8B', 'TP53', 'ACTB', 'HLA-DRB5'];
  const { body } = await ada.post('/api/datasets/mouse.h5ad/gene-names', { names });
  expect(body).toMatchObject({
    genes: [
      { name: 'CD8B', symbol: 'Cd8b1' },
      { name: 'TP53', symbol: 'Trp53' },
      { name: 'ACTB', symbol: 'Actb' },
    ],
    missing: ['HLA-DRB5'],
    species: 'mouse',
  });
});

test('calls that take one gene report that it was found by another name', async () => {
  await ada.get('/api/dataset_analysis/named.h5ad');
  const filter = {
    subset_group_name: 'with',
    gene_filter: true,
    gene: { name: 'CD45', presence: 'positive' },
  };
  const { body: preview } = await ada.post('/api/preview-filter', filter);
  const { body: ends } = await ada.post('/api/perform-decile-analysis', {
    by: { of: 'gene', gene: 'MARCH1' },
    share: 30,
  });
  const { body: along } = await ada.post('/api/perform-gradient-analysis', {
    axis: { of: 'gene', gene: 'CD45' },
    genes: ['SEPTIN7'],
  });
  const { body: sets } = await ada.post('/api/cell-sets', {
    sets: [filter, { subset_group_name: 'Default' }],
  });
  const { body: cells } = await ada.post('/api/export-cells', { genes: ['SEPTIN7'] });
  expect(Buffer.from(cells).toString()).toContain(
    '# 1 gene of the request was matched by a former symbol or an alias: SEPTIN7 as SEPT7.',
  );
  const messages = [preview.warnings, sets.warnings, ends.facts, along.facts].map((cautions) =>
    cautions.flatMap(({ code, message }: { code: string; message: string }) =>
      code === 'other-gene-names' ? [message] : [],
    ),
  );
  expect(messages).toEqual([
    ['1 gene of the filter was matched by a former symbol or an alias: CD45 as PTPRC.'],
    ['1 gene of the filter was matched by a former symbol or an alias: CD45 as PTPRC.'],
    ['1 gene of the request was matched by a former symbol or an alias: MARCH1 as MARCHF1.'],
    [
      '1 gene of the request was matched by a former symbol or an alias: CD45 as PTPRC.',
      '1 gene of the curves was matched by a former symbol or an alias: SEPTIN7 as SEPT7.',
    ],
  ]);
  const { body: plain } = await ada.post('/api/preview-filter', {
    ...filter,
    gene: { name: 'PTPRC', presence: 'positive' },
  });
  expect(plain.warnings).toEqual([]);
});
