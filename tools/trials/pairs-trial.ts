import {
  countAsHigh,
  EntryCollector,
  findInteractions,
  groupExpression,
  rankInteractions,
  scoreInteractions,
} from '@cellfolio/analysis';
import { SeededBits } from '../../bench/src/data/seeded-bits.ts';
import { poisson, shuffled, tally, type Trial } from './trial.ts';

const [cellCount, groupCount, pairCount, plantedPairs, permutations] = [500, 5, 24, 6, 1000];

export const pairsTrial: Trial = {
  name: 'ligand-receptor',
  planted: 'pairs in the groups where both are up, at an adjusted p of 0.05',
  nothing: 'interactions of cells whose groups are shuffled, at the same p',
  run(seed) {
    const { interactions, isPlanted } = interactionsOf(seed, true);
    const found = interactions.filter((one) => isPlanted(one) && one.adjustedP < 0.05);
    const { interactions: nothing } = interactionsOf(seed, false);
    return {
      planted: { found: found.length, of: plantedPairs },
      nothing: tally(nothing.keys(), (row) => nothing[row]!.adjustedP < 0.05),
    };
  },
};

/** Interactions of simulated groups; without effect those of the same cells, whose groups are shuffled. */
export function interactionsOf(seed: number, withEffect: boolean) {
  const bits = new SeededBits(seed);
  const labels = Uint16Array.from({ length: cellCount }, (_, cell) => cell % groupCount);
  const home = Array.from({ length: 2 * pairCount }, () => Math.floor(groupCount * bits.uniform()));
  const genes = home.map((group, gene) => {
    const mean = 0.3 + 0.7 * bits.uniform();
    const up = gene < 2 * plantedPairs ? 2 : 1;
    return Float32Array.from(labels, (label) => Math.log1p(poisson(bits, mean * (label === group ? up : 1))));
  });
  const order = withEffect ? undefined : shuffled(bits, cellCount);
  const interactions = tested(
    genes,
    order === undefined ? labels : labels.map((_, cell) => labels[order[cell]!]!),
  );
  const isPlanted = ({ pair, source, target }: (typeof interactions)[number]) =>
    pair < plantedPairs && source === home[2 * pair] && target === home[2 * pair + 1];
  return { interactions, isPlanted };
}

function tested(genes: readonly Float32Array[], labels: Uint16Array) {
  const cells = Int32Array.from(labels.keys());
  const collector = new EntryCollector(cells, { cells: cellCount, genes: genes.length });
  for (const values of genes) collector.count(cells, values);
  collector.counted(cellCount * genes.length);
  genes.forEach((values, gene) => collector.take(gene, cells, values));
  const entries = collector.entries();
  const sizes = new Float64Array(groupCount).fill(cellCount / groupCount);
  const groups = { labels, sizes };
  const pairs = Array.from({ length: pairCount }, (_, pair) => ({
    pair,
    ligand: [2 * pair],
    receptor: [2 * pair + 1],
  }));
  const expression = groupExpression(entries, groups);
  const { interactions } = findInteractions(pairs, expression, { minShare: 0.1, most: 1e5 });
  const scores = scoreInteractions(interactions, expression, 0.5);
  const counts = countAsHigh(
    { entries, groups, interactions, means: scores.means, seed: 0 },
    0,
    permutations,
  );
  const { adjustedPs, pValues } = rankInteractions(counts, permutations, scores);
  return Array.from(interactions.pairs, (pair, row) => ({
    pair,
    source: interactions.sources[row]!,
    target: interactions.targets[row]!,
    p: pValues[row]!,
    adjustedP: adjustedPs[row]!,
  }));
}
