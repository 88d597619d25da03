import { readFileSync } from 'node:fs';
import { noteDifferences } from '@cellfolio/model/testing';
import { expect, test } from 'vitest';
import { axisOrder } from '../axis/axis-order.ts';
import { binnedMeans } from '../axis/binned-means.ts';
import { correlationP, genesAlongAxis } from '../axis/genes-along-axis.ts';
import { blockOf } from '../axis/testing/block-of.ts';
import { benjaminiHochberg } from '../statistics/benjamini-hochberg.ts';
import { cellGraph, graphParts } from './cell-graph.ts';
import { diffusionPseudotime } from './diffusion-pseudotime.ts';
import { explainedShare } from './explained-share.ts';
import { groupGraph } from './group-graph.ts';
import { evenStarts, nearestCells } from '@cellfolio/kernels';
import { placePoints } from '@cellfolio/kernels';
import { rootedPart } from './root-cell.ts';

interface GraphOfScanpy {
  neighbours: number[][];
  from: number[];
  to: number[];
  weights: number[];
}
interface Analysed {
  root: number;
  eigenvalues: number[];
  pseudotime: (number | null)[];
}
interface Grouped {
  groups: number[];
  connectivities: number[][];
  tree: [number, number][];
}

/** Written by fixtures/analysis/trajectory_reference.py with scanpy and scipy. */
const { path, apart, blood, genes, variance } = JSON.parse(
  readFileSync(new URL('./trajectory-reference.json', import.meta.url), 'utf8'),
) as {
  path: GraphOfScanpy & Analysed & Grouped & { points: number[]; time: number[]; distances: number[][] };
  apart: GraphOfScanpy & { parts: number; unreached: boolean[]; part: Analysed };
  blood: GraphOfScanpy & Analysed & Grouped;
  genes: Record<'rho' | 'p' | 'adjusted' | 'pseudotime' | 'times', number[]> &
    Record<'genes' | 'means' | 'errors', number[][]>;
  variance: { values: number[]; codes: number[]; share: number };
};

function partOf(graph: GraphOfScanpy, root: number) {
  const whole = cellGraph(graph, graph.neighbours.length);
  return rootedPart(whole, graphParts(whole), { by: 'cell', cell: root }, 2)!;
}

function largestGap(ours: ArrayLike<number>, theirs: ArrayLike<number | null>, of?: string): number {
  expect(ours.length).toBe(theirs.length);
  if (of !== undefined)
    noteDifferences(
      of,
      ours,
      Array.from(theirs, (value) => value ?? NaN),
      1,
    );
  return Array.from(ours).reduce((maximum, value, at) => Math.max(maximum, Math.abs(value - theirs[at]!)), 0);
}

function spearman(one: ArrayLike<number>, other: ArrayLike<number>): number {
  const values = Float32Array.from(one);
  return genesAlongAxis(blockOf([[...values]]), axisOrder(Float64Array.from(other as number[]), 1)).rho[0]!;
}

test.each([
  ['a branching path', path],
  ['blood', blood],
])('eigenvalues and pseudotime of %s are those of scanpy', (_what, reference) => {
  const { map, place, cells } = partOf(reference, reference.root);
  expect(cells.length).toBe(reference.neighbours.length);
  // scanpy has them in float32.
  expect(largestGap(map.values, reference.eigenvalues, 'trajectory')).toBeLessThan(1e-6);
  const pseudotime = diffusionPseudotime(map, place, 10);
  expect(largestGap(pseudotime, reference.pseudotime, 'pseudotime')).toBeLessThan(1e-4);
  expect(spearman(pseudotime, reference.pseudotime as number[])).toBeGreaterThan(0.999);
});

test('pseudotime of the part with the root is that of scanpy for its cells alone, and no other cell is reached', () => {
  const { map, place, cells } = partOf(apart, 0);
  const parts = graphParts(cellGraph(apart, apart.neighbours.length));
  expect(parts.sizes.length).toBe(apart.parts);
  const reached = new Set(cells);
  expect(apart.unreached.map((is) => !is)).toEqual(apart.unreached.map((_, cell) => reached.has(cell)));
  expect(largestGap(map.values, apart.part.eigenvalues)).toBeLessThan(1e-6);
  expect(largestGap(diffusionPseudotime(map, place, 10), apart.part.pseudotime)).toBeLessThan(1e-4);
});

test('pseudotime of a path that forks follows the time that it was simulated with', () => {
  const { map, place } = partOf(path, path.root);
  expect(spearman(diffusionPseudotime(map, place, 10), path.time)).toBeGreaterThan(0.95);
});

test.each([
  ['a branching path', path],
  ['blood', blood],
])('connectivities between groups of %s and their tree are those of scanpy', (_what, reference) => {
  const groupCount = reference.connectivities.length;
  const k = reference.neighbours[0]!.length;
  const indices = Int32Array.from(reference.neighbours.flat());
  const starts = evenStarts(reference.neighbours.length, k);
  const graph = groupGraph({ starts, indices }, reference.groups, groupCount);
  expect(largestGap(graph.connectivities, reference.connectivities.flat(), 'trajectory')).toBeLessThan(1e-6);
  const pairs = graph.tree.toSorted(([a, b], [c, d]) => a - c || b - d);
  // With equal connectivities any may be in the tree.
  const strengths = (tree: readonly (readonly [number, number])[]) =>
    tree.map(([i, j]) => reference.connectivities[i]![j]!.toFixed(6)).toSorted();
  expect(strengths(pairs)).toEqual(strengths(reference.tree));
});

test('the nearest cells are those of an exhaustive search, in whatever pieces they are looked for', () => {
  const points = placePoints(path.points, 10);
  const k = path.neighbours[0]!.length;
  const pieces = [0, 7, 200, 400];
  pieces.slice(1).forEach((to, at) => {
    const { cells, indices, distances } = nearestCells(points, k, { from: pieces[at]!, to });
    cells.forEach((cell, row) => {
      const own = distances.subarray(row * k, (row + 1) * k);
      expect(largestGap(own, path.distances[cell]!)).toBeLessThan(1e-5);
      expect(new Set(indices.subarray(row * k, (row + 1) * k))).toEqual(new Set(path.neighbours[cell]));
    });
  });
});

test('correlations of genes with pseudotime and their p-values are those of scipy', () => {
  const order = axisOrder(Float64Array.from(genes.pseudotime), 7);
  const alongAxis = genesAlongAxis(blockOf(genes.genes), order);
  expect(alongAxis.rho[4]).toBeNaN();
  const rho = alongAxis.rho.filter((one) => !Number.isNaN(one));
  expect(largestGap(rho, genes.rho, 'trajectory')).toBeLessThan(1e-12);
  const p = rho.map((one) => correlationP(one, order.cellCount));
  p.forEach((one, at) => expect(one).toBeCloseTo(genes.p[at]!, 10));
  expect(largestGap(benjaminiHochberg(p), genes.adjusted, 'trajectory')).toBeLessThan(1e-10);
});

test('means and standard errors in bins are those of numpy and scipy', () => {
  const order = axisOrder(Float64Array.from(genes.pseudotime), 7);
  expect(largestGap(order.places, genes.times)).toBeLessThan(1e-12);
  const block = blockOf(genes.genes);
  genes.genes.forEach((_, gene) => {
    const range = [block.starts[gene]!, block.starts[gene + 1]!] as const;
    const profile = binnedMeans(block.cells.subarray(...range), block.values.subarray(...range), order);
    expect(largestGap(profile.means, genes.means[gene]!)).toBeLessThan(1e-6);
    expect(largestGap(profile.errors, genes.errors[gene]!)).toBeLessThan(1e-6);
  });
});

test('the share of variance that groups explain is that of an analysis of variance', () => {
  const share = explainedShare(Float64Array.from(variance.values), variance.codes, 4);
  expect(share).toBeCloseTo(variance.share, 12);
});
