import { SeededBits } from '../data/seeded-bits.ts';

/** Seeded cells in Morton order: twenty curved clusters, as in an embedding. */
export interface PageCells {
  cells: number;
  /** x0, y0, x1, y1, … of 0 to 65,535. */
  positions: Uint16Array;
  clusters: Uint8Array;
  /** x0, y0, x1, y1, … in [0, 1]: around the middle of the grid, with a fifth of the cells inside. */
  lasso: Float32Array;
}

export const clusterCount = 20;

export function pageCells(cells: number): PageCells {
  const bits = new SeededBits(7);
  const centres = Array.from({ length: clusterCount }, () => ({
    x: 0.12 + 0.76 * bits.uniform(),
    y: 0.12 + 0.76 * bits.uniform(),
    spread: 0.012 + 0.035 * bits.uniform(),
    angle: 2 * Math.PI * bits.uniform(),
    length: 1 + 2.5 * bits.uniform(),
    bend: 6 * (bits.uniform() - 0.5),
  }));
  const drawnPositions = new Uint16Array(2 * cells);
  const drawnClusters = new Uint8Array(cells);
  const keys = new Float64Array(cells);
  const onGrid = (value: number) => Math.round(65_535 * Math.min(1, Math.max(0, value)));
  for (let cell = 0; cell < cells; cell++) {
    const cluster = Math.floor(bits.uniform() * clusterCount);
    const { x, y, spread, angle, length, bend } = centres[cluster]!;
    const along = bits.normal() * spread * length;
    const across = bits.normal() * spread + 2 * bend * along * along;
    drawnPositions[2 * cell] = onGrid(x + along * Math.cos(angle) - across * Math.sin(angle));
    drawnPositions[2 * cell + 1] = onGrid(y + along * Math.sin(angle) + across * Math.cos(angle));
    drawnClusters[cell] = cluster;
    // 32 bits of Morton code and 20 of the cell fit into a double.
    keys[cell] = mortonCode(drawnPositions[2 * cell]!, drawnPositions[2 * cell + 1]!) * 2 ** 20 + cell;
  }
  keys.sort();
  const positions = new Uint16Array(2 * cells);
  const clusters = new Uint8Array(cells);
  keys.forEach((key, place) => {
    const cell = key % 2 ** 20;
    positions[2 * place] = drawnPositions[2 * cell]!;
    positions[2 * place + 1] = drawnPositions[2 * cell + 1]!;
    clusters[place] = drawnClusters[cell]!;
  });
  return { cells, positions, clusters, lasso: lassoOf(positions, 0.2) };
}

export function otherColouring(clusters: Uint8Array, turn: number): Uint8Array {
  return clusters.map((cluster) => (cluster + turn) % clusterCount);
}

/** Milliseconds of `draw` on the main thread, without the wait for the frame. */
export async function frameTime(draw: () => void): Promise<number> {
  await new Promise((resolve) => requestAnimationFrame(resolve));
  const start = performance.now();
  draw();
  return performance.now() - start;
}

/**
 * The longest task of the main thread during `work`, in milliseconds: of those that the browser reports (over 50 ms) and
 * those that `work` adds.
 */
export async function longestTask(work: (timed: number[]) => Promise<void>): Promise<number> {
  const durations: number[] = [0];
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) durations.push(duration);
  });
  // Entries are delivered late; those of earlier tasks must not count.
  await new Promise((resolve) => setTimeout(resolve, 100));
  observer.observe({ type: 'longtask' });
  await work(durations);
  await new Promise((resolve) => setTimeout(resolve, 100));
  observer.disconnect();
  return Math.max(...durations);
}

function lassoOf(positions: Uint16Array, share: number): Float32Array {
  const wave = (angle: number) => 1 + 0.25 * Math.sin(5 * angle) + 0.1 * Math.sin(17 * angle);
  const radii: number[] = [];
  for (let cell = 0; cell < positions.length / 2; cell += 50) {
    const [x, y] = [positions[2 * cell]! / 65_535 - 0.5, positions[2 * cell + 1]! / 65_535 - 0.5];
    radii.push(Math.hypot(x, y) / wave(Math.atan2(y, x)));
  }
  radii.sort((a, b) => a - b);
  const radius = radii[Math.floor(radii.length * share)]!;
  return Float32Array.from({ length: 400 }, (_, at) => {
    const angle = ((at >> 1) / 200) * 2 * Math.PI;
    return 0.5 + radius * wave(angle) * (at % 2 ? Math.sin(angle) : Math.cos(angle));
  });
}

function mortonCode(x: number, y: number): number {
  let code = 0;
  for (let bit = 15; bit >= 0; bit--) code = code * 4 + 2 * ((y >> bit) & 1) + ((x >> bit) & 1);
  return code;
}
