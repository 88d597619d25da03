import { expect, test } from 'vitest';
import { localGraph } from './local-graph.ts';

test('cells with unequal numbers of neighbours, and with none, have weights that add up to 1 or to nothing', () => {
  const graph = localGraph({
    k: 3,
    starts: Int32Array.of(0, 3, 4, 4, 6),
    indices: Int32Array.of(1, 2, 3, 0, 0, 1),
    distances: Float64Array.of(1, 2, 3, 1, 2, 2),
  });
  // Cell 0: the width is the distance of its first of three; cell 3 has two at one distance.
  const [e1, e4, e9] = [Math.exp(-1), Math.exp(-4), Math.exp(-9)];
  const sum = e1 + e4 + e9;
  expect(Array.from(graph.starts)).toEqual([0, 3, 4, 4, 4]);
  const weightOf = (cell: number, other: number) => {
    const row = graph.neighbours.subarray(graph.starts[cell], graph.starts[cell + 1]);
    return graph.weights[graph.starts[cell]! + row.indexOf(other)]!;
  };
  expect(weightOf(0, 1)).toBeCloseTo(e1 / sum + 1, 12);
  expect(weightOf(0, 2)).toBeCloseTo(e4 / sum, 12);
  expect(weightOf(0, 3)).toBeCloseTo(e9 / sum + 0.5, 12);
  expect(weightOf(1, 3)).toBeCloseTo(0.5, 12);
  expect(graph.degrees.reduce((all, degree) => all + degree, 0)).toBeCloseTo(2 * 3, 12);
});
