import { xorshift } from '../drawing/xorshift.ts';

interface LaidEdge {
  nodes: readonly [number, number];
  /** Strength, from 0 to 1, with which the edge attracts its ends. */
  pull: number;
}

const steps = 400;
const seed = 20_240_917;

/**
 * Node positions from 0 to 1: nodes repel each other, edges attract their ends (Fruchterman and Reingold 1991), with
 * shrinking steps. Nodes begin on a circle in order, displaced slightly by a fixed seed, so that the same graph gives
 * the same layout.
 */
export function forceLayout(
  count: number,
  edges: readonly LaidEdge[],
): readonly (readonly [number, number])[] {
  const random = xorshift(seed);
  const x = Float64Array.from(
    { length: count },
    (_, node) => Math.cos((2 * Math.PI * node) / count) + 0.02 * random(),
  );
  const y = Float64Array.from(
    { length: count },
    (_, node) => Math.sin((2 * Math.PI * node) / count) + 0.02 * random(),
  );
  const ideal = 1.6 / Math.sqrt(Math.max(1, count));
  for (let step = 0; step < steps; step++) {
    const longest = 0.12 * (1 - step / steps);
    move({ x, y, edges, ideal }, longest);
  }
  return scaled(x, y);
}

interface Laid {
  x: Float64Array;
  y: Float64Array;
  edges: readonly LaidEdge[];
  ideal: number;
}

function move({ x, y, edges, ideal }: Laid, longest: number): void {
  const dx = new Float64Array(x.length);
  const dy = new Float64Array(x.length);
  const push = (one: number, other: number, force: (apart: number) => number) => {
    const [ofX, ofY] = [x[one]! - x[other]!, y[one]! - y[other]!];
    const apart = Math.max(1e-6, Math.hypot(ofX, ofY));
    const size = force(apart) / apart;
    dx[one]! += ofX * size;
    dy[one]! += ofY * size;
    dx[other]! -= ofX * size;
    dy[other]! -= ofY * size;
  };
  for (let one = 0; one < x.length; one++) {
    for (let other = 0; other < one; other++) push(one, other, (apart) => ideal ** 2 / apart);
  }
  for (const { nodes, pull } of edges) push(nodes[0], nodes[1], (apart) => (-pull * apart ** 2) / ideal);
  for (let node = 0; node < x.length; node++) {
    // Keeps parts that nothing joins from drifting away.
    dx[node]! -= 0.6 * x[node]!;
    dy[node]! -= 0.6 * y[node]!;
    const length = Math.max(1e-9, Math.hypot(dx[node]!, dy[node]!));
    const by = Math.min(length, longest) / length;
    x[node]! += dx[node]! * by;
    y[node]! += dy[node]! * by;
  }
}

function scaled(x: Float64Array, y: Float64Array): readonly (readonly [number, number])[] {
  const part = (values: Float64Array, value: number): number => {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    return Number((high > low ? (value - low) / (high - low) : 0.5).toFixed(4));
  };
  return Array.from(x, (value, node) => [part(x, value), part(y, y[node]!)] as const);
}
