import type { NeighbourGraph } from './neighbour-graph.ts';
import { shuffled } from './random.ts';

/** An undirected graph, the edges of each node together and both ways; without those of a node to itself. */
export interface Network {
  readonly count: number;
  /** count + 1: the edges of node i are [starts[i], starts[i + 1]). */
  readonly starts: Int32Array;
  readonly others: Int32Array;
  readonly weights: Float64Array;
  /** Sums of the weights of all edges at each node, those inside of it included. */
  readonly sizes: Float64Array;
}

/** Of modularity: how readily refinement takes what is not best. As the authors of the method have it. */
const randomness = 0.01;

/** The graph of cells as a network, whose modularity `leiden` improves. */
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

/**
 * One clustering by the Leiden method (Traag et al. 2019, doi:10.1038/s41598-019-41695-z), of the best modularity that it
 * finds: nodes move between clusters, each cluster is refined into parts that hang together, and the parts are the nodes
 * of the next round. `random` gives numbers in [0, 1). Each iteration begins with what the one before found.
 *
 * @returns the cluster of each node, numbered from 0.
 */
export function leiden(
  network: Network,
  { resolution, iterations, random }: { resolution: number; iterations: number; random: () => number },
): Int32Array {
  const whole = network.sizes.reduce((sum, size) => sum + size, 0);
  const scaled = whole === 0 ? 0 : resolution / whole;
  let clusters = Int32Array.from({ length: network.count }, (_, node) => node);
  for (let iteration = 0; iteration < iterations; iteration++)
    clusters = improved(network, clusters, scaled, random);
  return clusters;
}

function improved(
  network: Network,
  clusters: Int32Array,
  resolution: number,
  random: () => number,
): Int32Array<ArrayBuffer> {
  moveNodes(network, clusters, resolution, random);
  const count = renumber(clusters);
  if (count === network.count) return Int32Array.from(clusters);
  const parts = refined(network, clusters, count, resolution, random);
  const partCount = renumber(parts);
  // What could not be refined at all is taken as it is, so that the network shrinks.
  const joined = partCount < network.count ? parts : Int32Array.from(clusters);
  const joinedCount = partCount < network.count ? partCount : count;
  const start = new Int32Array(joinedCount);
  for (let node = 0; node < network.count; node++) start[joined[node]!] = clusters[node]!;
  const found = improved(aggregated(network, joined, joinedCount), start, resolution, random);
  return Int32Array.from(joined, (part) => found[part]!);
}

/** Moves each node to the cluster that gains most, and visits the neighbours of those that moved again, until none gains. */
function moveNodes(
  { count, starts, others, weights, sizes }: Network,
  clusters: Int32Array,
  resolution: number,
  random: () => number,
): void {
  const totals = new Float64Array(count);
  const members = new Int32Array(count);
  for (let node = 0; node < count; node++) {
    totals[clusters[node]!]! += sizes[node]!;
    members[clusters[node]!]!++;
  }
  const empty = new Int32Array(count);
  let empties = 0;
  for (let cluster = count - 1; cluster >= 0; cluster--)
    if (members[cluster] === 0) empty[empties++] = cluster;
  const queue = shuffled(count, random);
  const waiting = new Uint8Array(count).fill(1);
  const ties = new Float64Array(count);
  const near = new Int32Array(count + 1);
  let head = 0;
  let left = count;
  while (left > 0) {
    const node = queue[head]!;
    head = head + 1 === count ? 0 : head + 1;
    left--;
    waiting[node] = 0;
    const own = clusters[node]!;
    const size = sizes[node]!;
    totals[own]! -= size;
    if (--members[own]! === 0) empty[empties++] = own;
    let nears = 0;
    for (let edge = starts[node]!, end = starts[node + 1]!; edge < end; edge++) {
      const cluster = clusters[others[edge]!]!;
      if (ties[cluster] === 0) near[nears++] = cluster;
      ties[cluster]! += weights[edge]!;
    }
    let best = own;
    let most = ties[own]! - resolution * size * totals[own]!;
    for (let at = 0; at < nears; at++) {
      const cluster = near[at]!;
      const gain = ties[cluster]! - resolution * size * totals[cluster]!;
      if (gain > most) [best, most] = [cluster, gain];
      ties[cluster] = 0;
    }
    // Alone it gains and loses nothing.
    if (most < 0 && empties > 0) best = empty[empties - 1]!;
    // The last empty one, if it is empty.
    if (members[best] === 0) empties--;
    totals[best]! += size;
    members[best]!++;
    if (best === own) continue;
    clusters[node] = best;
    for (let edge = starts[node]!, end = starts[node + 1]!; edge < end; edge++) {
      const other = others[edge]!;
      if (waiting[other] === 1 || clusters[other] === best) continue;
      waiting[other] = 1;
      const tail = head + left;
      queue[tail >= count ? tail - count : tail] = other;
      left++;
    }
  }
}

/**
 * Parts of each cluster: nodes that are well tied to their cluster join a part of it that is well tied too, drawn with
 * chances that grow with the gain, so that every part hangs together.
 */
function refined(
  { count, starts, others, weights, sizes }: Network,
  clusters: Int32Array,
  clusterCount: number,
  resolution: number,
  random: () => number,
): Int32Array {
  const parts = Int32Array.from({ length: count }, (_, node) => node);
  const totals = Float64Array.from(sizes);
  const ofCluster = new Float64Array(clusterCount);
  /** Of each part the weights between it and the rest of its cluster. */
  const outer = new Float64Array(count);
  for (let node = 0; node < count; node++) {
    ofCluster[clusters[node]!]! += sizes[node]!;
    for (let edge = starts[node]!, end = starts[node + 1]!; edge < end; edge++)
      if (clusters[others[edge]!] === clusters[node]) outer[node]! += weights[edge]!;
  }
  const alone = new Uint8Array(count).fill(1);
  const ties = new Float64Array(count);
  const near = new Int32Array(count);
  const chances = new Float64Array(count);
  const order = shuffled(count, random);
  for (let visit = 0; visit < count; visit++) {
    const node = order[visit]!;
    const cluster = clusters[node]!;
    const size = sizes[node]!;
    const rest = ofCluster[cluster]!;
    if (alone[node] === 0 || outer[node]! < resolution * size * (rest - size)) continue;
    let nears = 0;
    for (let edge = starts[node]!, end = starts[node + 1]!; edge < end; edge++) {
      const other = others[edge]!;
      if (clusters[other] !== cluster) continue;
      const part = parts[other]!;
      if (ties[part] === 0) near[nears++] = part;
      ties[part]! += weights[edge]!;
    }
    // To stay alone gains nothing, and is one of the choices.
    let sum = 1;
    let [best, most] = [node, 0];
    for (let at = 0; at < nears; at++) {
      const part = near[at]!;
      const total = totals[part]!;
      const gain = ties[part]! - resolution * size * total;
      const fits = gain >= 0 && outer[part]! >= resolution * total * (rest - total);
      if (fits && gain > most) [best, most] = [part, gain];
      if (fits) sum += Math.exp(gain / randomness);
      chances[at] = sum;
    }
    let chosen = best;
    if (sum < Infinity) {
      const draw = random() * sum;
      let at = 0;
      while (at < nears && chances[at]! <= draw) at++;
      chosen = draw < 1 || at === nears ? node : near[at]!;
    }
    if (chosen !== node) {
      parts[node] = chosen;
      totals[chosen]! += size;
      totals[node] = 0;
      outer[chosen]! += outer[node]! - 2 * ties[chosen]!;
      alone[chosen] = 0;
    }
    for (let at = 0; at < nears; at++) ties[near[at]!] = 0;
  }
  return parts;
}

/** A node for each part. */
function aggregated(network: Network, parts: Int32Array, count: number): Network {
  const { starts, others, weights } = network;
  const sizes = new Float64Array(count);
  // The nodes of each part together.
  const ends = new Int32Array(count + 1);
  for (let node = 0; node < network.count; node++) {
    sizes[parts[node]!]! += network.sizes[node]!;
    ends[parts[node]! + 1]!++;
  }
  for (let part = 0; part < count; part++) ends[part + 1]! += ends[part]!;
  const place = ends.slice();
  const nodes = new Int32Array(network.count);
  for (let node = 0; node < network.count; node++) nodes[place[parts[node]!]!++] = node;
  const joined = new Int32Array(others.length);
  const sums = new Float64Array(others.length);
  const at = new Int32Array(count).fill(-1);
  const firsts = new Int32Array(count + 1);
  let edges = 0;
  for (let part = 0; part < count; part++) {
    const first = edges;
    for (let i = ends[part]!; i < ends[part + 1]!; i++) {
      const node = nodes[i]!;
      for (let edge = starts[node]!, end = starts[node + 1]!; edge < end; edge++) {
        const other = parts[others[edge]!]!;
        if (other === part) continue;
        if (at[other]! < first) {
          at[other] = edges;
          joined[edges++] = other;
        }
        sums[at[other]!]! += weights[edge]!;
      }
    }
    firsts[part + 1] = edges;
  }
  return { count, starts: firsts, others: joined.slice(0, edges), weights: sums.slice(0, edges), sizes };
}

/** Numbers clusters from 0 in the order in which they occur; returns how many there are. */
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
