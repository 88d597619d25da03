import { afterEach, beforeEach, expect, test } from 'vitest';
import { unpackStrings } from '@cellfolio/model';
import { OrthologueTables } from './orthologue-tables.ts';
import { OrthologuesExist, StoredOrthologues } from './stored-orthologues.ts';
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
  expect(await tables.of('rat')).toEqual([]);
  const [found] = await tables.of('human');
  expect(unpackStrings(found!.fromSymbols)).toEqual(['Gfap']);
  expect(found!.toSymbols.bytes.buffer).toBeInstanceOf(SharedArrayBuffer);
});
