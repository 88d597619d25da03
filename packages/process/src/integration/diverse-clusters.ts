import { shuffled } from '../random.ts';
import { addShared, productsWith } from './shared-sums.ts';
import { unitLength, type BatchedCells, type HarmonySettings } from './batched-cells.ts';

/** Rounds over which the objective is averaged to test convergence. */
const window = 3;

/** Soft clusters of cells, each from several batches as far as possible: the first half of a Harmony round. */
export class DiverseClusters {
  readonly count: number;
  /** Cells x clusters: share of each cell in each cluster; sums to 1 per cell. */
  readonly shares: Float64Array;
  /** Batches x clusters: number of cells. */
  readonly observed: Float64Array;
  readonly sizes: Float64Array;
  readonly #cells: BatchedCells;
  readonly #settings: HarmonySettings;
  readonly #batchShares: Float64Array;
  readonly #all: Int32Array;
  #centroids: Float64Array;

  constructor(cells: BatchedCells, centroids: Float64Array, settings: HarmonySettings) {
    const cellCount = cells.batches.length;
    this.count = centroids.length / cells.components;
    this.shares = new Float64Array(cellCount * this.count);
    this.observed = new Float64Array(cells.batchCount * this.count);
    this.sizes = new Float64Array(this.count);
    this.#cells = cells;
    this.#all = Int32Array.from(cells.batches.keys());
    this.#settings = settings;
    this.#batchShares = new Float64Array(cells.batchCount);
    for (const batch of cells.batches) this.#batchShares[batch]! += 1 / cellCount;
    this.#centroids = centroids;
  }

  /** Assigns cells by distance alone and returns the objective. `unit`: the cells, of length 1. */
  start(unit: Float64Array): number {
    this.shares.fill(0);
    this.observed.fill(0);
    this.sizes.fill(0);
    const cost = this.#assign(unit, this.#all, new Float64Array(this.observed.length));
    this.#count(this.#all, 1);
    return cost + this.#diversityCost();
  }

  /** Assigns cells and moves centroids until the objective converges; returns it. */
  settle(unit: Float64Array, random: () => number): number {
    const { maxClusterIterations, clusterTolerance } = this.#settings;
    const objectives: number[] = [];
    for (let iteration = 0; iteration < maxClusterIterations; iteration++) {
      this.#move(unit);
      objectives.push(this.#assignAnew(unit, random));
      if (objectives.length <= window) continue;
      const before = meanOf(objectives.slice(-window - 1, -1));
      const gained = before - meanOf(objectives.slice(-window));
      if (gained < clusterTolerance * Math.abs(before)) break;
    }
    return objectives.at(-1)!;
  }

  #move(unit: Float64Array): void {
    const { count, shares } = this;
    const { components: width } = this.#cells;
    const sums = new Float64Array(count * width);
    addShared(sums, { vectors: unit, width, shares, count }, this.#all);
    this.#centroids = unitLength(sums, width);
  }

  /** Reassigns blocks of cells in random order, each using the clusters of all others. */
  #assignAnew(unit: Float64Array, random: () => number): number {
    const cellCount = this.#cells.batches.length;
    const order = shuffled(cellCount, random);
    const block = Math.max(1, Math.ceil(cellCount * this.#settings.blockShare));
    let cost = 0;
    for (let start = 0; start < cellCount; start += block) {
      const cells = order.subarray(start, start + block);
      this.#count(cells, -1);
      cost += this.#assign(unit, cells, this.#logPenalties());
      this.#count(cells, 1);
    }
    return cost + this.#diversityCost();
  }

  /**
   * Assigns some cells, and returns the cost of their distances and of the entropy of their shares. A share is
   * exp(-distance / σ) x penalty over the sum of these, so its logarithm is known without computing one.
   */
  #assign(unit: Float64Array, cells: Int32Array, logPenalties: Float64Array): number {
    const { count, shares } = this;
    const { components: width, batches } = this.#cells;
    const { softness } = this.#settings;
    const penalties = logPenalties.map(Math.exp);
    const productsOf = productsWith(this.#centroids, width);
    let cost = 0;
    for (const cell of cells) {
      const products = productsOf(unit, cell * width);
      const to = cell * count;
      const penalty = batches[cell]! * count;
      let sum = 0;
      for (let cluster = 0; cluster < count; cluster++) {
        const share = Math.exp((2 * products[cluster]! - 2) / softness) * penalties[penalty + cluster]!;
        shares[to + cluster] = share;
        sum += share;
      }
      let logPenalty = 0;
      for (let cluster = 0; cluster < count; cluster++) {
        const share = shares[to + cluster]! / sum;
        shares[to + cluster] = share;
        logPenalty += share * logPenalties[penalty + cluster]!;
      }
      cost += softness * (logPenalty - Math.log(sum));
    }
    return cost;
  }

  #count(cells: Int32Array, sign: 1 | -1): void {
    const { count, shares, observed, sizes } = this;
    const { batches } = this.#cells;
    for (const cell of cells) {
      const batch = batches[cell]! * count;
      for (let cluster = 0; cluster < count; cluster++) {
        const share = sign * shares[cell * count + cluster]!;
        observed[batch + cluster]! += share;
        sizes[cluster]! += share;
      }
    }
  }

  /** Batches x clusters: θ log(expected / observed). */
  #logPenalties(): Float64Array {
    return this.observed.map((_, at) => -this.#settings.diversity * this.#excess(at));
  }

  /** Logarithm of observed over expected cells of a batch in a cluster; one is added to both, as some are 0. */
  #excess(at: number): number {
    const batch = Math.floor(at / this.count);
    const expected = this.#batchShares[batch]! * this.sizes[at % this.count]!;
    return Math.log((this.observed[at]! + 1) / (expected + 1));
  }

  #diversityCost(): number {
    const { softness, diversity } = this.#settings;
    return this.observed.reduce(
      (sum, observed, at) => sum + softness * diversity * observed * this.#excess(at),
      0,
    );
  }
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
