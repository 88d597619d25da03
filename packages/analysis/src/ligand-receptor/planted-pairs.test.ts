import { expect, test } from 'vitest';
import { LegacyRandomState } from '../random/legacy-random-state.ts';
import { groupExpression } from './group-expression.ts';
import { rankInteractions } from './interaction-ranks.ts';
import { findInteractions, scoreInteractions } from './interactions.ts';
import { EntryCollector } from './needed-entries.ts';
import { countAsHigh } from './permuted-means.ts';

const [cellCount, groupCount, pairCount, planted] = [400, 5, 24, 6];
const geneCount = 2 * pairCount;
const permutations = 200;

function simulated(seed: number) {
  const random = new LegacyRandomState(seed);
  const uniform = () => (random.nextUint32() + 0.5) / 2 ** 32;
  const poisson = (rate: number) => {
    let [count, product] = [0, uniform()];
    for (const limit = Math.exp(-rate); product > limit; count++) product *= uniform();
    return count;
  };
  const labels = Uint16Array.from({ length: cellCount }, (_, cell) => cell % groupCount);
  const home = Array.from({ length: geneCount }, () => random.interval(groupCount - 1));
  const rates = Array.from({ length: geneCount }, () => 0.3 + 0.7 * uniform());
  const collector = new EntryCollector(Int32Array.from(labels.keys()), {
    cells: cellCount,
    genes: geneCount,
  });
  const cells = Int32Array.from(labels.keys());
  const genes: Float32Array[] = [];
  for (let gene = 0; gene < geneCount; gene++) {
    const isPlanted = gene < 2 * planted;
    const values = Float32Array.from(labels, (group) =>
      Math.log1p(poisson(rates[gene]! * (isPlanted && group === home[gene] ? 2.5 : 1))),
    );
    collector.count(cells, values);
    genes.push(values);
  }
  collector.counted(cellCount * geneCount);
  genes.forEach((values, gene) => collector.take(gene, cells, values));
  return { entries: collector.entries(), labels, home, random };
}

function tested({ entries, labels }: Pick<ReturnType<typeof simulated>, 'entries' | 'labels'>, seed: number) {
  const sizes = new Float64Array(groupCount);
  for (const group of labels) sizes[group]!++;
  const groups = { labels, sizes };
  const pairs = Array.from({ length: pairCount }, (_, pair) => ({
    pair,
    ligand: [2 * pair],
    receptor: [2 * pair + 1],
  }));
  const expression = groupExpression(entries, groups);
  const { interactions } = findInteractions(pairs, expression, { minShare: 0.1, max: 1e5 });
  const scores = scoreInteractions(interactions, expression, 0.5);
  const counts = countAsHigh({ entries, groups, interactions, means: scores.means, seed }, 0, permutations);
  const { pValues, adjustedPs, specificityRanks } = rankInteractions(counts, permutations, scores);
  return Array.from(interactions.pairs, (pair, row) => ({
    pair,
    source: interactions.sources[row]!,
    target: interactions.targets[row]!,
    p: pValues[row]!,
    adjustedP: adjustedPs[row]!,
    rank: specificityRanks[row]!,
  }));
}

const share = (count: number, of: number) => Number((count / of).toFixed(4));

test('planted pairs are found where they are, by p and among the best ranks, and little where nothing is', () => {
  const hits = { planted: 0, oneSide: 0, neither: 0 };
  const of = { planted: 0, oneSide: 0, neither: 0 };
  let amongBest = 0;
  let [falseP, falseAdjusted, nothing] = [0, 0, 0];
  for (let seed = 0; seed < 12; seed++) {
    const data = simulated(seed);
    const rows = tested(data, seed);
    const best = rows.toSorted((one, other) => one.rank - other.rank).slice(0, planted);
    for (const { pair, source, target, p } of rows) {
      const isUp = [data.home[2 * pair] === source, data.home[2 * pair + 1] === target];
      const sides = pair < planted ? isUp.filter(Boolean).length : 0;
      const kind = sides === 2 ? 'planted' : sides === 1 ? 'oneSide' : 'neither';
      of[kind]++;
      if (p < 0.05) hits[kind]++;
    }
    amongBest += best.filter(
      ({ pair, source, target }) =>
        pair < planted && data.home[2 * pair] === source && data.home[2 * pair + 1] === target,
    ).length;
    const order = data.random.permutation(cellCount);
    const shuffled = tested({ ...data, labels: Uint16Array.from(order, (cell) => data.labels[cell]!) }, seed);
    falseP += shuffled.filter(({ p }) => p < 0.05).length;
    falseAdjusted += shuffled.filter(({ adjustedP }) => adjustedP < 0.05).length;
    nothing += shuffled.length;
  }
  const measured = {
    planted: share(hits.planted, of.planted),
    oneSide: share(hits.oneSide, of.oneSide),
    neither: share(hits.neither, of.neither),
    amongBest: share(amongBest, of.planted),
    shuffled: share(falseP, nothing),
    shuffledAdjusted: share(falseAdjusted, nothing),
  };
  // Measured: 1, 0.955, 0.042, 0.694, 0.054 and 0.
  expect(measured.planted).toBeGreaterThan(0.95);
  expect(measured.neither).toBeLessThan(0.08);
  expect(measured.amongBest).toBeGreaterThan(0.6);
  expect(measured.shuffled).toBeGreaterThan(0.02);
  expect(measured.shuffled).toBeLessThan(0.08);
  expect(measured.shuffledAdjusted).toBeLessThan(0.01);
  // The mean is high where one of the two is: why results say of how many interactions only one side is.
  expect(measured.oneSide).toBeGreaterThan(0.8);
});
