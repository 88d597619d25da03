import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { unpackStrings } from '@cellfolio/model';
import { OrthologueTables, OrthologuesExist, StoredOrthologues } from './orthologues.ts';
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

test('a damaged table hides no other, and is told as damaged', async () => {
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

test('a table is read once, when its pairs are asked for, and again when it is another', async () => {
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
    // Of the same size, so that its size does not tell.
    await stored.put({ ...table, text: 'Gfap\tGFAQ\n', replace: true });
    vi.advanceTimersByTime(5000);
    expect(await tables.version()).not.toBe(version);
    const [again] = (await tables.of('human')).tables;
    expect(unpackStrings(again!.toSymbols)).toEqual(['GFAQ']);
    await stored.remove('human', 'mouse');
    vi.advanceTimersByTime(5000);
    expect(await tables.of('human')).toEqual({ tables: [], damaged: [] });
  } finally {
    vi.useRealTimers();
  }
});
