import type { CountBlock, GeneBlock } from '@cellfolio/model';

/** How cells are brought to one depth. Plain arrays, fit to be sent to a thread. */
export interface Thinning {
  /** Counts of each cell. */
  readonly totals: Float64Array;
  /** The chance of each of its counts to be kept, above 0. */
  readonly chances: Float64Array;
}

/** Seed of the random numbers: a test of the same cells has the same result. */
export const thinningSeed = 0;
/** In counts per 10,000, as datasets are normalised as a rule. */
const perCell = 1e4;
/** Above this count a binomial number hardly differs from a rounded normal one. */
const drawnOneByOne = 1000;

/**
 * Counts of consecutive genes thinned at random and log-normalised: ln(1 + 10,000 × kept count / counts that its cell is
 * expected to keep). Random numbers depend on the gene, the cell and the seed alone, whatever block the gene is in. Values
 * of 0 stay among the entries.
 */
export function thinnedValues(
  { starts, cells, values: counts, cellCount, firstGene }: CountBlock,
  { totals, chances }: Thinning,
  seed = thinningSeed,
): GeneBlock {
  if (cellCount !== totals.length) {
    throw new RangeError(`totals of ${totals.length} cells do not fit genes of ${cellCount} cells`);
  }
  const values = new Float32Array(counts.length);
  for (let gene = 0; gene < starts.length - 1; gene++) {
    const ofGene = mixed(Math.imul(firstGene + gene + 1, 0x9e3779b1) ^ mixed(seed + 1));
    for (let at = starts[gene]!; at < starts[gene + 1]!; at++) {
      const cell = cells[at]!;
      const chance = chances[cell]!;
      const count =
        chance < 1
          ? keptOf(counts[at]!, chance, mixed(ofGene ^ Math.imul(cell + 1, 0x85ebca6b)))
          : counts[at]!;
      values[at] = Math.log1p((perCell * count) / (chance * totals[cell]!));
    }
  }
  return { starts, cells, values, cellCount, firstGene };
}

/** A binomial number. */
function keptOf(count: number, chance: number, state: number): number {
  let word = state;
  const draw = () => {
    // mulberry32 (T. Ettinger), which passes gjrand's tests.
    word = (word + 0x6d2b79f5) | 0;
    let mix = Math.imul(word ^ (word >>> 15), word | 1);
    mix ^= mix + Math.imul(mix ^ (mix >>> 7), mix | 61);
    return ((mix ^ (mix >>> 14)) >>> 0) / 2 ** 32;
  };
  if (count > drawnOneByOne) {
    const normal = Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
    const drawn = Math.round(count * chance + Math.sqrt(count * chance * (1 - chance)) * normal);
    return Math.min(count, Math.max(0, drawn));
  }
  let sum = 0;
  for (let one = 0; one < count; one++) if (draw() < chance) sum++;
  return sum;
}

/** The finaliser of MurmurHash3. */
function mixed(word: number): number {
  let h = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
