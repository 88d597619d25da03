import {
  countAsHigh,
  EntryCollector,
  findInteractions,
  groupExpression,
  rankInteractions,
  scoreInteractions,
} from '@cellfolio/analysis';
import type { GeneBlock } from '@cellfolio/model';
import { SeededBits } from '../data/seeded-bits.ts';
import { geneBlock } from '../data/sparse-rows.ts';
import { type Spent, stopwatch } from '../measure/result.ts';
import { paths } from '../paths.ts';
import { analysisCase, type AnalysisSize } from './analysis-case.ts';

const [groupCount, pairCount, permutations] = [12, 200, 1000];

interface Peer {
  spent: Spent;
  keys: readonly string[];
  means: readonly number[];
  p: readonly number[];
}

export const ligandReceptorCase = analysisCase({
  name: 'ligand-receptor',
  title: `${pairCount} pairs in ${groupCount} groups, ${permutations} permutations; peer: LIANA's rank_aggregate`,
  genes: 300,
  note: ({ genes }) => `${genes} genes`,
  stages: { spent: 'scores, p-values and ranks' },
  prepare: simulatedPairs,
  ours: interactionsOf,
  peer: {
    packages: ['liana'],
    script: paths.ligandReceptorPeer,
    arrays: ({ labels, block, pairs }) => [
      labels,
      Int32Array.from(block.starts),
      block.cells,
      block.values,
      pairs,
    ],
    numbers: ({ labels, block }) => [
      labels.length,
      block.starts.length - 1,
      groupCount,
      pairCount,
      permutations,
    ],
  },
  findings: ({ values, rows }, theirs: Peer | undefined) => {
    const summary = `${values} values, ${rows.size} interactions`;
    return theirs ? `${summary}; ${agreement(rows, theirs)}` : summary;
  },
});

interface SimulatedPairs {
  labels: Int32Array;
  block: GeneBlock;
  /** Ligand and receptor of each pair, by gene. */
  pairs: Int32Array;
}

function simulatedPairs({ cells, genes, density }: AnalysisSize): SimulatedPairs {
  const bits = new SeededBits(12);
  const labels = Int32Array.from({ length: cells }, (_, cell) => cell % groupCount);
  const draws = new Uint32Array(cells);
  const block = geneBlock({ cells, genes }, (gene, add) => {
    bits.drawInto(draws);
    for (let cell = 0; cell < cells; cell++) {
      const more = labels[cell] === gene % groupCount ? 2 : 1;
      const draw = draws[cell]! / 2 ** 32;
      if (draw < 2 * density * more) add(cell, Math.fround(0.2 + more * draw));
    }
  });
  const chosen = new Set<string>();
  while (chosen.size < pairCount) {
    const [one, other] = [Math.floor(bits.uniform() * genes), Math.floor(bits.uniform() * genes)];
    chosen.add(`${one},${other}`);
  }
  const pairs = Int32Array.from([...chosen].flatMap((pair) => pair.split(',').map(Number)));
  return { labels, block, pairs };
}

/** Mean and p by `source|target|ligand|receptor`, with the seconds of all of it. */
function interactionsOf({ block, ...data }: SimulatedPairs) {
  const ofAll = stopwatch();
  const needed = [...new Set(data.pairs)];
  const placeOf = new Map(needed.map((gene, place) => [gene, place]));
  const labels = Uint16Array.from(data.labels);
  const collector = new EntryCollector(Int32Array.from(labels.keys()), {
    cells: labels.length,
    genes: needed.length,
  });
  const columns = needed.map((gene) => {
    const [from, to] = [block.starts[gene]!, block.starts[gene + 1]!];
    return [block.cells.subarray(from, to), block.values.subarray(from, to)] as const;
  });
  for (const [cells, values] of columns) collector.count(cells, values);
  collector.counted(block.values.length);
  columns.forEach(([cells, values], gene) => collector.take(gene, cells, values));
  const entries = collector.entries();
  const sizes = new Float64Array(groupCount);
  for (const label of labels) sizes[label]!++;
  const groups = { labels, sizes };
  const pairs = Array.from({ length: pairCount }, (_, pair) => ({
    pair,
    ligand: [placeOf.get(data.pairs[2 * pair]!)!],
    receptor: [placeOf.get(data.pairs[2 * pair + 1]!)!],
  }));
  const expression = groupExpression(entries, groups);
  const { interactions } = findInteractions(pairs, expression, { minShare: 0.1, max: 1e6 });
  const all = block.values.reduce((sum, value) => sum + value, 0);
  const scores = scoreInteractions(interactions, expression, all / labels.length / (block.starts.length - 1));
  const counts = countAsHigh(
    { entries, groups, interactions, means: scores.means, seed: 0 },
    0,
    permutations,
  );
  const { pValues } = rankInteractions(counts, permutations, scores);
  const spent = ofAll();
  const keyOf = (row: number) => {
    const pair = interactions.pairs[row]!;
    const genes = [data.pairs[2 * pair]!, data.pairs[2 * pair + 1]!];
    return `g${interactions.sources[row]!}|g${interactions.targets[row]!}|G${genes[0]!}|G${genes[1]!}`;
  };
  const rows = new Map(
    Array.from(pValues, (p, row) => [keyOf(row), { mean: scores.means[row]!, p }] as const),
  );
  return { spent, values: block.values.length, rows };
}

/** Means must be equal; permutations differ, so p-values differ by chance. */
function agreement(ours: ReturnType<typeof interactionsOf>['rows'], { keys, means, p }: Peer): string {
  let [mean, ofP] = [0, 0];
  keys.forEach((key, row) => {
    const match = ours.get(key);
    mean = Math.max(mean, Math.abs((match?.mean ?? NaN) - means[row]!));
    ofP = Math.max(ofP, Math.abs((match?.p ?? NaN) - p[row]!));
  });
  return `${keys.length} interactions there; largest difference of a mean ${mean.toExponential(1)}, of a p ${ofP.toFixed(3)} (other permutations)`;
}
