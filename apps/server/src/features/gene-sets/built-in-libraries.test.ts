import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { type GeneSetColumns, geneSetsOf } from '@cellfolio/analysis';
import { cellStateNames } from '@cellfolio/contract';
import { describe, expect, test } from 'vitest';
import { builtInSets, unpackGeneSets, offeredLibraries } from './built-in-libraries.ts';
import { cellStateOf } from './stored-libraries.ts';

const project = fileURLToPath(new URL('../../../../..', import.meta.url));

const bytesOf = (file: string) => readFile(new URL(`./built-in/${file}`, import.meta.url));
const builtIn = (name: string) => {
  const library = offeredLibraries.find((offered) => offered.name === name);
  if (!library) throw new Error(name);
  return library.builtIn;
};
const setsOf = async (name: string) => geneSetsOf(await builtInSets(builtIn(name)));

test.each(offeredLibraries)(
  'the declared facts of the built-in $name agree with its file',
  async ({ builtIn: { file, version, setCount, geneCount, source, title, release, licence, citation } }) => {
    expect(
      createHash('sha256')
        .update(await bytesOf(file))
        .digest('hex'),
    ).toBe(version);
    const sets = await builtInSets({ file });
    expect({ setCount: sets.names.length, geneCount: sets.symbols.length }).toEqual({ setCount, geneCount });
    expect(new Set(sets.names).size).toBe(setCount);
    expect(new Set(sets.genes).size).toBe(geneCount);
    expect([title, release, licence].filter((field) => field === '')).toEqual([]);
    // Others' facts are cited; what is ours is said to be abridged.
    expect(citation === '').toBe(source === 'starter');
    expect(title.endsWith(', abridged')).toBe(source === 'starter');
  },
);

test('NOTICE names release, licence and citation of what is built in whole', async () => {
  const notice = (await readFile(join(project, 'NOTICE'), 'utf8')).replaceAll(/\s+/g, ' ');
  const whole = offeredLibraries
    .map((offered) => offered.builtIn)
    .filter(({ source }) => source === 'built-in');
  expect(whole).toHaveLength(2);
  for (const { file, licence, citation } of whole) {
    for (const phrase of [file, licence, ...citation.match(/10\.\d{4}\/\S+?(?=;|$)/g)!])
      expect(notice).toContain(phrase);
  }
});

describe('the compact form', () => {
  const symbols = Array.from({ length: 400 }, (_, i) => `G${String(i).padStart(3, '0')}`);
  const packed = (numbers: number[], names = ['A', 'B']) =>
    brotliCompressSync(
      Buffer.concat([Buffer.from(`${symbols.join('\t')}\n${names.join('\t')}\n`), Buffer.from(numbers)]),
    );
  const readable = (sets: GeneSetColumns) => geneSetsOf(sets).map(({ name, genes }) => [name].concat(genes));

  test('writes steps between genes, of more than one byte from 128 on', async () => {
    const sets = await unpackGeneSets(packed([2, 0, 0xac, 0x02, 1, 3]));
    expect(readable(sets)).toEqual([
      ['A', 'G000', 'G301'],
      ['B', 'G003'],
    ]);
  });

  test.each([
    ['breaks off', [2, 0, 1, 1]],
    ['breaks off within a number', [1, 0x80]],
    ['names a gene that is not there', [1, 0xff, 0x7f, 0]],
    ['goes on after its end', [1, 0, 1, 0, 7]],
  ])('that %s is refused', async (_what, numbers) => {
    await expect(unpackGeneSets(packed(numbers))).rejects.toThrow(RangeError);
  });

  test('that is cut or has no line is refused', async () => {
    const bytes = await bytesOf('msigdb-hallmark-7.0.sets');
    await expect(unpackGeneSets(bytes.subarray(0, 5000))).rejects.toThrow(/unexpected end/);
    await expect(unpackGeneSets(brotliCompressSync(Buffer.from('A\tB')))).rejects.toThrow(RangeError);
  });

  test('of GO takes a sixth of its text, and no process reads it before the first request', async () => {
    const bytes = await bytesOf('go-biological-process-2021.sets');
    expect(bytes.length).toBeLessThan(270_000);
    // Names, symbols and a byte or two for each gene of a set.
    expect(brotliDecompressSync(bytes).length).toBeLessThan(800_000);
  });
});

test('the built-in hallmark sets are the fifty states, whole', async () => {
  const sets = await setsOf('MSigDB_Hallmark_2020');
  expect(sets.map(({ name }) => cellStateOf(name)).sort()).toEqual(cellStateNames);
  const sizes = new Map(sets.map(({ name, genes }) => [cellStateOf(name), genes.length]));
  expect(sizes.get('HYPOXIA')).toBe(200);
  expect(sets.reduce((sum, { genes }) => sum + genes.length, 0)).toBe(7322);
});

describe('the abridged pathways', () => {
  const names = ['KEGG_2021_Human', 'Reactome_Pathways_2024'];

  test.each(names)(
    'of %s are 60 or more, each under a name of its own with 10 genes or more',
    async (name) => {
      const sets = await setsOf(name);
      expect(sets.length).toBeGreaterThanOrEqual(60);
      expect(new Set(sets.map((set) => set.name)).size).toBe(sets.length);
      expect(sets.filter(({ genes }) => genes.length < 10)).toEqual([]);
    },
  );

  test('of KEGG and of Reactome share no name, and no two sets are nearly the same', async () => {
    const [kegg = [], reactome = []] = await Promise.all(names.map(setsOf));
    const alike = kegg.flatMap((one) =>
      reactome
        .map((other) => {
          const shared = other.genes.filter((gene) => one.genes.includes(gene)).length;
          return {
            one: one.name,
            other: other.name,
            of: shared / (one.genes.length + other.genes.length - shared),
          };
        })
        .filter(({ one: name, other, of }) => of > 0.8 || name === other),
    );
    expect(alike).toEqual([]);
  });

  test.each(names)(
    'of %s are written in human gene symbols that GO knows, but for some kinds',
    async (name) => {
      const librarySymbols = new Set((await builtInSets(builtIn('GO_Biological_Process_2023'))).symbols);
      const { symbols } = await builtInSets(builtIn(name));
      expect(symbols.filter((symbol) => !/^[A-Z][A-Z0-9]+(?:-[A-Z0-9]+)?$/.test(symbol))).toEqual([]);
      const unknown = symbols.filter((symbol) => !librarySymbols.has(symbol));
      expect(unknown.length / symbols.length).toBeLessThan(0.05);
    },
  );
});
