import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cellStateNames } from '@cellfolio/contract';
import { describe, expect, test } from 'vitest';
import { starterSets } from './starter-sets.ts';

const shared = process.env.CELLFOLIO_SHARED
  ? resolve(process.env.CELLFOLIO_SHARED)
  : fileURLToPath(new URL('../../../../../shared', import.meta.url));
const published = publishedHallmarks();

/** The genes of the published hallmark sets by our names, or undefined where they are not at hand. */
function publishedHallmarks(): Map<string, ReadonlySet<string>> | undefined {
  const path = join(shared, 'data/gene_sets/h.all.v7.0.symbols.gmt');
  try {
    return new Map(
      readFileSync(path, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => {
          const [name = '', , ...genes] = line.split('\t');
          return [name.replace('HALLMARK_', '').replaceAll('_', ' '), new Set(genes)];
        }),
    );
  } catch {
    console.warn(`SKIPPED: ${path} is not there; the starter was not compared with the published sets.`);
    return undefined;
  }
}

describe('the hallmark states of the starter', () => {
  test('M34 are the 50 that the explorer offers, in its order, with 20 to 60 genes each', async () => {
    const { sets } = await starterSets('hallmark states');
    expect(sets.map(({ name }) => name)).toEqual(cellStateNames);
    expect(sets.filter(({ genes }) => genes.length < 20 || genes.length > 60)).toEqual([]);
  });

  test.skipIf(!published)('M63 hold members of the published sets, and a part of each only', async () => {
    const { sets } = await starterSets('hallmark states');
    const shares = sets.map(({ name, genes }) => {
      const real = published?.get(name) ?? new Set();
      return {
        name,
        members: genes.filter((gene) => real.has(gene)).length / genes.length,
        part: genes.length / real.size,
      };
    });
    expect(shares.filter(({ members }) => members < 0.95)).toEqual([]);
    expect(shares.filter(({ part }) => part > 0.7)).toEqual([]);
  });
});

describe('the pathways of the starter', () => {
  test('M63 are some 60 or more, each under a name of its own with 15 to 60 genes', async () => {
    const { sets } = await starterSets('pathways');
    expect(sets.length).toBeGreaterThanOrEqual(60);
    expect(new Set(sets.map(({ name }) => name)).size).toBe(sets.length);
    expect(sets.filter(({ genes }) => genes.length < 15 || genes.length > 60)).toEqual([]);
  });
});

test('every gene of the starter is written as a human gene symbol', async () => {
  const sets = [...(await starterSets('hallmark states')).sets, ...(await starterSets('pathways')).sets];
  const odd = sets
    .flatMap(({ genes }) => genes)
    .filter((gene) => !/^[A-Z][A-Z0-9]+(?:-[A-Z0-9]+)?$/.test(gene));
  expect(odd).toEqual([]);
});
