import { noteDifferences } from '@cellfolio/model/testing';
import { expect, test } from 'vitest';
import { neighbourGraph, neighbourMixing } from './neighbour-graph.ts';
import farCell from './far-cell-reference.json' with { type: 'json' };
import reference from './process-reference.json' with { type: 'json' };
import { seededRandom } from './random.ts';

test.each([
  ['cells as they are', reference.graph],
  // Written by fixtures/process/far_cell_reference.py.
  ['a cell far from all others', farCell],
])('edges weigh what umap-learn gives them: %s', (_what, { cellCount, k, indices, distances, edges }) => {
  const graph = neighbourGraph({
    cellCount,
    k,
    indices: Int32Array.from(indices),
    distances: Float64Array.from(distances),
  });
  const order = Array.from(graph.weights.keys()).toSorted(
    (a, b) => graph.from[a]! - graph.from[b]! || graph.to[a]! - graph.to[b]!,
  );
  expect(order.map((at) => [graph.from[at], graph.to[at]])).toEqual(edges.map(([from, to]) => [from, to]));
  // umap-learn carries weights in single precision, and stops its bisection at 1e-5.
  noteDifferences(
    'graph',
    order.map((at) => graph.weights[at]!),
    edges.map((edge) => edge[2]!),
    1,
  );
  for (const [position, at] of order.entries())
    expect(graph.weights[at], `edge ${position}`).toBeCloseTo(edges[position]![2]!, 4);
});

test.each([
  ['copies of it alone', [0, 0, 0, 0]],
  ['more copies of it than the memberships sum to', [0, 0, 0, 2, 3]],
  ['one far from it beside those near', [1, 1.1, 1.2, 40]],
])('the weights of a cell are those of memberships with a sum, or as near as can be: %s', (_, distances) => {
  const k = distances.length;
  // Nobody else knows of the edges of the first cell: each cell after it has those after itself.
  const graph = neighbourGraph({
    cellCount: 1 + 2 * k,
    k,
    indices: Int32Array.from({ length: (1 + 2 * k) * k }, (_, at) =>
      at < k ? at + 1 : k + 1 + ((Math.floor(at / k) + (at % k)) % k),
    ),
    distances: Float64Array.from({ length: (1 + 2 * k) * k }, (_, at) => (at < k ? distances[at]! : 1 + at)),
  });
  const weights = Array.from(graph.weights).filter((_, edge) => graph.from[edge] === 0);
  const sum = weights.reduce((all, weight) => all + weight, 0);
  // As umap-learn has it, copies of a cell are as near as the nearest that is none.
  const first = distances.find((distance) => distance > 0) ?? 0;
  const nearest = distances.filter((distance) => distance <= first).length;
  expect(sum).toBeCloseTo(Math.max(nearest, Math.log2(k + 1)), 5);
});

const cells = 2000;
const K = 14;

function neighbours(reach: number) {
  const random = seededRandom(5);
  return {
    k: K,
    indices: Int32Array.from({ length: cells * K }, (_, at) => {
      const cell = Math.floor(at / K);
      return (cell + 1 + Math.floor(random() * reach)) % cells;
    }),
  };
}

const inBlocks = (sizes: readonly number[]) =>
  Int32Array.from(sizes.flatMap((size, sample) => new Array<number>(size).fill(sample)));

test('neighbours of the same sample stand for one sample', () => {
  const mixing = neighbourMixing(neighbours(3), inBlocks([800, 700, 500]))!;
  expect(mixing.effectiveSamples).toBeLessThan(1.02);
  expect(mixing.expectedSamples).toBeCloseTo(1 / (0.4 ** 2 + 0.35 ** 2 + 0.25 ** 2), 2);
});

test.each([[[800, 700, 500]], [[1800, 200]], [[1000, 1000]]])(
  'neighbours from anywhere stand for as many samples as mixed ones: sizes %j',
  (sizes) => {
    const mixing = neighbourMixing(neighbours(cells - 1), inBlocks(sizes))!;
    expect(mixing.effectiveSamples / mixing.expectedSamples).toBeCloseTo(1, 1);
  },
);

test('one sample has nothing to mix, and cells without a sample are left out', () => {
  expect(neighbourMixing(neighbours(3), inBlocks([2000]))).toBeUndefined();
  const codes = inBlocks([1000, 1000]).map((code, cell) => (cell % 3 === 0 ? -1 : code));
  expect(neighbourMixing(neighbours(3), codes)!.effectiveSamples).toBeLessThan(1.02);
});
