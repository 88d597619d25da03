import type { CountBlock } from '../../process-input.ts';
import type { DropletCounts } from '../droplet-counts.ts';
import { seededRandom } from '../../random.ts';

/** Defaults of DropletUtils::emptyDrops, with the rate used in OSCA. */
export const defaultCall = { lower: 100, falseDiscoveryRate: 0.001, iterations: 10_000 };

interface DropletShape {
  genes: number;
  /** Per kind: number of cells, median of their counts, standard deviation of its natural logarithm. */
  kinds: readonly { cells: number; counts: number; spread: number }[];
  empties: number;
  emptyCounts: number;
  emptySpread: number;
  soup?: number;
  /** Dirichlet-multinomial concentration of the draws; absent if droplets of a kind are alike. */
  concentration?: number;
  seed?: number;
}

interface SimulatedDroplets extends DropletCounts {
  geneNames: readonly string[];
  /** Kind of each barcode; -1 for an empty droplet. */
  kinds: Int32Array;
  rows: readonly ReadonlyMap<number, number>[];
}

/** Matrix of the report: 1,500 cells, 150 of them small, among 19,974 empty droplets. */
export const rawMatrix: DropletShape = {
  genes: 2000,
  kinds: [
    { cells: 700, counts: 4000, spread: 0.35 },
    { cells: 650, counts: 2200, spread: 0.35 },
    { cells: 150, counts: 260, spread: 0.3 },
  ],
  empties: 19_974,
  emptyCounts: 45,
  emptySpread: 0.35,
  soup: 0.05,
};

export const referenceMatrix: DropletShape = {
  genes: 400,
  kinds: [
    { cells: 120, counts: 1500, spread: 0.4 },
    { cells: 80, counts: 900, spread: 0.4 },
    { cells: 40, counts: 220, spread: 0.25 },
  ],
  empties: 3000,
  emptyCounts: 60,
  emptySpread: 0.4,
  soup: 0.05,
  concentration: 400,
  seed: 23,
};

/**
 * Barcodes in mixed order, each a sample of its kind's genes; empty ones sample the RNA of all cells, as if they had
 * burst. The same in every run.
 */
export function simulateDroplets(shape: DropletShape): SimulatedDroplets {
  const random = seededRandom(shape.seed ?? 11);
  const base = Array.from({ length: shape.genes }, () => Math.exp(1.5 * normal(random)));
  const profiles = shape.kinds.map((_, kind) =>
    proportions(base.map((level, gene) => (gene % (4 * shape.kinds.length) === kind ? level * 12 : level))),
  );
  const ambient = proportions(
    base.map((_, gene) =>
      shape.kinds.reduce((sum, { cells, counts }, kind) => sum + cells * counts * profiles[kind]![gene]!, 0),
    ),
  );
  const order = shuffled(
    [
      ...shape.kinds.flatMap(({ cells }, kind) => new Array<number>(cells).fill(kind)),
      ...new Array<number>(shape.empties).fill(-1),
    ],
    random,
  );
  const draw = profiles.map((profile) => sampler(profile, random));
  const drawAmbient = sampler(ambient, random);
  const rows = order.map((kind) => {
    const { counts, spread } = shape.kinds[kind] ?? { counts: shape.emptyCounts, spread: shape.emptySpread };
    const total = Math.max(1, Math.round(counts * Math.exp(spread * normal(random))));
    const row = new Map<number, number>();
    const molecules: number[] = [];
    for (let molecule = 0; molecule < total; molecule++) {
      const copied =
        shape.concentration !== undefined && random() * (shape.concentration + molecule) < molecule;
      const own = kind >= 0 && random() >= (shape.soup ?? 0);
      const gene = copied ? molecules[Math.floor(random() * molecule)]! : own ? draw[kind]!() : drawAmbient();
      if (shape.concentration !== undefined) molecules.push(gene);
      row.set(gene, (row.get(gene) ?? 0) + 1);
    }
    return row;
  });
  return {
    by: 'cell',
    cellCount: rows.length,
    geneCount: shape.genes,
    geneNames: base.map((_, gene) => `GENE${gene}`),
    kinds: Int32Array.from(order),
    rows,
    blocks: repeatable(rows),
  };
}

export function byGene({ rows, geneCount, cellCount }: SimulatedDroplets): DropletCounts {
  const columns = Array.from({ length: geneCount }, () => new Map<number, number>());
  rows.forEach((row, barcode) => row.forEach((count, gene) => columns[gene]!.set(barcode, count)));
  return { by: 'gene', cellCount, geneCount, blocks: repeatable(columns) };
}

function repeatable(vectors: readonly ReadonlyMap<number, number>[]): () => Iterable<CountBlock> {
  let blocks: readonly CountBlock[] | undefined;
  return () => (blocks ??= [...blocksOf(vectors)]);
}

function* blocksOf(vectors: readonly ReadonlyMap<number, number>[]): Iterable<CountBlock> {
  for (let start = 0; start < vectors.length; start += 4096) {
    const pointers = [0];
    const indices: number[] = [];
    const counts: number[] = [];
    for (const vector of vectors.slice(start, start + 4096)) {
      for (const [index, count] of [...vector].sort(([a], [b]) => a - b)) {
        indices.push(index);
        counts.push(count);
      }
      pointers.push(indices.length);
    }
    yield { pointers, indices: Int32Array.from(indices), counts };
  }
}

function sampler(shares: readonly number[], random: () => number): () => number {
  const sums: number[] = [];
  let sum = 0;
  for (const share of shares) sums.push((sum += share));
  return () => {
    const at = random() * sum;
    let low = 0;
    let high = sums.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (sums[middle]! <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

function proportions(levels: readonly number[]): number[] {
  const sum = levels.reduce((total, level) => total + level, 0);
  return levels.map((level) => level / sum);
}

function shuffled(values: number[], random: () => number): number[] {
  for (let at = values.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [values[at], values[other]] = [values[other]!, values[at]!];
  }
  return values;
}

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
