import { noteDifferences } from '@cellfolio/model/testing';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cellDensity } from './cell-density.ts';

/** Written by reference/embedding_density_reference.py with scanpy and scipy. */
const reference = JSON.parse(
  readFileSync(new URL('../../reference/embedding-density-reference.json', import.meta.url), 'utf8'),
) as {
  cases: readonly {
    name: string;
    xy: readonly number[];
    codes: readonly number[];
    density: readonly number[];
  }[];
  large: { cells: number; every: number; density: readonly number[] };
};

function scaledOf(xs: Iterable<number>, ys: Iterable<number>): Float64Array {
  const density = cellDensity(Float64Array.from(xs), Float64Array.from(ys));
  if ('problem' in density) throw new Error(density.problem);
  return density.scaled;
}

test.each(reference.cases)('densities of $name are those of scanpy to 1e-6', ({ xy, codes, density }) => {
  let farthest = 0;
  for (const code of new Set(codes)) {
    const cells = [...codes.keys()].filter((cell) => codes[cell] === code);
    const ours = scaledOf(
      cells.map((cell) => xy[2 * cell]!),
      cells.map((cell) => xy[2 * cell + 1]!),
    );
    noteDifferences(
      'embedding-density',
      ours,
      cells.map((cell) => density[cell]!),
      1,
    );
    cells.forEach((cell, i) => (farthest = Math.max(farthest, Math.abs(ours[i]! - density[cell]!))));
  }
  expect(farthest).toBeLessThan(1e-6);
});

function clouds(cells: number): { xs: Float64Array; ys: Float64Array } {
  const [xs, ys] = [new Float64Array(cells), new Float64Array(cells)];
  for (let i = 0; i < cells; i++) {
    const [a, b] = [(i * 0.6180339887498949) % 1, (i * 0.7548776662466927) % 1];
    const cloud = i % 3;
    const radius = Math.sqrt(-2 * Math.log(1 - a));
    const x = 4 * cloud + radius * Math.cos(2 * Math.PI * b);
    const y = (cloud - 1) ** 2 * 5 + radius * Math.sin(2 * Math.PI * b) * (0.3 + 0.5 * cloud) + 0.4 * x;
    const isFar = i % 5003 === 17;
    xs[i] = isFar ? 12 * x : x;
    ys[i] = isFar ? y - 40 : y;
  }
  return { xs, ys };
}

test('densities of many cells are those of scipy to 1e-6 too, and the same each time', () => {
  const { cells, every, density } = reference.large;
  const { xs, ys } = clouds(cells);
  const ours = scaledOf(xs, ys);
  noteDifferences(
    'embedding-density',
    density.map((_, i) => ours[i * every]!),
    density,
    1,
  );
  const farthest = density.reduce(
    (greatest, value, i) => Math.max(greatest, Math.abs(value - ours[i * every]!)),
    0,
  );
  expect(farthest).toBeLessThan(1e-6);
  expect([Math.min(...ours), Math.max(...ours)]).toEqual([0, 1]);
  expect(scaledOf(xs, ys)).toEqual(ours);
});

test('too few cells, cells on a line or at one place, and cells that are all as dense have no scale', () => {
  const problemOf = (xs: number[], ys: number[]) => cellDensity(Float64Array.from(xs), Float64Array.from(ys));
  expect(problemOf([], [])).toEqual({ problem: 'few' });
  expect(problemOf([1, 2, 9], [3, 1, 4])).toEqual({ problem: 'few' });
  expect(problemOf([1, 2, 4, 5], [0.1, 0.2, 0.4, 0.5])).toEqual({ problem: 'singular' });
  expect(problemOf([7, 7, 7, 7], [1, 2, 5, 3])).toEqual({ problem: 'singular' });
  expect(problemOf([1, 2, 5, 3], [7, 7, 7, 7])).toEqual({ problem: 'singular' });
  expect(problemOf([2, 2, 2, 2], [3, 3, 3, 3])).toEqual({ problem: 'singular' });
  expect(problemOf([0, 1, 0, 1], [0, 0, 1, 1])).toEqual({ problem: 'even' });
});

test('cells scattered over more places than fit into memory are refused, and far outliers alone are not', () => {
  const cells = 400_000;
  const { xs, ys } = clouds(cells);
  xs[0] = 1e4;
  ys[1] = -1e4;
  expect(cellDensity(xs, ys)).toHaveProperty('scaled');
  const outlier = (i: number, step: number) => (i % 1000 === 0 ? (((i / 1000) * step) % 1) * 2000 - 1000 : 0);
  for (let i = 0; i < cells; i++) {
    xs[i] = Math.cos(i) + outlier(i, 0.6180339887498949);
    ys[i] = Math.sin(i * 1.3) + outlier(i, 0.7548776662466927);
  }
  expect(cellDensity(xs, ys)).toEqual({ problem: 'wide' });
});
