import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { InvalidGmt } from '@cellfolio/analysis';
import { StoreWriteFailed } from '@cellfolio/store';
import { cellStateNames } from '@cellfolio/contract';
import { InvalidLibraryName, LibraryDamaged, LibraryExists } from './errors.ts';
import { type NewLibrary, StoredLibraries, cellStateOf } from './stored-libraries.ts';
import { enrichrHallmarkNames } from './testing/enrichr-hallmark-names.ts';
import { temporaryObjects, type TemporaryObjects } from './testing/temporary-objects.ts';

let store: TemporaryObjects;
let stored: StoredLibraries;

beforeEach(async () => {
  store = await temporaryObjects();
  stored = new StoredLibraries(store.objects);
});
afterEach(() => store.remove());

function library(text: string, options: Partial<NewLibrary> = {}): NewLibrary {
  return {
    name: 'Mine',
    bytes: new TextEncoder().encode(text),
    source: 'file',
    origin: 'mine.gmt',
    replace: false,
    ...options,
  };
}

const small = 'A\t\tCDK1\tPLK1\nB\t\tCDK1\tBAX\n';
const folderOf = (name: string) => join(store.folder, 'gene-sets', name);

describe('a library that is put', () => {
  test('is kept byte for byte, with counts, origin and the checksum of its file', async () => {
    const odd = '\uFEFFA\t\tCDK1\tPLK1\r\nB\tΔ\tCDK1\tBAX';
    await stored.put(library(odd));
    const record = await stored.find('Mine');
    expect(record).toMatchObject({
      name: 'Mine',
      source: 'file',
      origin: 'mine.gmt',
      sha256: createHash('sha256').update(odd).digest('hex'),
      bytes: Buffer.byteLength(odd),
      setCount: 2,
      geneCount: 3,
      cellStateCount: 0,
    });
    expect(await readFile(join(folderOf('Mine'), record?.text ?? ''), 'utf8')).toBe(odd);
  });

  test('knows how many of the cell states it holds, each counted once', async () => {
    const lines = [...enrichrHallmarkNames, 'HALLMARK_HYPOXIA', 'Cell cycle'].map(
      (name) => `${name}\t\tTP53\n`,
    );
    const { record } = await stored.put(library(lines.join('')));
    expect(record.cellStateCount).toBe(50);
  });

  test('is refused under a taken name, unless it replaces; nothing of the old one remains then', async () => {
    await stored.put(library(small));
    const other = library('C\t\tTP53\n');
    await expect(stored.put(other)).rejects.toThrow(LibraryExists);
    expect((await stored.find('Mine'))?.setCount).toBe(2);
    await stored.put({ ...other, replace: true });
    const record = await stored.find('Mine');
    expect(record?.setCount).toBe(1);
    expect((await readdir(folderOf('Mine'))).sort()).toEqual([record?.text, 'library.json'].sort());
  });

  test.each(['mine', 'kegg_2021_human'])('is refused as %s, which differs only in case', async (name) => {
    await stored.put(library(small));
    const put = stored.put(library(small, { name, replace: true }));
    await expect(put).rejects.toThrow(/differs from .+ only in case/);
  });

  test.each(['', '.', '..', '.hidden', 'a/b', '../x', 'a b', 'é', 'x'.repeat(81), 'a\0', '<b>'])(
    'is refused under the name %j',
    async (name) => {
      await expect(stored.put(library(small, { name }))).rejects.toThrow(InvalidLibraryName);
      expect(await stored.all()).toEqual({ records: [], damaged: [] });
    },
  );

  test('may be called __proto__', async () => {
    await stored.put(library(small, { name: '__proto__' }));
    expect((await stored.all()).records.map(({ name }) => name)).toEqual(['__proto__']);
  });

  test('leaves the old one as it was where it is malformed or cannot be written', async () => {
    await stored.put(library(small));
    const before = await readdir(folderOf('Mine'));
    await expect(stored.put(library('no tabs\n', { replace: true }))).rejects.toThrow(InvalidGmt);
    await expect(stored.put(library('no tabs\n', { replace: true }))).rejects.toThrow(/mine\.gmt, line 1/);
    const failing = new StoredLibraries({
      ...store.objects,
      put: (key, body) =>
        key.endsWith('library.json')
          ? Promise.reject(new StoreWriteFailed(key, { cause: new Error('the disk is full') }))
          : store.objects.put(key, body),
    });
    await expect(failing.put(library('C\t\tTP53\n', { replace: true }))).rejects.toThrow(/disk is full/);
    expect(await readdir(folderOf('Mine'))).toEqual(before);
    expect((await stored.find('Mine'))?.setCount).toBe(2);
  });

  test('by two processes at once is one of the two, whole', async () => {
    await stored.put(library(small));
    const texts = ['C\t\tTP53\n', 'D\t\tTP53\tMDM2\n', 'E\t\tTP53\nF\t\tMDM2\n'];
    await Promise.all(texts.map((text) => stored.put(library(text, { replace: true }))));
    const record = await stored.find('Mine');
    expect(texts).toContain(record && (await stored.text(record)));
  });
});

describe('a damaged library', () => {
  test.each([
    ['is not JSON', '{'],
    ['is incomplete', '{"name":"Mine"}'],
    ['belongs to another library', ''],
  ])(
    'whose record %s is listed as such, does not hide the others, and can be replaced',
    async (reason, record) => {
      await stored.put(library(small));
      await stored.put(library(small, { name: 'Other' }));
      const path = join(folderOf('Mine'), 'library.json');
      await writeFile(path, record || (await readFile(join(folderOf('Other'), 'library.json'))));
      const { records, damaged } = await stored.all();
      expect(records.map(({ name }) => name)).toEqual(['Other']);
      expect(damaged).toEqual([{ name: 'Mine', reason: expect.stringContaining(reason) }]);
      await expect(stored.put(library(small))).rejects.toThrow(LibraryExists);
      await stored.put(library(small, { replace: true }));
      expect((await stored.all()).damaged).toEqual([]);
      expect(await readdir(folderOf('Mine'))).toHaveLength(2);
    },
  );

  test('whose text was altered is not believed', async () => {
    const { record } = await stored.put(library(small));
    await writeFile(join(folderOf('Mine'), record.text), small.replace('BAX', 'BAD'));
    await expect(stored.text(record)).rejects.toThrow(LibraryDamaged);
    await expect(stored.text(record)).rejects.toThrow(/Mine is damaged.*checksum/);
  });
});

test('a removed library is gone with its text, and removing it again says so', async () => {
  await stored.put(library(small));
  expect(await stored.remove('Mine')).toBe(true);
  expect(await stored.all()).toEqual({ records: [], damaged: [] });
  expect(await readdir(folderOf('Mine'))).toEqual([]);
  expect(await stored.remove('Mine')).toBe(false);
});

describe('the cell states', () => {
  test('are 50 different names in alphabetical order', () => {
    expect(new Set(cellStateNames).size).toBe(50);
    expect([...cellStateNames].sort()).toEqual(cellStateNames);
    expect(cellStateNames).toContain('TNFA SIGNALING VIA NFKB');
    expect(cellStateNames[0]).toBe('ADIPOGENESIS');
    expect(cellStateNames[49]).toBe('XENOBIOTIC METABOLISM');
  });

  test('are found under all 50 spellings of Enrichr', () => {
    expect(enrichrHallmarkNames.map((name) => cellStateOf(name)).sort()).toEqual(cellStateNames);
  });

  test('are found under the names of MSigDB, an old misspelling included', () => {
    const names = cellStateNames.map((name) => `HALLMARK_${name.replaceAll(' ', '_')}`);
    expect(names.map((name) => cellStateOf(name))).toEqual(cellStateNames);
    expect(cellStateOf('HALLMARK_REACTIVE_OXIGEN_SPECIES_PATHWAY')).toBe('REACTIVE OXYGEN SPECIES PATHWAY');
  });

  test.each(['Cell cycle', 'HALLMARK', '', '__proto__', 'APOPTOSIS 2'])('are not found under %j', (name) => {
    expect(cellStateOf(name)).toBeUndefined();
  });
});
