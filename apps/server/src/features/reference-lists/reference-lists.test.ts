import { markerSets, pairSets } from '@cellfolio/contract';
import type { Dataset } from '@cellfolio/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NamedGenes } from '../../runtime/gene-names/named-genes.ts';
import { writeAnalysisDataset } from '../../testing/analysis-dataset.ts';
import { apiClient } from '../../testing/running-server.ts';
import { shareTestServer } from '../../testing/shared-server.ts';
import { OrthologueTables, StoredOrthologues } from '../gene-sets/index.ts';
import { temporaryObjects, type TemporaryObjects } from '../gene-sets/testing/temporary-objects.ts';
import { InvalidListName, ListExists, PairSets, ReferenceLists } from './index.ts';

const id = 'analysis.h5ad';
let store: TemporaryObjects;
let api: ReturnType<typeof apiClient>;

beforeAll(async () => {
  store = await temporaryObjects();
  const server = await shareTestServer(({ objectRoot }) => writeAnalysisDataset(objectRoot, id));
  api = apiClient(server, await server.signIn('standard'), 'lists');
});
afterAll(() => store.remove());

const noOrthologues = {
  of: () => Promise.resolve({ tables: [], damaged: [] }),
  version: () => Promise.resolve(''),
};
const lists = (orthologues: ConstructorParameters<typeof ReferenceLists>[1] = noOrthologues) =>
  new ReferenceLists(store.objects, orthologues);

function genesOf(symbols: readonly string[]): Dataset['genes'] {
  const find = (name: string) => {
    const row = symbols.findIndex((symbol) => symbol.toUpperCase() === name.toUpperCase());
    return row < 0 ? undefined : row;
  };
  return { symbols, ids: [], find } as never;
}

const csv = 'source_genesymbol,target_genesymbol\nGENE1,GENE21\n';
const set = {
  name: 'consensus-2024',
  release: '2024-05',
  licence: 'CC BY 4.0',
  species: 'human',
  origin: 'export.csv',
  csv,
} as const;

test('a set is stored once it was read, is offered with its licence, and is another version when replaced', async () => {
  const sets = new PairSets(store.objects);
  const stored = await sets.put(set, false);
  expect(stored).toMatchObject({ count: 1, duplicates: 0, licence: 'CC BY 4.0', release: '2024-05' });
  await expect(sets.put(set, false)).rejects.toThrow(ListExists);
  await expect(sets.put({ ...set, name: 'abridged' }, true)).rejects.toThrow(ListExists);
  await expect(sets.put({ ...set, name: '../x' }, true)).rejects.toThrow(InvalidListName);
  await expect(sets.put({ ...set, csv: 'a,b' }, true)).rejects.toThrow('the column ligand');
  const replaced = await sets.put({ ...set, csv: `${csv}GENE2,GENE22\n` }, true);
  expect(replaced.version).not.toBe(stored.version);
  expect((await sets.all()).lists.map(({ name }) => name)).toEqual(['consensus-2024', 'abridged']);
  const { head, entries } = await lists().inDataset(
    'pairs',
    { name: 'consensus-2024', own: undefined },
    { genes: genesOf(['GENE1', 'GENE2']) },
  );
  expect([head.version, entries.map(({ ligand }) => ligand)]).toEqual([
    replaced.version,
    [['GENE1'], ['GENE2']],
  ]);
  expect([await sets.remove('consensus-2024'), await sets.remove('consensus-2024')]).toEqual([true, false]);
});

test('a set that cannot be read hides no other', async () => {
  await store.objects.put('ligand-receptor-pairs/broken.json', new TextEncoder().encode('{'));
  const { lists, damaged } = await new PairSets(store.objects).all();
  expect([lists.map(({ name }) => name), damaged]).toEqual([['abridged'], ['broken']]);
  const chosen = { name: 'broken', own: undefined };
  const damagedList = new ReferenceLists(store.objects, noOrthologues).inDataset('pairs', chosen, {
    genes: genesOf([]),
  });
  await expect(damagedList).rejects.toMatchObject({ status: 409, code: 'pairs_damaged' });
});

test('human symbols are mapped to mouse genes by the table of orthologues, and refused without one', async () => {
  const symbols = ['Cxcl12', 'Cxcr4', 'H2-K1', 'Ppara', 'Trem2', 'Actb', 'Gapdh', 'Cd3e', 'Cd4', 'Cd8a'];
  const dataset = { genes: genesOf(symbols) };
  const abridged = { name: 'abridged', own: undefined };
  await expect(lists().inDataset('pairs', abridged, dataset)).rejects.toMatchObject({
    status: 422,
    code: 'species_mismatch',
  });
  await new StoredOrthologues(store.objects).put({
    text: 'mouse,human\nCxcl12,CXCL12\nCxcr4,CXCR4\nH2-K1,HLA-A\n',
    from: 'mouse',
    to: 'human',
    origin: 'mgi.csv',
    replace: true,
  });
  const { find, cautions } = await lists(new OrthologueTables(store.objects)).inDataset(
    'pairs',
    abridged,
    dataset,
  );
  expect(['CXCL12', 'CXCR4', 'HLA-A', 'CCL2'].map(find)).toEqual([0, 1, 2, undefined]);
  const [mapped] = cautions('Rest.');
  expect(mapped).toMatchObject({
    code: 'species-mapped',
    numbers: { table: 'mgi.csv', mapped: 3, unmapped: 1 },
  });
});

test('symbols are found by former symbols and aliases of their genes, and a caution reports it', async () => {
  const genes = new NamedGenes(genesOf(['CXCL12', 'ACKR3', 'CD274', 'PDCD1', 'ACTB', 'GAPDH']));
  const own = 'ligand,receptor\nCXCL12,CXCR7\nPD-L1,PDCD1';
  const { entries, find, cautions } = await lists().inDataset('pairs', { name: 'abridged', own }, { genes });
  expect(entries.flatMap(({ ligand, receptor }) => [...ligand, ...receptor].map(find))).toEqual([0, 1, 2, 3]);
  expect(cautions('').map(({ message }) => message)).toEqual([
    '2 genes of the pairs were matched by a former symbol or an alias: CXCR7 as ACKR3, PD-L1 as CD274.',
  ]);
});

test('the abridged set of pairs is offered, each with a reference', async () => {
  const { sets } = pairSets.parse((await api.get('/api/ligand-receptor-pairs')).body);
  expect(sets).toMatchObject([{ name: 'abridged', label: 'starter, abridged', species: 'human' }]);
  expect(sets[0]!.pair_count).toBeGreaterThanOrEqual(60);
});

test('a set of pairs tells how many a dataset has', async () => {
  const { sets } = pairSets.parse((await api.get(`/api/ligand-receptor-pairs?dataset=${id}`)).body);
  expect(sets[0]!.in_dataset).toEqual({ found_count: 0 });
  expect((await api.get('/api/ligand-receptor-pairs?dataset=gone.h5ad')).status).toBe(404);
});

test('the abridged set is offered with 45 types', async () => {
  const { sets } = markerSets.parse((await api.get('/api/cell-type-markers')).body);
  expect(sets).toMatchObject([
    { name: 'abridged', label: 'starter, abridged', species: 'human', type_count: 45 },
  ]);
});

test('a set says how many of its markers a dataset has, with those that make a run possible', async () => {
  const all = markerSets.parse((await api.get('/api/cell-type-markers')).body);
  expect(all.sets[0]!.in_dataset).toBeUndefined();
  const { sets } = markerSets.parse((await api.get(`/api/cell-type-markers?dataset=${id}`)).body);
  expect(sets[0]!.in_dataset).toMatchObject({ found_count: 0, largest_type_count: 0 });
  expect(sets[0]!.in_dataset!.marker_count).toBeGreaterThan(300);
  expect((await api.get('/api/cell-type-markers?dataset=gone.h5ad')).status).toBe(404);
});
