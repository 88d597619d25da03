import { noteDifferences } from '@cellfolio/model/testing';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { leafOrder, linkage, type Merge } from '@cellfolio/analysis';
import { groupTree, treeOfRows } from './group-tree.ts';

interface Tree {
  name: string;
  merges: readonly Merge[];
  leaves: readonly number[];
}

/** Written by reference/dendrogram_reference.py with scipy and scanpy. */
const reference = JSON.parse(
  readFileSync(new URL('../../../reference/dendrogram-reference.json', import.meta.url), 'utf8'),
) as {
  linkages: readonly (Tree & { condensed: readonly number[] })[];
  cases: readonly (Tree & {
    codes: readonly number[];
    dimensions: number;
    values: readonly number[];
    order: readonly number[];
  })[];
};

function square(condensed: readonly number[], count: number): Float64Array {
  const distances = new Float64Array(count * count);
  let at = 0;
  for (let a = 0; a < count; a++) {
    for (let b = a + 1; b < count; b++)
      distances[a * count + b] = distances[b * count + a] = condensed[at++]!;
  }
  return distances;
}

describe('complete linkage', () => {
  test.each(reference.linkages)('of $name has the merges, heights and leaves of scipy', (testCase) => {
    const count = testCase.merges.length + 1;
    const distances = square(testCase.condensed, count);
    const merges = linkage(distances, count, 'complete');
    expect(merges).toEqual(testCase.merges);
    expect(leafOrder(merges, count)).toEqual(testCase.leaves);
    expect(distances).toEqual(square(testCase.condensed, count));
  });

  test('of one leaf has no merge, of none no leaf', () => {
    expect(linkage(new Float64Array(1), 1, 'complete')).toEqual([]);
    expect(leafOrder([], 1)).toEqual([0]);
    expect(leafOrder([], 0)).toEqual([]);
  });
});

function meansOf({ codes, dimensions, values }: (typeof reference.cases)[number]) {
  const count = Math.max(...codes) + 1;
  const means = new Float64Array(count * dimensions);
  for (let group = 0; group < count; group++) {
    const cells = [...codes.keys()].filter((cell) => codes[cell] === group);
    for (let i = 0; i < dimensions; i++) {
      means[group * dimensions + i] =
        cells.reduce((sum, cell) => sum + values[cell * dimensions + i]!, 0) / cells.length;
    }
  }
  return { groups: Array.from({ length: count }, (_, group) => group), means, dimensions };
}

test.each(reference.cases)('the tree of $name is that of scanpy', (testCase) => {
  const { groups, ...means } = meansOf(testCase);
  const tree = groupTree(groups, means);
  if ('undefinedAt' in tree) throw new Error('no tree');
  expect(tree.order).toEqual(testCase.order);
  noteDifferences(
    'dendrogram',
    tree.merges.map(([, , height]) => height),
    testCase.merges.map((merge) => merge[2]!),
    1,
  );
  const node = (one: number): number => tree.order[one] ?? one;
  tree.merges.forEach(([one, other, height], i) => {
    const [a, b, expected] = testCase.merges[i]!;
    expect([node(one), node(other)]).toEqual([a, b]);
    expect(Math.abs(height - expected)).toBeLessThan(1e-9);
  });
});

test('a group whose means are all the same, or no numbers, has no correlation, and is named', () => {
  const means = Float64Array.of(1, 2, 3, 0.1, 0.1, 0.1, 3, 1, 2, NaN, 1, 2);
  expect(groupTree([0, 2], { means, dimensions: 3 })).toMatchObject({ order: [0, 1] });
  expect(groupTree([0, 1, 2], { means, dimensions: 3 })).toEqual({ undefinedAt: 1 });
  expect(groupTree([0, 2, 3], { means, dimensions: 3 })).toEqual({ undefinedAt: 2 });
  expect(groupTree([0, 2], { means, dimensions: 1 })).toEqual({ undefinedAt: 0 });
});

test('the tree of some rows has the distances of the whole, and its rows stay beside each other', () => {
  const merges: Merge[] = [
    [0, 1, 0.1],
    [3, 4, 0.2],
    [2, 6, 0.5],
    [5, 7, 1],
  ];
  expect(treeOfRows(merges, [0, 1, 2, 3, 4])).toEqual(merges);
  expect(treeOfRows(merges, [1, 2, 4])).toEqual([
    [1, 2, 0.5],
    [0, 3, 1],
  ]);
  expect(treeOfRows(merges, [3])).toEqual([]);
});
