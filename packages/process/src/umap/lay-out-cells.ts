import { kernelOf, umapModule } from '@cellfolio/kernels';
import type { NeighbourGraph } from '../neighbour-graph.ts';
import { type FallOff, fallOffOf } from './fall-off.ts';

export interface Layout {
  /** n x 2 coordinates, cell after cell. */
  start: Float32Array;
  minimumDistance: number;
  epochs: number;
}

interface UmapKernel {
  epoch(
    cells: number,
    ends: number,
    stop: number,
    edge: number,
    tables: number,
    random: number,
    count: number,
    now: number,
    rate: number,
  ): void;
}

const umapKernel = kernelOf<UmapKernel>(umapModule);

const bytes = { cell: 8, edge: 12, address: 4 };
/** Range of squared distances in the tables, and steps per doubling. */
const [minExponent, doublings, steps] = [-24, 40, 256];
const entries = doublings * steps;
/** Bits of the minimum squared distance without the last 15, times the 4 bytes of an entry. */
const firstEntry = 4 * ((127 + minExponent) * steps);
/** Keeps the repulsion of coincident cells finite, as in umap-learn. */
const minSquare = 0.001;

/**
 * Moves cells until neighbours are close together, by the stochastic gradient descent of umap-learn (McInnes et al.
 * 2018, arXiv:1802.03426): edges with larger weights take turns more often, and each time the first cell is repelled by
 * five random cells; steps shrink from epoch to epoch. The five act simultaneously, and coefficients are exact to 0.2
 * %, as they come from a table. The same graph and start give the same coordinates. Returns n x 2 coordinates, cell
 * after cell.
 */
export function layOutCells(
  graph: NeighbourGraph,
  { start, minimumDistance, epochs }: Layout,
  onEpoch: (done: number) => void,
): Float32Array<ArrayBuffer> {
  const cellCount = start.length / 2;
  const edges = turnsOf(graph, cellCount, epochs);
  const cells = 16;
  const tables = cells + bytes.cell * cellCount;
  const ends = tables + 8 * entries;
  const firstEdge = ends + bytes.address * cellCount;
  const { kernel, memory } = umapKernel(firstEdge + bytes.edge * edges.others.length);
  const coordinates = new Float32Array(memory.buffer, cells, 2 * cellCount);
  coordinates.set(start);
  writeTables(new Float32Array(memory.buffer, tables, 2 * entries), fallOffOf(minimumDistance));
  new Int32Array(memory.buffer, ends, cellCount).set(edges.ends.map((end) => firstEdge + bytes.edge * end));
  const words = new Int32Array(memory.buffer, firstEdge, 3 * edges.others.length);
  const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
  for (let edge = 0; edge < edges.others.length; edge++) {
    words[3 * edge] = cells + bytes.cell * edges.others[edge]!;
    floats[3 * edge + 1] = edges.waits[edge]!;
    floats[3 * edge + 2] = edges.waits[edge]!;
  }
  // What was drawn before in this thread is nothing to these cells.
  new Int32Array(memory.buffer, 0, 2).fill(0);
  for (let epoch = 0; epoch < epochs; epoch++) {
    const rate = 1 - epoch / epochs;
    kernel.epoch(cells, ends, firstEdge, firstEdge, tables - firstEntry, 0, cellCount, epoch, rate);
    onEpoch((epoch + 1) / epochs);
  }
  return coordinates.slice();
}

/** Edges of each cell, in both directions, and the epochs between their turns; edges without a turn are left out. */
function turnsOf({ from, to, weights }: NeighbourGraph, cellCount: number, epochs: number) {
  let maxWeight = 0;
  for (const weight of weights) maxWeight = Math.max(maxWeight, weight);
  const ends = new Int32Array(cellCount);
  const hasTurn = (edge: number) => weights[edge]! * epochs >= maxWeight;
  for (let edge = 0; edge < weights.length; edge++) {
    if (!hasTurn(edge)) continue;
    ends[from[edge]!]!++;
    ends[to[edge]!]!++;
  }
  for (let cell = 1; cell < cellCount; cell++) ends[cell]! += ends[cell - 1]!;
  const all = ends.at(-1) ?? 0;
  const others = new Int32Array(all);
  const waits = new Float32Array(all);
  const place = Int32Array.from(ends);
  for (let edge = weights.length - 1; edge >= 0; edge--) {
    if (!hasTurn(edge)) continue;
    const [one, other, wait] = [from[edge]!, to[edge]!, maxWeight / weights[edge]!];
    const [there, back] = [--place[one]!, --place[other]!];
    others[there] = other;
    others[back] = one;
    waits[there] = waits[back] = wait;
  }
  return { ends, others, waits };
}

/**
 * By squared distance d: -2 a b d^(b - 1) / (1 + a d^b) for attraction, and 2 b / ((0.001 + d) (1 + a d^b)) for
 * repulsion.
 */
function writeTables(tables: Float32Array, { a, b }: FallOff): void {
  for (let entry = 0; entry < entries; entry++) {
    // In the middle of its step: the bits within a doubling count evenly.
    const square = 2 ** (minExponent + Math.floor(entry / steps)) * (1 + ((entry % steps) + 0.5) / steps);
    const power = a * square ** b;
    tables[entry] = (-2 * b * power) / (square * (1 + power));
    tables[entries + entry] = (2 * b) / ((minSquare + square) * (1 + power));
  }
}
