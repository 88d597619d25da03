import { createRandom } from '@cellfolio/analysis';
import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { NamedGenes } from './named-genes.ts';

const seeds = 20;
const namesOfSeed = 500;
/** Share of the genes that a dataset has: an annotation leaves out pseudogenes and the like. */
const present = 0.6;

const genes = brotliDecompressSync(readFileSync(new URL('human.names', import.meta.url)))
  .toString('utf8')
  .split('\n')
  .map((line) => {
    const [symbol, former, aliases] = line.split('\t').map((names) => names.split('|').filter(Boolean));
    return { symbol: symbol![0]!, former: former!, aliases: aliases! };
  });
type Gene = (typeof genes)[number];

/** Genes as a dataset has them, found by their symbols alone; and that with all names. */
function datasetOf(symbols: readonly string[]) {
  const rows = new Map(symbols.map((symbol, row) => [symbol.toUpperCase(), row]));
  const find = (name: string) => rows.get(name.toUpperCase());
  return { find, named: new NamedGenes({ symbols, ids: [], find }) };
}

/**
 * Shares of names found before and now, for genes that a dataset has, and taken for another gene, for those it lacks.
 */
function ratesOf(seed: number, nameOf: (gene: Gene) => string | undefined, spelled: (gene: Gene) => string) {
  const random = createRandom(`names ${seed}`);
  const inDataset = genes.map(() => random.uniform() < present);
  const symbols = genes.filter((_, gene) => inDataset[gene]).map(spelled);
  const { find, named } = datasetOf(symbols);
  const rates = { total: 0, before: 0, right: 0, wrong: 0, absent: 0, taken: 0 };
  while (rates.total < namesOfSeed) {
    const place = Math.floor(random.uniform() * genes.length);
    const gene = genes[place]!;
    const name = nameOf(gene);
    if (name === undefined || name === spelled(gene)) continue;
    const row = named.find(name);
    if (!inDataset[place]) {
      rates.absent++;
      if (row !== undefined) rates.taken++;
      continue;
    }
    rates.total++;
    if (find(name) !== undefined) rates.before++;
    if (row === undefined) continue;
    if (symbols[row] === spelled(gene)) rates.right++;
    else rates.wrong++;
  }
  return rates;
}

/** The lowest and the highest share of 20 seeds. */
function range(shares: readonly number[]): [number, number] {
  return [Math.min(...shares), Math.max(...shares)];
}

/** The table of docs/false-discoveries.md. */
test.each([
  ['former symbols', ({ former }: Gene) => former[0], ({ symbol }: Gene) => symbol, 0.97, 0],
  ['aliases', ({ aliases }: Gene) => aliases[0], ({ symbol }: Gene) => symbol, 0.9, 0.02],
  [
    'symbols of a newer year',
    ({ symbol }: Gene) => symbol,
    ({ symbol, former }: Gene) => former[0] ?? symbol,
    0.97,
    0,
  ],
] as const)(
  '%s find the genes that they mean in 20 datasets, and hardly any other',
  (_, nameOf, spelled, minRight, maxWrong) => {
    const all = Array.from({ length: seeds }, (_, seed) => ratesOf(seed + 1, nameOf, spelled));
    const figures = {
      before: range(all.map(({ before, total }) => before / total)),
      right: range(all.map(({ right, total }) => right / total)),
      wrong: range(all.map(({ wrong, total }) => wrong / total)),
      taken: range(all.map(({ taken, absent }) => taken / absent)),
    };
    expect(figures.before).toEqual([0, 0]);
    expect(figures.right[0]).toBeGreaterThan(minRight);
    expect(figures.wrong[1]).toBeLessThanOrEqual(maxWrong);
    expect(figures.taken[1]).toBeLessThanOrEqual(maxWrong);
  },
);
