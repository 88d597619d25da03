import { expect, test } from 'vitest';
import { chartLabels } from './chart-labels.ts';
import { boxOf, chartScales, nearestPoint, roundSteps, rowsInBox } from './chart-points.ts';

const scales = chartScales({ title: 'x', range: [-2, 2] }, { title: 'y', range: [0, 10] });
const pointsOf = (places: readonly (readonly [x: number, y: number])[]) => ({
  rows: Int32Array.from(places, (_, row) => 100 + row),
  x: Float64Array.from(places, ([x]) => x),
  y: Float64Array.from(places, ([, y]) => y),
});

test('what is beyond an axis lies at its end, and a place has the value that lies there', () => {
  expect(scales.x(27)).toBe(scales.panel.right);
  expect(scales.y(-Infinity)).toBe(scales.panel.bottom);
  const value = scales.valueAt({ x: scales.x(0.5), y: scales.y(4) });
  expect(value.x).toBeCloseTo(0.5, 12);
  expect(value.y).toBeCloseTo(4, 12);
  expect(scales.valueAt({ x: -50, y: 0 }).x).toBe(-2);
});

test('the nearest point within reach is meant, and none beyond it', () => {
  const points = pointsOf([
    [1, 2],
    [-1, 9],
  ]);
  const at = (x: number, y: number) => ({ x: scales.x(x), y: scales.y(y) });
  expect(nearestPoint(points, scales, { ...at(1, 2), reach: 10 })).toBe(0);
  expect(nearestPoint(points, scales, { ...at(-1, 8.9), reach: 30 })).toBe(1);
  expect(nearestPoint(points, scales, { ...at(0, 5), reach: 10 })).toBeUndefined();
});

test('a box that is dragged in any direction has the rows within it', () => {
  const points = pointsOf([
    [1, 2],
    [-1, 9],
    [1.5, 3],
  ]);
  const corner = { x: scales.x(2), y: scales.y(0) };
  const other = { x: scales.x(0.5), y: scales.y(5) };
  expect(rowsInBox(points, scales, boxOf(corner, other))).toEqual([100, 102]);
  expect(rowsInBox(points, scales, boxOf(other, corner))).toEqual([100, 102]);
});

test('no name covers another or a coloured point, and genes that are selected are named first', () => {
  const points = pointsOf(Array.from({ length: 80 }, (_, i) => [0.2 + (i % 9) / 8, 10 - i / 8] as const));
  const tones = new Uint8Array(80).fill(1);
  const geneOf = (row: number) => `GENE${row}`;
  const labels = chartLabels({ points, tones, scales, selected: new Set([150]), geneOf });
  expect(labels[0]!.gene).toBe('GENE150');
  expect(labels[1]!.gene).toBe('GENE100');
  expect(labels.length).toBeGreaterThan(5);
  labels.forEach((one, at) => {
    for (const other of labels.slice(at + 1)) {
      const apart = Math.abs(one.top - other.top) >= 15 || one.left >= other.right || other.left >= one.right;
      expect(apart).toBe(true);
    }
    for (let dot = 0; dot < 60; dot++) {
      const [x, y] = [scales.x(points.x[dot]!), scales.y(points.y[dot]!)];
      // Its disc has a radius of 2.6.
      const isCovered = x > one.left - 2.6 && x < one.right + 2.6 && y > one.top && y < one.top + 15;
      expect(isCovered && dot !== one.at && one.gene !== 'GENE150').toBe(false);
    }
  });
  expect(chartLabels({ points, tones: new Uint8Array(80), scales, selected: new Set(), geneOf })).toEqual([]);
});

test('the numbers of an axis are round and within it', () => {
  expect(roundSteps([-2.2, 2.2], 5)).toEqual([-2, -1, 0, 1, 2]);
  expect(roundSteps([0, 76], 5)).toEqual([0, 20, 40, 60]);
  expect(roundSteps([0, 1], 0.5)).toEqual([0]);
});
