import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  countAsHigh,
  EntryCollector,
  findInteractions,
  groupExpression,
  rankInteractions,
  scoreInteractions,
} from '@cellfolio/analysis';
import { type BenchCase, cellCounts } from '../bench-context.ts';
import { SeededBits } from '../data/seeded-bits.ts';
import { runForJson } from '../measure/child.ts';
import type { Result } from '../measure/result.ts';
import { type Spent, spentResults, stopwatch } from '../measure/spent.ts';
import { paths } from '../paths.ts';

const [groupCount, pairCount, permutations] = [12, 200, 1000];

export const ligandReceptorCase: BenchCase = {
  name: 'ligand-receptor',
  title: `${pairCount} pairs in ${groupCount} groups, ${permutations} permutations; peer: LIANA's rank_aggregate`,
  async run({ options, scratch, python, report }) {
    const { density } = options;
    const genes = options.genes ?? 300;
    const results: Result[] = [];
    const hasPeer = python !== undefined && hasLiana(python);
    const notes = hasPeer ? [] : ['without the peer: no Python with liana'];
    for (const cells of cellCounts(options)) {
      report(`  ${cells} cells`);
      const data = simulated(new SeededBits(12), { cells, genes, density });
      const { spent, rows } = timed(data);
      const peer = hasPeer ? await lianaOf(python, join(scratch, `pairs-${cells}.bin`), data) : undefined;
      results.push(...spentResults(`all of ${cells} cells`, [spent], peer && [peer.spent]));
      const summary = `${cells} cells, ${data.values.length} values, ${rows.size} interactions`;
      notes.push(peer ? `${summary}; ${agreement(rows, peer)}` : summary);
    }
    return { results, notes };
  },
};

interface SimulatedPairs {
  readonly labels: Int32Array;
  readonly starts: Int32Array;
  readonly cells: Int32Array;
  readonly values: Float32Array;
  /** Ligand and receptor of each pair, by gene. */
  readonly pairs: Int32Array;
}

function simulated(
  bits: SeededBits,
  { cells, genes, density }: { cells: number; genes: number; density: number },
): SimulatedPairs {
  const labels = Int32Array.from({ length: cells }, (_, cell) => cell % groupCount);
  const draws = new Uint32Array(cells);
  const starts = [0];
  const [rows, values]: [number[], number[]] = [[], []];
  for (let gene = 0; gene < genes; gene++) {
    bits.drawInto(draws);
    for (let cell = 0; cell < cells; cell++) {
      const more = labels[cell] === gene % groupCount ? 2 : 1;
      const draw = draws[cell]! / 2 ** 32;
      if (draw >= 2 * density * more) continue;
      rows.push(cell);
      values.push(Math.fround(0.2 + more * draw));
    }
    starts.push(rows.length);
  }
  const chosen = new Set<string>();
  while (chosen.size < pairCount) {
    const [one, other] = [Math.floor(bits.uniform() * genes), Math.floor(bits.uniform() * genes)];
    chosen.add(`${one},${other}`);
  }
  return {
    labels,
    starts: Int32Array.from(starts),
    cells: Int32Array.from(rows),
    values: Float32Array.from(values),
    pairs: Int32Array.from([...chosen].flatMap((pair) => pair.split(',').map(Number))),
  };
}

interface Timed {
  readonly spent: Spent;
  /** Mean and p by `source|target|ligand|receptor`. */
  readonly rows: ReadonlyMap<string, { readonly mean: number; readonly p: number }>;
}

function timed(data: SimulatedPairs): Timed {
  const ofAll = stopwatch();
  const needed = [...new Set(data.pairs)];
  const placeOf = new Map(needed.map((gene, place) => [gene, place]));
  const labels = Uint16Array.from(data.labels);
  const collector = new EntryCollector(Int32Array.from(labels.keys()), {
    cells: labels.length,
    genes: needed.length,
  });
  const columns = needed.map((gene) => {
    const [from, to] = [data.starts[gene]!, data.starts[gene + 1]!];
    return [data.cells.subarray(from, to), data.values.subarray(from, to)] as const;
  });
  for (const [cells, values] of columns) collector.count(cells, values);
  collector.counted(data.values.length);
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
  const { interactions } = findInteractions(pairs, expression, { minShare: 0.1, most: 1e6 });
  const all = data.values.reduce((sum, value) => sum + value, 0);
  const scores = scoreInteractions(interactions, expression, all / labels.length / (data.starts.length - 1));
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
  return { spent, rows };
}

interface LianaRun {
  readonly spent: Spent;
  readonly keys: readonly string[];
  readonly means: readonly number[];
  readonly p: readonly number[];
}

function hasLiana(python: string): boolean {
  return spawnSync(python, ['-c', 'import liana'], { stdio: 'ignore' }).status === 0;
}

async function lianaOf(python: string, file: string, data: SimulatedPairs): Promise<LianaRun> {
  const parts = [data.labels, data.starts, data.cells, data.values, data.pairs];
  await writeFile(file, Buffer.concat(parts.map(({ buffer }) => Buffer.from(buffer))));
  const size = [data.labels.length, data.starts.length - 1, groupCount, pairCount, permutations].map(String);
  return (await runForJson(python, [paths.ligandReceptorPeer, file, ...size])) as LianaRun;
}

/** Means must be equal; permutations differ, so p-values differ by chance. */
function agreement(ours: Timed['rows'], { keys, means, p }: LianaRun): string {
  let [mean, ofP] = [0, 0];
  keys.forEach((key, row) => {
    const match = ours.get(key);
    mean = Math.max(mean, Math.abs((match?.mean ?? NaN) - means[row]!));
    ofP = Math.max(ofP, Math.abs((match?.p ?? NaN) - p[row]!));
  });
  return `${keys.length} interactions there; largest difference of a mean ${mean.toExponential(1)}, of a p ${ofP.toFixed(3)} (other permutations)`;
}
