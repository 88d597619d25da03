import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { geneSetsOf } from '@cellfolio/analysis';
import { realData } from '@cellfolio/model/testing/real-data';
import { expect, test } from 'vitest';
import { builtInSets, offeredLibraries } from './built-in-libraries.ts';

const setsOf = async (name: string) =>
  geneSetsOf(await builtInSets(offeredLibraries.find((offered) => offered.name === name)!.builtIn));

function sourceSets(file: string): { name: string; genes: string[] }[] {
  return readFileSync(realData(join('gene_sets', file)), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [name = '', , ...genes] = line.split('\t');
      return { name, genes: genes.sort() };
    });
}

test.each([
  ['MSigDB_Hallmark_2020', 'h.all.v7.0.symbols.gmt'],
  ['GO_Biological_Process_2023', 'enrichr.GO_Biological_Process_2021.gmt'],
])('the built-in %s has every set and gene of its source, in the order of the sets', async (name, file) => {
  expect(await setsOf(name)).toEqual(sourceSets(file));
});

test('the abridged pathways of KEGG hold members of the published pathways of the same name', async () => {
  const published = new Map(
    sourceSets('enrichr.KEGG_2016.gmt').map(({ name, genes }) => [
      name.replace(/ Homo sapiens hsa\d+$/, '').toLowerCase(),
      new Set(genes),
    ]),
  );
  const shares = (await setsOf('KEGG_2021_Human')).flatMap(({ name, genes }) => {
    const real = published.get(name.toLowerCase());
    // The library is from 2016: genes that were renamed or added since are not in it.
    return real ? [genes.filter((gene) => real.has(gene)).length / genes.length] : [];
  });
  expect(shares.length).toBeGreaterThan(60);
  expect(shares.filter((share) => share >= 0.85).length / shares.length).toBeGreaterThan(0.8);
});
