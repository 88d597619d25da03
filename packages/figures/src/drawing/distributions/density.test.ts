import { noteDifferences } from '@cellfolio/model/testing';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { densityPoints, groupDensity, quartiles, spikeHeight, swarmOffsets } from './density.ts';
import { seeded } from '../../mixture.test-data.ts';

interface Reference {
  cases: readonly {
    name: string;
    nonzero: readonly number[];
    zeros: number;
    density: readonly number[];
    quartiles: readonly number[];
  }[];
}

/** Written by reference/violin_reference.py with scipy and numpy. */
const reference = JSON.parse(
  readFileSync(new URL('../../../reference/violin-reference.json', import.meta.url), 'utf8'),
) as Reference;

test.each(reference.cases)('the density of "$name" is that of scipy', ({ nonzero, zeros, density }) => {
  const ours = groupDensity(Float32Array.from(nonzero), zeros)!;
  expect(groupDensity(Float64Array.from(nonzero), zeros)).toHaveLength(densityPoints);
  expect(ours).toHaveLength(densityPoints);
  noteDifferences('violin', ours, density, 1);
  const farthest = Math.max(...ours.map((value, i) => Math.abs(value - density[i]!)));
  expect(farthest).toBeLessThan(0.01);
});

test.each(reference.cases)('the quartiles of "$name" are those of numpy', (testCase) => {
  const ours = quartiles(Float32Array.from(testCase.nonzero), testCase.zeros)!;
  noteDifferences('quartiles', ours, testCase.quartiles, 1);
  ours.forEach((value, i) => expect(value).toBeCloseTo(testCase.quartiles[i]!, 6));
});

test('a group of fewer than two distinct values has no density', () => {
  expect(groupDensity(new Float32Array(0), 0)).toBeNull();
  expect(groupDensity(new Float32Array(0), 500)).toBeNull();
  expect(groupDensity(Float32Array.of(1.5), 0)).toBeNull();
  expect(groupDensity(new Float32Array(9).fill(1.5), 0)).toBeNull();
  expect(quartiles(new Float32Array(0), 0)).toBeNull();
});

test('a point alone stays in the middle', () => {
  expect(swarmOffsets([10, 40, 70], 3, 12)).toEqual([-0, -0, -0]);
});

test('up to nine points, wherever they lie, keep to their row and no two to the same spot', () => {
  const uniform = seeded(7);
  for (let round = 0; round < 200; round++) {
    const places = Array.from({ length: 1 + Math.floor(9 * uniform()) }, () =>
      Math.round(20 * uniform()),
    ).sort((a, b) => a - b);
    const offsets = swarmOffsets(places, 3, 12);
    expect(Math.max(...offsets.map(Math.abs))).toBeLessThanOrEqual(12 + 1e-9);
    const spots = new Set(places.map((x, i) => `${x} ${offsets[i]!.toFixed(6)}`));
    expect(spots.size).toBe(places.length);
  }
});

test('equal values that have room do not overlap', () => {
  const offsets = swarmOffsets([5, 5, 5, 5], 3, 12).sort((a, b) => a - b);
  expect(offsets).toEqual([-9, -3, 3, 9]);
});

test('a spike of zeros is not as high as a violin with a body', () => {
  const xs = Array.from({ length: densityPoints }, (_, k) => 3 * k);
  const zeros = groupDensity(Float32Array.of(2), 2000)!;
  const many = groupDensity(
    Float32Array.from({ length: 300 }, (_, i) => (i % 30) / 10),
    0,
  )!;
  expect(spikeHeight(zeros, xs, 8)).toBeLessThan(0.5);
  expect(spikeHeight(many, xs, 8)).toBe(1);
});
