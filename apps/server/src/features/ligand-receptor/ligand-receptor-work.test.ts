import { ligandReceptorParameters } from '@cellfolio/analysis/parameters';
import type { DatasetManifest } from '@cellfolio/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import { writeAnalysisDataset } from '../../testing/analysis-dataset.ts';
import { inlineCompute } from '../../testing/inline-compute.ts';
import { OrthologueTables, StoredOrthologues } from '../gene-sets/index.ts';
import { temporaryObjects, type TemporaryObjects } from '../gene-sets/testing/temporary-objects.ts';
import { subsetTasks } from '../subsets/build-mask.ts';
import { CellMasks } from '../subsets/cell-masks.ts';
import { datasetPairs, PairSets } from './dataset-pairs.ts';
import { LigandReceptorTests } from './ligand-receptor-tests.ts';
import { NamedGenes } from '../../runtime/gene-names/named-genes.ts';
import { InvalidListName, ListExists, mappingCautions } from '../reference-lists/index.ts';
import { ligandReceptorTasks } from './tasks.ts';

let store: TemporaryObjects;
let manifest: DatasetManifest;

beforeAll(async () => {
  store = await temporaryObjects();
  ({ manifest } = await writeAnalysisDataset(store.folder, 'work.h5ad'));
});
afterAll(() => store.remove());

function service(onTask: (kind: string) => void) {
  const datasets = new OpenDatasets(store.objects, { datasets: 4, cacheBytes: 0 });
  const compute = inlineCompute([...subsetTasks, ...ligandReceptorTasks], datasets, onTask);
  return new LigandReceptorTests({
    compute,
    datasets,
    masks: new CellMasks({ compute, datasets, scoring: () => expect.unreachable() }),
    means: { of: () => Promise.resolve(Float64Array.of(0.5)) },
    orthologues: new OrthologueTables(store.objects),
    sets: new PairSets(store.objects),
  });
}

const question = (more: object = {}) =>
  ligandReceptorParameters.parse({
    groupby: 'cell_type',
    own_pairs: 'ligand,receptor\nGENE1,GENE21\nGENE2,GENE22',
    permutations: 300,
    ...more,
  });
const waitingWith = (signal: AbortSignal, stages: string[] = []): CallContext => ({
  signal,
  users: () => [],
  onProgress: ({ stage }) => stages.push(stage),
});
const selection = () => ({ manifest, subset: undefined });
const csv = 'source_genesymbol,target_genesymbol\nGENE1,GENE21\n';
const set = {
  name: 'consensus-2024',
  release: '2024-05',
  licence: 'CC BY 4.0',
  species: 'human',
  origin: 'export.csv',
  csv,
} as const;

test('genes are read once for all permutations, and not again for the same question', async () => {
  const tasks: string[] = [];
  const stages: string[] = [];
  const tests = service((kind) => tasks.push(kind));
  const call = waitingWith(new AbortController().signal, stages);
  const [first, joined] = await Promise.all([
    tests.run(selection(), question(), call),
    tests.run(selection(), question(), call),
  ]);
  expect(joined).toBe(first);
  expect(tasks.filter((kind) => kind === 'pair-scores')).toHaveLength(1);
  expect(new Set(stages)).toEqual(
    new Set(['Finding the groups', 'Reading the genes', 'Permuting the labels', 'Ranking the interactions']),
  );
  const before = tasks.length;
  expect(await tests.run(selection(), question(), call)).toBe(first);
  expect(tasks).toHaveLength(before);
  tests.forget('work.h5ad');
  await tests.run(selection(), question(), call);
  expect(tasks.length).toBeGreaterThan(before);
});

test('nothing is permuted any more when its caller is gone', async () => {
  const controller = new AbortController();
  const tasks: string[] = [];
  const tests = service((kind) => {
    tasks.push(kind);
    if (kind === 'pair-scores') controller.abort(new Error('gone'));
  });
  await expect(tests.run(selection(), question(), waitingWith(controller.signal))).rejects.toThrow('gone');
  expect(tasks).not.toContain('pair-table');
});

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
  const tests = service(() => {});
  const result = await tests.run(
    selection(),
    question({ own_pairs: undefined, pairs: 'consensus-2024' }),
    waitingWith(new AbortController().signal),
  );
  expect(result.pairs.named.map(({ ligand }) => ligand)).toEqual(['GENE1', 'GENE2']);
  expect([await sets.remove('consensus-2024'), await sets.remove('consensus-2024')]).toEqual([true, false]);
});

test('a set that cannot be read hides no other', async () => {
  await store.objects.put('ligand-receptor-pairs/broken.json', new TextEncoder().encode('{'));
  const { lists, damaged } = await new PairSets(store.objects).all();
  expect([lists.map(({ name }) => name), damaged]).toEqual([['abridged'], ['broken']]);
  const run = service(() => {}).run(
    selection(),
    question({ own_pairs: undefined, pairs: 'broken' }),
    waitingWith(new AbortController().signal),
  );
  await expect(run).rejects.toMatchObject({ status: 409, code: 'pairs_damaged' });
});

test('human pairs are mapped to mouse genes by the table of orthologues, and refused without one', async () => {
  const symbols = ['Cxcl12', 'Cxcr4', 'H2-K1', 'Ppara', 'Trem2', 'Actb', 'Gapdh', 'Cd3e', 'Cd4', 'Cd8a'];
  const find = (name: string) => {
    const row = symbols.findIndex((symbol) => symbol.toUpperCase() === name.toUpperCase());
    return row < 0 ? undefined : row;
  };
  const genes = { symbols, ids: [], find } as never;
  const pairs = [{ ligand: ['CXCL12'], receptor: ['CXCR4', 'HLA-A'], reference: '' }];
  const human = { ...set, label: '', count: 1, version: '1', entries: pairs };
  await expect(
    datasetPairs(human, { genes }, { of: () => Promise.resolve({ tables: [], damaged: [] }) }),
  ).rejects.toMatchObject({ status: 422, code: 'species_mismatch' });
  await new StoredOrthologues(store.objects).put({
    text: 'mouse,human\nCxcl12,CXCL12\nCxcr4,CXCR4\nH2-K1,HLA-A\n',
    from: 'mouse',
    to: 'human',
    origin: 'mgi.csv',
    replace: true,
  });
  const result = await datasetPairs(human, { genes }, new OrthologueTables(store.objects));
  expect(result.named).toEqual([{ ligand: 'Cxcl12', receptor: 'Cxcr4+H2-K1', reference: '' }]);
  expect(result.mapping).toMatchObject({ by: 'table', dataset: 'mouse', set: 'human', table: 'mgi.csv' });
});

test('pairs are found by former symbols and aliases of their genes, and a caution reports it', async () => {
  const symbols = ['CXCL12', 'ACKR3', 'CD274', 'PDCD1', 'ACTB', 'GAPDH'];
  const find = (name: string) => {
    const row = symbols.indexOf(name.toUpperCase());
    return row < 0 ? undefined : row;
  };
  const genes = new NamedGenes({ symbols, ids: [], find });
  const pairs = [
    { ligand: ['CXCL12'], receptor: ['CXCR7'], reference: '' },
    { ligand: ['PD-L1'], receptor: ['PDCD1'], reference: '' },
  ];
  const human = { ...set, label: '', count: 2, version: '1', entries: pairs };
  const matchedPairs = await datasetPairs(
    human,
    { genes },
    { of: () => Promise.resolve({ tables: [], damaged: [] }) },
  );
  expect(matchedPairs.named.map(({ ligand, receptor }) => [ligand, receptor])).toEqual([
    ['CXCL12', 'ACKR3'],
    ['CD274', 'PDCD1'],
  ]);
  expect(mappingCautions(matchedPairs, 'pairs', '').map(({ message }) => message)).toEqual([
    '2 genes of the pairs were matched by a former symbol or an alias: CXCR7 as ACKR3, PD-L1 as CD274.',
  ]);
});
