import { expect, test } from 'vitest';
import { volcanoAxes, volcanoLabels, volcanoPoints } from './volcano-points.ts';
import { nearestPoint, volcanoScales } from './volcano-scales.ts';

const thresholds = { adjustedP: 0.05, foldChange: 1 };
function columns(rows: readonly (readonly [gene: string, change: number, p: number, group?: string])[]) {
  const column = (of: (row: (typeof rows)[number]) => string) => ({ texts: rows.map(of) });
  const numbers = (of: (row: (typeof rows)[number]) => number) => ({
    texts: rows.map((row) => String(of(row))),
    numbers: Float64Array.from(rows, of),
  });
  return new Map<string, { texts: string[]; numbers?: Float64Array }>([
    ['names', column(([gene]) => gene)],
    ['logfoldchanges', numbers(([, change]) => change)],
    ['pvals_adj', numbers(([, , p]) => p)],
    ...(rows[0]?.[3] === undefined ? [] : [['group', column(([, , , group]) => group!)] as const]),
  ]);
}

test('genes are higher or lower where they pass both thresholds, and left out without a fold change', () => {
  const points = volcanoPoints(
    columns([
      ['up', 1, 0.01],
      ['down', -2, 0],
      ['small', 0.9, 1e-9],
      ['unsure', 3, 0.05],
      ['none', NaN, 1],
    ]),
    undefined,
    thresholds,
  );
  expect(points.map(({ gene, direction }) => [gene, direction])).toEqual([
    ['up', 1],
    ['down', -1],
    ['small', 0],
    ['unsure', 0],
  ]);
  // No p-value is infinitely sure.
  expect(points[1]!.score).toBeCloseTo(307.65, 1);
});

test('of several groups the genes of one are shown', () => {
  const rows = columns([
    ['a', 1, 0.1, 'T'],
    ['b', 1, 0.1, 'B'],
  ]);
  expect(volcanoPoints(rows, 'B', thresholds).map(({ gene, row }) => [gene, row])).toEqual([['b', 1]]);
});

test('genes that one side lacks leave the axis to the others, and lie at its ends', () => {
  const points = volcanoPoints(
    columns([
      ['a', 2, 0.1],
      ['far', 27, 0.1],
      ['b', -1, 0.1],
    ]),
    undefined,
    thresholds,
  );
  const axes = volcanoAxes(points, thresholds);
  expect(axes.change).toBeLessThan(3);
  const scales = volcanoScales(axes);
  expect(scales.x(27)).toBe(scales.panel.right);
  expect(volcanoAxes([], thresholds).change).toBeGreaterThan(1);
});

test('the nearest point within reach is meant, and none beyond it', () => {
  const points = volcanoPoints(
    columns([
      ['a', 2, 0.1],
      ['b', -1, 0.001],
    ]),
    undefined,
    thresholds,
  );
  const scales = volcanoScales(volcanoAxes(points, thresholds));
  const at = (change: number, score: number) => ({ x: scales.x(change), y: scales.y(score) });
  expect(nearestPoint(points, scales, { ...at(2, 1), reach: 10 })?.gene).toBe('a');
  expect(nearestPoint(points, scales, { ...at(-1, 2.9), reach: 30 })?.gene).toBe('b');
  expect(nearestPoint(points, scales, { ...at(0, 0), reach: 10 })).toBeUndefined();
});

test('no name covers another', () => {
  const rows = Array.from(
    { length: 60 },
    (_, i) => [`GENE${i}`, 2 + (i % 7) / 10, 10 ** -(20 - i / 10)] as const,
  );
  const points = volcanoPoints(columns(rows), undefined, thresholds);
  const scales = volcanoScales(volcanoAxes(points, thresholds));
  const labels = volcanoLabels(
    points,
    ({ change, score }) => ({ x: scales.x(change), y: scales.y(score) }),
    scales.panel,
  );
  expect(labels[0]?.point.gene).toBe('GENE0');
  expect(labels.length).toBeGreaterThan(2);
  labels.forEach((one, at) =>
    labels.slice(at + 1).forEach((other) => {
      const widthOf = (gene: string) => gene.length * 7.2;
      const apart =
        Math.abs(one.top - other.top) >= 15 ||
        one.left >= other.left + widthOf(other.point.gene) ||
        other.left >= one.left + widthOf(one.point.gene);
      expect(apart).toBe(true);
    }),
  );
});
