import { kernelOf, leidenModule } from '@cellfolio/kernels';
import type { NeighbourGraph } from './neighbour-graph.ts';

/** An undirected graph, with the edges of each node contiguous and in both directions; no edges of a node to itself. */
export interface Network {
  count: number;
  /** count + 1: the edges of node i are [starts[i], starts[i + 1]). */
  starts: Int32Array;
  others: Int32Array;
  weights: Float64Array;
  /** Sum of the weights of all edges of each node, including those inside it. */
  sizes: Float64Array;
}

/** In units of modularity: how readily refinement accepts suboptimal moves. The value of the method's authors. */
const randomness = 0.01;

export function networkOf({ from, to, weights }: NeighbourGraph, count: number): Network {
  const starts = new Int32Array(count + 1);
  const sizes = new Float64Array(count);
  for (let edge = 0; edge < weights.length; edge++) {
    starts[from[edge]! + 1]!++;
    starts[to[edge]! + 1]!++;
    sizes[from[edge]!]! += weights[edge]!;
    sizes[to[edge]!]! += weights[edge]!;
  }
  for (let node = 0; node < count; node++) starts[node + 1]! += starts[node]!;
  const place = starts.slice();
  const others = new Int32Array(2 * weights.length);
  const all = new Float64Array(2 * weights.length);
  for (let edge = 0; edge < weights.length; edge++) {
    const there = place[from[edge]!]!++;
    const back = place[to[edge]!]!++;
    others[there] = to[edge]!;
    others[back] = from[edge]!;
    all[there] = all[back] = weights[edge]!;
  }
  return { count, starts, others, weights: all, sizes };
}

/** Parameters are addresses except where `leiden.wat` says otherwise. */
interface LeidenKernel {
  shuffle(count: number, order: number, random: number): void;
  moveNodes(count: number, ...addressesAndResolution: number[]): void;
  refine(count: number, ...addressesResolutionAndRandomness: number[]): void;
  aggregate(partCount: number, ...addresses: number[]): number;
}

const leidenKernel = kernelOf<LeidenKernel>(leidenModule);

/**
 * One clustering by the Leiden method (Traag et al. 2019, doi:10.1038/s41598-019-41695-z), with the best modularity
 * that it finds: nodes move between clusters, each cluster is refined into connected parts, and the parts are the nodes
 * of the next round. Each iteration begins with the previous result. The same seed, an integer, gives the same result.
 * Returns the cluster of each node, numbered from 0.
 */
export function leiden(
  network: Network,
  { resolution, iterations, seed }: { resolution: number; iterations: number; seed: number },
): Int32Array<ArrayBuffer> {
  const whole = network.sizes.reduce((sum, size) => sum + size, 0);
  const rounds = new LeidenRounds(network, whole === 0 ? 0 : resolution / whole, seed);
  for (let iteration = 0; iteration < iterations; iteration++) rounds.improve();
  return rounds.clusters();
}

interface Level {
  count: number;
  starts: number;
  clusters: number;
  parts: number;
  sizes: number;
  others: number;
  weights: number;
}

class LeidenRounds {
  readonly #whole: Level;
  readonly #edges: number;
  readonly #resolution: number;
  /** Addresses of the kernel's work arrays: float64 with one element more than nodes; the `#short` ones are int32. */
  readonly #long: readonly number[];
  readonly #short: readonly number[];
  readonly #random = 0;

  constructor({ count, starts, others, weights, sizes }: Network, resolution: number, seed: number) {
    this.#resolution = resolution;
    this.#edges = others.length;
    const [long, short] = [8 * (count + 1), 8 * Math.ceil((count + 1) / 2)];
    this.#long = [0, 1, 2, 3, 4].map((at) => 8 + at * long);
    const afterLong = 8 + 5 * long;
    this.#short = [0, 1, 2, 3, 4].map((at) => afterLong + at * short);
    this.#whole = this.#levelAt(afterLong + 5 * short, count, others.length);
    this.#int32s(this.#random, 2).set([seed, 0]);
    this.#float64s(this.#long[1]!, count).fill(0);
    this.#int32s(this.#whole.starts, count + 1).set(starts.map((start) => 4 * start));
    this.#int32s(this.#whole.others, others.length).set(others);
    this.#float64s(this.#whole.weights, weights.length).set(weights);
    this.#float64s(this.#whole.sizes, count).set(sizes);
    this.#int32s(this.#whole.clusters, count).forEach((_, node, clusters) => (clusters[node] = node));
  }

  clusters(): Int32Array<ArrayBuffer> {
    return this.#int32s(this.#whole.clusters, this.#whole.count).slice();
  }

  improve(level = this.#whole, edges = this.#edges): void {
    const { count, starts, others, weights, sizes } = level;
    const [totals, ties, outer, ofCluster, chances] = this.#long as [number, number, number, number, number];
    const [order, near, marks, empty, queued] = this.#short as [number, number, number, number, number];
    const { kernel } = leidenKernel(0);
    kernel.shuffle(count, order, this.#random);
    // oxfmt-ignore
    kernel.moveNodes(
      count, starts, others, weights, sizes, level.clusters, totals, ties, marks, empty, order, queued, near,
      this.#resolution,
    );
    const clusters = this.#int32s(level.clusters, count);
    const clusterCount = renumber(clusters);
    if (clusterCount === count) return;
    kernel.shuffle(count, order, this.#random);
    // oxfmt-ignore
    kernel.refine(
      count, starts, others, weights, sizes, level.clusters, level.parts, totals, ties, outer, ofCluster, chances,
      marks, order, near, this.#random, this.#resolution, randomness,
    );
    const parts = this.#int32s(level.parts, count);
    let partCount = renumber(parts);
    // What could not be refined at all is taken as it is, so that the network shrinks.
    if (partCount === count) {
      parts.set(clusters);
      partCount = clusterCount;
    }
    const next = this.#levelAt(weights + 8 * edges, partCount, edges);
    const left = this.#aggregate(level, next);
    this.improve(next, left);
    // The memory may have grown.
    const [own, ofPart] = [this.#int32s(level.clusters, count), this.#int32s(next.clusters, partCount)];
    this.#int32s(level.parts, count).forEach((part, node) => (own[node] = ofPart[part]!));
  }

  #aggregate(level: Level, next: Level): number {
    const [nodes, , marks, ends] = this.#short as [number, number, number, number];
    const parts = this.#int32s(level.parts, level.count);
    const clusters = this.#int32s(level.clusters, level.count);
    const start = this.#int32s(next.clusters, next.count);
    const end = this.#int32s(ends, next.count).fill(0);
    for (let node = 0; node < level.count; node++) {
      end[parts[node]!]!++;
      start[parts[node]!] = clusters[node]!;
    }
    for (let part = 1; part < next.count; part++) end[part]! += end[part - 1]!;
    const ordered = this.#int32s(nodes, level.count);
    for (let node = level.count - 1; node >= 0; node--) ordered[--end[parts[node]!]!] = node;
    // Each is where its part begins: where the one before it ends.
    for (let part = 0; part < next.count; part++)
      end[part] = nodes + 4 * (part + 1 < next.count ? end[part + 1]! : level.count);
    this.#int32s(marks, next.count).fill(0);
    const { starts, others, weights, sizes } = next;
    // oxfmt-ignore
    const edgeEnd = leidenKernel(0).kernel.aggregate(
      next.count, nodes, ends, marks, level.parts, level.starts, level.others, level.weights, level.sizes,
      starts, others, weights, sizes,
    );
    return (edgeEnd - others) / 4;
  }

  #levelAt(address: number, count: number, edges: number): Level {
    const numbers = 8 * Math.ceil((count + 1) / 2);
    const [clusters, parts, sizes] = [1, 2, 3].map((at) => address + at * numbers) as [
      number,
      number,
      number,
    ];
    const others = sizes + 8 * count;
    const weights = others + 8 * Math.ceil(edges / 2);
    leidenKernel(weights + 8 * edges);
    return { count, starts: address, clusters, parts, sizes, others, weights };
  }

  #int32s(address: number, count: number): Int32Array<ArrayBuffer> {
    return new Int32Array(leidenKernel(0).memory.buffer, address, count);
  }

  #float64s(address: number, count: number): Float64Array<ArrayBuffer> {
    return new Float64Array(leidenKernel(0).memory.buffer, address, count);
  }
}

function renumber(clusters: Int32Array): number {
  const numbers = new Int32Array(clusters.length).fill(-1);
  let count = 0;
  for (let node = 0; node < clusters.length; node++) {
    const cluster = clusters[node]!;
    if (numbers[cluster]! < 0) numbers[cluster] = count++;
    clusters[node] = numbers[cluster]!;
  }
  return count;
}
