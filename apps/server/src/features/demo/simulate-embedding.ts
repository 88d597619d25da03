import type { CellType } from './gene-profiles.ts';
import { nearestNeighbours, type Neighbours } from './simulate-clusters.ts';
import { type Random, createRandom } from '@cellfolio/analysis';
import type { Recipe } from './recipes.ts';
import type { Population, SimulatedCells } from './simulate-cells.ts';

interface SimulatedEmbedding {
  /** Two coordinates per cell, cell after cell. */
  coordinates: Float32Array;
  neighbours: Neighbours;
}

/** Two coordinates on the plane, and further directions for what the curve does not explain. */
const dimensions = 8;
const neighbourCount = 12;
const epochs = 90;

/**
 * Places the cells as UMAP would: each starts at its position on its lineage's curve, then cells that are close in
 * lineage, position, patient and cycle attract each other and all others repel, by the gradient of UMAP (McInnes et al.
 * 2018, arXiv:1802.03426). What is close in expression is close here, because both have one cause.
 */
export function simulateEmbedding(recipe: Recipe, cells: SimulatedCells): SimulatedEmbedding {
  const random = createRandom(`${recipe.seed} embedding`);
  const points = placeCells(cells, recipe, random);
  const neighbours = nearestNeighbours(points, dimensions, neighbourCount);
  const coordinates = new Float64Array(cells.count * 2);
  for (let cell = 0; cell < cells.count; cell++) {
    coordinates[2 * cell] = points[cell * dimensions]! + 0.05 * random.normal();
    coordinates[2 * cell + 1] = points[cell * dimensions + 1]! + 0.05 * random.normal();
  }
  optimise(coordinates, neighbours, random);
  return { coordinates: turned(coordinates, random), neighbours };
}

function placeCells(cells: SimulatedCells, recipe: Recipe, random: Random): Float64Array {
  const shifts = cells.populations.map(({ patient }) =>
    patient === undefined
      ? [0.55 * random.normal(), 0.55 * random.normal()]
      : [0.2 * random.normal(), 0.2 * random.normal()],
  );
  const patientOffsets = recipe.patients.map(() => Array.from({ length: 4 }, () => 0.22 * random.normal()));
  // No tumour is like another: its cells attract only each other.
  const tumourOffsets = cells.populations.map(({ patient }) =>
    Array.from({ length: 4 }, () => (patient === undefined ? 0 : 1.6 * random.normal())),
  );
  const points = new Float64Array(cells.count * dimensions);
  for (let cell = 0; cell < cells.count; cell++) {
    const population = cells.population[cell]!;
    const [shiftX, shiftY] = shifts[population]!;
    let [x, y] = onCurve(cells.populations[population]!, cells.u[cell]!, cells.v[cell]!);
    x += shiftX!;
    y += shiftY!;
    const to = cells.bridgeTo[cell]!;
    if (to >= 0) {
      const [otherX, otherY] = onCurve(cells.populations[to]!, 0.5 * cells.u[cell]!, cells.v[cell]!);
      const progress = cells.bridge[cell]!;
      x += progress * (otherX + shifts[to]![0]! - x);
      y += progress * (otherY + shifts[to]![1]! - y);
    }
    const phase = cells.phase[cell]!;
    // Cycling cells gather to one side of their kind.
    if (phase > 0) {
      x += 0.5 + 0.25 * phase;
      y += 0.9 - 0.3 * phase;
    }
    const at = cell * dimensions;
    points[at] = x + 0.12 * random.normal();
    points[at + 1] = y + 0.12 * random.normal();
    const offset = patientOffsets[cells.patient[cell]!]!;
    for (let d = 2; d < 6; d++)
      points[at + d] = 0.3 * random.normal() + offset[d - 2]! + tumourOffsets[population]![d - 2]!;
    if (phase > 0) points[at + 2] = points[at + 2]! + 1.1;
    const apart = familyOf(cells.populations[population]!.lineage.cellType);
    points[at + 6] = 4 * Math.cos(apart);
    points[at + 7] = 4 * Math.sin(apart);
    // A few cells of every dataset sit where they do not belong.
    if (random.uniform() < 0.004) {
      points[at] = points[at]! + 2.2 * random.normal();
      points[at + 1] = points[at + 1]! + 2.2 * random.normal();
    }
  }
  return points;
}

/** Unrelated cell types may be adjacent but never attract each other: one angle for each family of types. */
function familyOf(type: CellType): number {
  const families: readonly (readonly CellType[])[] = [
    ['T cell', 'NK'],
    ['Epithelial'],
    ['B cell', 'Plasma'],
    ['Fibroblast'],
    ['Macrophage', 'Monocyte'],
    ['Endothelial'],
    ['Mast'],
  ];
  return (2 * Math.PI * families.findIndex((family) => family.includes(type))) / families.length;
}

/** A point on the quadratic curve of a lineage, moved across it. */
function onCurve({ lineage }: Population, u: number, v: number): [number, number] {
  const { from, to, bend, width } = lineage.curve;
  const dx = to[0] - from[0];
  const dy = to[1] - from[1];
  const length = Math.hypot(dx, dy);
  const normal = [-dy / length, dx / length] as const;
  const middle = [
    (from[0] + to[0]) / 2 + bend * normal[0],
    (from[1] + to[1]) / 2 + bend * normal[1],
  ] as const;
  const w = 1 - u;
  const x = w * w * from[0] + 2 * w * u * middle[0] + u * u * to[0];
  const y = w * w * from[1] + 2 * w * u * middle[1] + u * u * to[1];
  // Wider in the middle than at the ends, and not evenly.
  const spread = 1.7 * width * v * (0.45 + 0.9 * Math.sqrt(u * w) + 0.25 * Math.sin(5 * u + 3 * bend));
  return [x + spread * normal[0], y + spread * normal[1]];
}

/** UMAP's curve 1 / (1 + a d^2b) with b = 1, close to that of min_dist 0.3; saves a power for each pair. */
const a = 1;
/**
 * Squared distance beyond which cells no longer repel each other, so that islands keep their positions instead of
 * drifting apart.
 */
const reach = 3 ** 2;

function optimise(coordinates: Float64Array, { k, ids, distances }: Neighbours, random: Random): void {
  const count = coordinates.length / 2;
  const clip = (value: number): number => (value > 4 ? 4 : value < -4 ? -4 : value);
  const move = (i: number, j: number, factor: number, rate: number, both: boolean): void => {
    const dx = clip(factor * (coordinates[2 * i]! - coordinates[2 * j]!)) * rate;
    const dy = clip(factor * (coordinates[2 * i + 1]! - coordinates[2 * j + 1]!)) * rate;
    coordinates[2 * i] = coordinates[2 * i]! + dx;
    coordinates[2 * i + 1] = coordinates[2 * i + 1]! + dy;
    if (!both) return;
    coordinates[2 * j] = coordinates[2 * j]! - dx;
    coordinates[2 * j + 1] = coordinates[2 * j + 1]! - dy;
  };
  const squared = (i: number, j: number): number =>
    (coordinates[2 * i]! - coordinates[2 * j]!) ** 2 +
    (coordinates[2 * i + 1]! - coordinates[2 * j + 1]!) ** 2;
  for (let epoch = 0; epoch < epochs; epoch++) {
    const rate = 0.6 * (1 - epoch / epochs);
    for (let i = 0; i < count; i++) {
      const nearest = distances[i * k]!;
      const scale = Math.max(1e-6, distances[i * k + k - 1]! - nearest);
      for (let n = 0; n < k; n++) {
        const j = ids[i * k + n]!;
        // Near neighbours pull in every epoch, far ones in few, as edge weights do in UMAP.
        if (j < 0 || random.uniform() > Math.exp(-(1.6 * (distances[i * k + n]! - nearest)) / scale))
          continue;
        const d2 = squared(i, j);
        move(i, j, (-2 * a) / (1 + a * d2), rate, true);
        for (let negative = 0; negative < 4; negative++) {
          const other = random.integer(count);
          if (other === i) continue;
          const away = squared(i, other);
          if (away > reach) continue;
          move(i, other, 2 / ((0.001 + away) * (1 + a * away)), rate, false);
        }
      }
    }
  }
}

/** Rotates and perhaps mirrors the embedding: its axes mean nothing, and no two datasets should look the same. */
function turned(coordinates: Float64Array, random: Random): Float32Array {
  const angle = 2 * Math.PI * random.uniform();
  const mirror = random.uniform() < 0.5 ? -1 : 1;
  const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
  const count = coordinates.length / 2;
  let meanX = 0;
  let meanY = 0;
  for (let i = 0; i < count; i++) {
    meanX += coordinates[2 * i]! / count;
    meanY += coordinates[2 * i + 1]! / count;
  }
  const out = new Float32Array(coordinates.length);
  for (let i = 0; i < count; i++) {
    const x = mirror * (coordinates[2 * i]! - meanX);
    const y = coordinates[2 * i + 1]! - meanY;
    out[2 * i] = cosine * x - sine * y + 3;
    out[2 * i + 1] = sine * x + cosine * y + 3;
  }
  return out;
}
