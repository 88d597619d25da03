import { noteDifferences } from '@cellfolio/model/testing';
import { expect, test } from 'vitest';
import reference from '../samples-reference.json' with { type: 'json' };
import { unitLength } from './batched-cells.ts';
import { correctedCells } from './correct-cells.ts';
import { harmony, harmonyDefaults } from './harmony.ts';

const { components, batches, shares, corrected, correctedAgain, correctedOnce } = reference.harmony;
const cells = {
  coordinates: Float64Array.from(reference.harmony.points.flat()),
  components,
  batches: Int32Array.from(batches),
  batchCount: 3,
};

test('given the same clusters, corrected components are those of harmonypy', () => {
  const count = shares[0]!.length;
  const observed = new Float64Array(3 * count);
  const sizes = new Float64Array(count);
  for (const [cell, own] of shares.entries()) {
    for (const [cluster, share] of own.entries()) {
      observed[batches[cell]! * count + cluster]! += share;
      sizes[cluster]! += share;
    }
  }
  const actual = correctedCells(
    cells,
    { count, shares: Float64Array.from(shares.flat()), observed, sizes },
    1,
  );
  const expected = correctedOnce.flat();
  noteDifferences('harmony-correction', actual, expected, 1);
  // harmonypy adds up in single precision.
  expect(Math.max(...expected.map((value, at) => Math.abs(value - actual[at]!)))).toBeLessThan(1e-5);
});

test('from the same centroids both come to the same components, however the cells are shuffled', () => {
  const centroids = unitLength(Float64Array.from(reference.harmony.centroids.flat()), components);
  const { coordinates, objectives, converged } = harmony(cells, centroids, {
    ...harmonyDefaults,
    maxClusterIterations: 20,
    tolerance: 1e-4,
    clusterTolerance: 1e-5,
  });
  const theirs = corrected.flat();
  noteDifferences('harmony', coordinates, theirs, 1);
  const apart = (one: ArrayLike<number>) =>
    Math.max(...theirs.map((value, at) => Math.abs(value - one[at]!)));
  expect(apart(coordinates)).toBeLessThan(1e-3);
  // From other centroids harmonypy itself comes to others, and before the correction all are far away.
  expect(apart(correctedAgain.flat())).toBeGreaterThan(0.1);
  expect(apart(cells.coordinates)).toBeGreaterThan(2);
  expect(converged).toBe(true);
  // It scales its objective to 2,000 cells, and weighs batches within clusters by another formula.
  const scaled = (objectives.at(-1)! * 2000) / batches.length;
  expect(scaled / reference.harmony.objectives.at(-1)!).toBeCloseTo(1, 1);
});
