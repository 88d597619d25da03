import { expect, test } from 'vitest';
import { seededRandom } from '../random.ts';
import { unitLength } from './batched-cells.ts';
import { correctedCells } from './correct-cells.ts';
import { DiverseClusters } from './diverse-clusters.ts';
import { harmony, harmonyDefaults } from './harmony.ts';

const WIDTH = 6;
function cells(count: number, shift: number) {
  const random = seededRandom(3);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const batches = Int32Array.from({ length: count }, (_, cell) => cell % 2);
  const types = Int32Array.from({ length: count }, (_, cell) => Math.floor(cell / 2) % 3);
  const coordinates = new Float64Array(count * WIDTH);
  for (let cell = 0; cell < count; cell++) {
    for (let at = 0; at < WIDTH; at++)
      coordinates[cell * WIDTH + at] =
        normal() + (at === types[cell] ? 8 : 0) + (at >= 3 && batches[cell] === 1 ? shift : 0);
  }
  return { coordinates, components: WIDTH, batches, batchCount: 2, types };
}

function centroidsOf({ coordinates, types, batches }: ReturnType<typeof cells>): Float64Array {
  const sums = new Float64Array(6 * WIDTH);
  for (let cell = 0; cell < types.length; cell++)
    for (let at = 0; at < WIDTH; at++)
      sums[(2 * types[cell]! + batches[cell]!) * WIDTH + at]! += coordinates[cell * WIDTH + at]!;
  return unitLength(sums, WIDTH);
}

function meanOf(
  { types, batches }: ReturnType<typeof cells>,
  values: Float64Array,
  type: number,
  batch: number,
) {
  const mean = new Float64Array(WIDTH);
  let count = 0;
  for (let cell = 0; cell < types.length; cell++) {
    if (types[cell] !== type || batches[cell] !== batch) continue;
    count++;
    for (let at = 0; at < WIDTH; at++) mean[at]! += values[cell * WIDTH + at]!;
  }
  return mean.map((sum) => sum / count);
}

const distance = (a: Float64Array, b: Float64Array) =>
  Math.sqrt(a.reduce((sum, value, at) => sum + (value - b[at]!) ** 2, 0));

test('batches of each type come together, and types stay apart', () => {
  const input = cells(600, 4);
  const { coordinates, objectives, iterations, converged } = harmony(input, centroidsOf(input));
  for (const type of [0, 1, 2]) {
    const before = distance(
      meanOf(input, input.coordinates, type, 0),
      meanOf(input, input.coordinates, type, 1),
    );
    const after = distance(meanOf(input, coordinates, type, 0), meanOf(input, coordinates, type, 1));
    expect(before).toBeGreaterThan(6);
    expect(after).toBeLessThan(0.5);
    const other = meanOf(input, coordinates, (type + 1) % 3, 0);
    expect(distance(meanOf(input, coordinates, type, 0), other)).toBeGreaterThan(7);
  }
  expect(iterations).toBe(objectives.length - 1);
  expect(converged).toBe(true);
  expect(objectives.at(-1)).toBeLessThan(objectives[0]!);
});

test('cells of one batch stay where they are, and so do mixed ones nearly', () => {
  const one = { ...cells(300, 0), batches: new Int32Array(300), batchCount: 1 };
  const alone = harmony(one, centroidsOf(cells(300, 0)));
  // The ridge penalty leaves nothing of one batch that the intercept does not have.
  const moved = alone.coordinates.map((value, at) => Math.abs(value - one.coordinates[at]!));
  expect(Math.max(...moved)).toBeLessThan(1e-9);
  const mixed = cells(600, 0);
  const { coordinates } = harmony(mixed, centroidsOf(mixed));
  for (const type of [0, 1, 2])
    expect(
      distance(meanOf(mixed, coordinates, type, 0), meanOf(mixed, mixed.coordinates, type, 0)),
    ).toBeLessThan(0.2);
});

test('the correction solves the ridge regression within each cluster', () => {
  const input = cells(120, 3);
  const clusters = new DiverseClusters(input, centroidsOf(input), harmonyDefaults);
  clusters.start(unitLength(input.coordinates, WIDTH));
  const corrected = correctedCells(input, clusters, 1);
  // The normal equations in full, for each cluster: (Φ diag(R) Φᵀ + Λ) W = Φ diag(R) Zᵀ.
  const expected = input.coordinates.slice();
  for (let cluster = 0; cluster < clusters.count; cluster++) {
    const matrix = [0, 1, 2].map(() => [0, 0, 0]);
    const right = [0, 1, 2].map(() => new Float64Array(WIDTH));
    for (let cell = 0; cell < 120; cell++) {
      const share = clusters.shares[cell * clusters.count + cluster]!;
      const design = [1, input.batches[cell] === 0 ? 1 : 0, input.batches[cell] === 1 ? 1 : 0];
      for (let i = 0; i < 3; i++) {
        for (let j = 0; j < 3; j++) matrix[i]![j]! += share * design[i]! * design[j]!;
        for (let at = 0; at < WIDTH; at++)
          right[i]![at]! += share * design[i]! * input.coordinates[cell * WIDTH + at]!;
      }
    }
    for (const i of [1, 2]) matrix[i]![i]! += 1;
    const effects = solved(matrix, right);
    for (let cell = 0; cell < 120; cell++)
      for (let at = 0; at < WIDTH; at++)
        expected[cell * WIDTH + at]! -=
          clusters.shares[cell * clusters.count + cluster]! * effects[1 + input.batches[cell]!]![at]!;
  }
  const apart = Math.max(...expected.map((value, at) => Math.abs(value - corrected[at]!)));
  expect(apart).toBeLessThan(1e-9);
});

function solved(matrix: number[][], right: Float64Array[]): Float64Array[] {
  const size = matrix.length;
  for (let column = 0; column < size; column++) {
    const pivot = [...matrix.keys()]
      .slice(column)
      .reduce((best, row) =>
        Math.abs(matrix[row]![column]!) > Math.abs(matrix[best]![column]!) ? row : best,
      );
    [matrix[column], matrix[pivot]] = [matrix[pivot]!, matrix[column]!];
    [right[column], right[pivot]] = [right[pivot]!, right[column]!];
    for (let row = 0; row < size; row++) {
      if (row === column) continue;
      const factor = matrix[row]![column]! / matrix[column]![column]!;
      for (let at = column; at < size; at++) matrix[row]![at]! -= factor * matrix[column]![at]!;
      for (let at = 0; at < WIDTH; at++) right[row]![at]! -= factor * right[column]![at]!;
    }
  }
  return right.map((values, row) => values.map((value) => value / matrix[row]![row]!));
}

test('assignments sum to 1, and clusters count their cells', () => {
  const input = cells(200, 2);
  const clusters = new DiverseClusters(input, centroidsOf(input), harmonyDefaults);
  clusters.start(unitLength(input.coordinates, WIDTH));
  clusters.settle(unitLength(input.coordinates, WIDTH), seededRandom(1));
  const sums = new Float64Array(clusters.count);
  for (let cell = 0; cell < 200; cell++) {
    const own = clusters.shares.subarray(cell * clusters.count, (cell + 1) * clusters.count);
    expect(own.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
    own.forEach((share, cluster) => (sums[cluster]! += share));
  }
  sums.forEach((sum, cluster) => expect(clusters.sizes[cluster]).toBeCloseTo(sum, 9));
});
