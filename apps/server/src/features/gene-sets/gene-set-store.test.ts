import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cellStateNames } from '@cellfolio/contract';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LibraryDamaged, UnknownLibrary } from './errors.ts';
import { GeneSetLibraries } from './gene-set-store.ts';
import { StoredLibraries } from './stored-libraries.ts';
import { enrichrHallmarkNames } from './testing/enrichr-hallmark-names.ts';
import { enrichrText } from './testing/fake-publisher.ts';
import { temporaryObjects, type TemporaryObjects } from './testing/temporary-objects.ts';

let store: TemporaryObjects;
let libraries: GeneSetLibraries;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  store = await temporaryObjects();
  libraries = new GeneSetLibraries(store.objects);
});
afterEach(async () => {
  vi.useRealTimers();
  await store.remove();
});

async function put(name: string, text: string, source: 'publisher' | 'file' = 'publisher') {
  const stored = new StoredLibraries(store.objects);
  const bytes = new TextEncoder().encode(text);
  return (await stored.put({ name, bytes, source, origin: `${name}.gmt`, replace: true })).record;
}

const later = () => vi.advanceTimersByTime(5000);
const textReads = () => store.reads.filter((key) => key.endsWith('.gmt'));

const hallmarks = enrichrText(enrichrHallmarkNames.map((name) => [name, `G_${name.replaceAll(/\W/g, '')}`]));

describe('the four offered libraries', () => {
  test('are there without network: two whole, two as starters that say so', async () => {
    expect(
      (await libraries.list()).map(({ name, source, title, setCount }) => [name, source, title, setCount]),
    ).toEqual([
      ['KEGG_2021_Human', 'starter', 'KEGG 2021, abridged', 111],
      ['MSigDB_Hallmark_2020', 'built-in', 'MSigDB Hallmark 7.0', 50],
      ['GO_Biological_Process_2023', 'built-in', 'GO Biological Process 2021', 6036],
      ['Reactome_Pathways_2024', 'starter', 'Reactome 2024, abridged', 125],
    ]);
    const kegg = await libraries.load('KEGG_2021_Human');
    expect(kegg).toMatchObject({ name: 'KEGG_2021_Human', source: 'starter', title: 'KEGG 2021, abridged' });
    expect(kegg.sets.find(({ name }) => name === 'T cell receptor signaling pathway')?.genes).toContain(
      'ZAP70',
    );
    const { sets, version } = await libraries.read('GO_Biological_Process_2023');
    expect(sets.names).toHaveLength(6036);
    expect(version).toBe((await libraries.head('GO_Biological_Process_2023')).version);
    expect(version).not.toBe(kegg.version);
  });

  test('are the fetched ones once they are stored, under their own names, and built-in again when removed', async () => {
    await libraries.list();
    const record = await put('KEGG_2021_Human', enrichrText([['Cell cycle', 'CDK1', 'PLK1']]));
    later();
    const fetched = {
      source: 'publisher',
      title: 'KEGG_2021_Human',
      release: `fetched ${record.storedAt.slice(0, 10)}`,
      licence: expect.stringContaining('KEGG'),
      citation: expect.stringContaining('Kanehisa'),
    };
    expect((await libraries.list())[0]).toEqual({
      ...fetched,
      name: 'KEGG_2021_Human',
      setCount: 1,
      geneCount: 2,
      storedAt: record.storedAt,
      origin: 'KEGG_2021_Human.gmt',
      version: record.sha256,
    });
    expect(await libraries.load('KEGG_2021_Human')).toEqual({
      ...fetched,
      name: 'KEGG_2021_Human',
      setCount: 1,
      sets: [{ name: 'Cell cycle', genes: ['CDK1', 'PLK1'] }],
      version: record.sha256,
      warnings: [],
    });
    await new StoredLibraries(store.objects).remove('KEGG_2021_Human');
    later();
    expect((await libraries.load('KEGG_2021_Human')).source).toBe('starter');
  });
});

describe('an added library', () => {
  test('shows in a running server within seconds, after the offered ones', async () => {
    await expect(libraries.load('Mine')).rejects.toThrow(UnknownLibrary);
    await put('Mine', 'A\t\tCDK1\n', 'file');
    later();
    expect((await libraries.list()).slice(4)).toMatchObject([
      {
        name: 'Mine',
        release: expect.stringMatching(/^file Mine\.gmt, added \d{4}-\d\d-\d\d$/),
        licence: 'not stated',
        citation: '',
      },
    ]);
    expect((await libraries.load('Mine')).sets).toEqual([{ name: 'A', genes: ['CDK1'] }]);
  });

  test('is read and parsed once for all requests, until it changes', async () => {
    await put('Mine', 'A\t\tCDK1\n', 'file');
    const [one, two] = await Promise.all([libraries.load('Mine'), libraries.load('Mine')]);
    expect(two).toBe(one);
    later();
    expect(await libraries.load('Mine')).toBe(one);
    expect(textReads()).toHaveLength(1);
    await put('Mine', 'A\t\tPLK1\n', 'file');
    later();
    const changed = await libraries.load('Mine');
    expect(changed.sets).toEqual([{ name: 'A', genes: ['PLK1'] }]);
    expect(changed.version).not.toBe(one.version);
  });

  test('that is replaced during a request is returned in its new version', async () => {
    await put('Mine', 'A\t\tCDK1\n', 'file');
    await libraries.list();
    await put('Mine', 'A\t\tPLK1\n', 'file');
    // The listing is still believed; the text it names is gone.
    expect((await libraries.load('Mine')).sets).toEqual([{ name: 'A', genes: ['PLK1'] }]);
  });

  test('passes on what is doubtful about it', async () => {
    await put('Mine', 'A\t\tCDK1\nB\t\t\n', 'file');
    expect((await libraries.load('Mine')).warnings).toEqual([expect.stringMatching(/line 2.*"B".*no genes/)]);
  });
});

test('an unknown library is refused with the names that are known', async () => {
  await put('Mine', 'A\t\tCDK1\n', 'file');
  const failure = libraries.load('<script>');
  await expect(failure).rejects.toThrow(UnknownLibrary);
  await expect(failure).rejects.toMatchObject({
    library: '<script>',
    available: [
      'KEGG_2021_Human',
      'MSigDB_Hallmark_2020',
      'GO_Biological_Process_2023',
      'Reactome_Pathways_2024',
      'Mine',
    ],
  });
  await expect(libraries.load('__proto__')).rejects.toThrow(UnknownLibrary);
});

test('a damaged library is never replaced by a built-in one in silence', async () => {
  const record = await put('MSigDB_Hallmark_2020', hallmarks);
  const folder = join(store.folder, 'gene-sets/MSigDB_Hallmark_2020');
  await writeFile(join(folder, record.text), 'A\t\tCDK1\n');
  await expect(libraries.load('MSigDB_Hallmark_2020')).rejects.toThrow(LibraryDamaged);
  await expect(libraries.cellStates()).rejects.toThrow(LibraryDamaged);
  await writeFile(join(folder, 'library.json'), '{}');
  later();
  await expect(libraries.load('MSigDB_Hallmark_2020')).rejects.toThrow(/record is incomplete/);
  await expect(libraries.cellStates()).rejects.toThrow(/record is incomplete/);
  expect((await libraries.list())[1]).toMatchObject({
    name: 'MSigDB_Hallmark_2020',
    damaged: 'its record is incomplete',
  });
});

describe('the cell states', () => {
  test('are the 50 built-in ones, whole, where nothing is stored', async () => {
    const states = await libraries.cellStates();
    expect(states).toMatchObject({ title: 'MSigDB Hallmark 7.0', licence: 'CC BY 4.0' });
    expect(states.sets.map(({ name }) => name)).toEqual(cellStateNames);
    const hypoxia = states.sets.find(({ name }) => name === 'HYPOXIA')?.genes;
    expect(hypoxia).toHaveLength(200);
    expect(hypoxia).toContain('VEGFA');
    expect(await libraries.cellStates()).toBe(states);
  });

  test('come from the fetched library under our names', async () => {
    await put('MSigDB_Hallmark_2020', hallmarks);
    const states = await libraries.cellStates();
    expect(states).toMatchObject({ title: 'MSigDB_Hallmark_2020', source: 'publisher' });
    expect(states.sets.map(({ name }) => name)).toEqual(cellStateNames);
    expect(states.sets.find(({ name }) => name === 'PEROXISOME')?.genes).toEqual(['G_Pperoxisome']);
    expect(states.sets.find(({ name }) => name === 'TNFA SIGNALING VIA NFKB')?.genes).toEqual([
      'G_TNFalphaSignalingviaNFkB',
    ]);
    // The same genes under other names: another version, or a cache would mix them up.
    expect(states.version).not.toBe((await libraries.load('MSigDB_Hallmark_2020')).version);
  });

  test('come from a file with the names of MSigDB where nothing was fetched', async () => {
    const text = cellStateNames.map((name) => `HALLMARK_${name.replaceAll(' ', '_')}\turl\tTP53\n`).join('');
    await put('h.all.symbols', text, 'file');
    const states = await libraries.cellStates();
    expect(states).toMatchObject({ title: 'h.all.symbols', source: 'file' });
    expect(states.sets).toEqual(cellStateNames.map((name) => ({ name, genes: ['TP53'] })));
    later();
    await put('MSigDB_Hallmark_2020', hallmarks);
    later();
    expect((await libraries.cellStates()).name).toBe('MSigDB_Hallmark_2020');
  });

  test('are the built-in ones, with a warning, where the stored library lacks some', async () => {
    await put('MSigDB_Hallmark_2020', enrichrText([['Hypoxia', 'VEGFA']]));
    const states = await libraries.cellStates();
    expect(states).toMatchObject({ source: 'built-in', title: 'MSigDB Hallmark 7.0' });
    expect(states.warnings).toEqual([expect.stringContaining('1 of the 50 cell states')]);
  });
});
