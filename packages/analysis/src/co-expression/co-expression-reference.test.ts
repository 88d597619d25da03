import { noteDifferences } from '@cellfolio/model/testing';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { benjaminiHochberg } from '../statistics/benjamini-hochberg.ts';
import { linkage } from '../statistics/linkage.ts';
import { normalUpperTail } from '../statistics/tails.ts';
import { joinNearestCells, nearestCells, placePoints } from '@cellfolio/kernels';
import { blockOf } from '../axis/testing/block-of.ts';
import { type AutocorrelationSetting, localAutocorrelations } from './autocorrelation.ts';
import { addToTotals, EntriesReader } from './gene-entries.ts';
import { cellDepth, type GeneModel, standardised } from './gene-model.ts';
import { geneModules } from './gene-modules.ts';
import { correlationScores, localSums } from './local-correlations.ts';
import { localGraph } from './local-graph.ts';

interface OfModel {
  model: GeneModel;
  c: number[];
  z: number[];
  p: number[];
  adjusted: number[];
  selected: number[];
  /** Upper triangle without the diagonal, row by row. */
  scores: number[];
  modules: number[];
}

/** Written by fixtures/analysis/co_expression_reference.py with hotspotsc and scipy. */
const reference = JSON.parse(
  readFileSync(new URL('./co-expression-reference.json', import.meta.url), 'utf8'),
) as {
  neighbours: number;
  points: number[];
  counts: number[][];
  logs: number[][];
  nearest: number[][];
  weights: number[];
  danb: OfModel;
  normal: OfModel;
  clustered: {
    count: number;
    minimum: number;
    scores: number[];
    modules: number[];
    heights: number[];
  }[];
};
const cellCount = reference.nearest.length;
const { neighbours: k } = reference;

function expectClose(ours: ArrayLike<number>, theirs: ArrayLike<number>, floor = 1e-3): void {
  expect(ours.length).toBe(theirs.length);
  noteDifferences('co-expression', ours, theirs, floor);
  const largest = Array.from(ours).reduce(
    (maximum, value, at) =>
      Math.max(maximum, Math.abs(value - theirs[at]!) / Math.max(floor, Math.abs(theirs[at]!))),
    0,
  );
  expect(largest).toBeLessThan(1e-6);
}

const points = placePoints(Float32Array.from(reference.points), reference.points.length / cellCount);
const graph = localGraph(joinNearestCells([nearestCells(points, k, { from: 0, to: cellCount })], cellCount));
const placeOf = Int32Array.from({ length: cellCount }, (_, cell) => cell);

function settingOf(model: GeneModel) {
  const block = blockOf(model === 'danb' ? reference.counts : reference.logs);
  const totals = new Float64Array(cellCount);
  addToTotals(block, placeOf, totals);
  const setting: AutocorrelationSetting = { graph, placeOf, depth: cellDepth(totals), model, minCells: 1 };
  return { block, setting };
}

function standardisedGenes(model: GeneModel, rows: readonly number[]): Float32Array {
  const { block, setting } = settingOf(model);
  const values = new Float32Array(rows.length * cellCount);
  const entries = new EntriesReader(placeOf, cellCount);
  rows.forEach((row, place) => {
    entries.read(block, row);
    const own = values.subarray(place * cellCount, (place + 1) * cellCount);
    expect(standardised(entries, setting.depth, model, own)).toBe(true);
  });
  return values;
}

function square(upper: readonly number[], count: number): Float64Array {
  const scores = new Float64Array(count * count);
  let next = 0;
  for (let gene = 0; gene < count; gene++) {
    for (let other = gene + 1; other < count; other++) {
      scores[gene * count + other] = scores[other * count + gene] = upper[next++]!;
    }
  }
  return scores;
}

function upperOf(scores: Float64Array, count: number): number[] {
  const upper: number[] = [];
  for (let gene = 0; gene < count; gene++) {
    for (let other = gene + 1; other < count; other++) upper.push(scores[gene * count + other]!);
  }
  return upper;
}

function groupsOf(labels: ArrayLike<number>): number[] {
  const first = new Map<number, number>();
  return Array.from(labels, (label, gene) => {
    if (label <= 0) return -1;
    if (!first.has(label)) first.set(label, gene);
    return first.get(label)!;
  });
}

test('pairs of nearest cells have the weights of Hotspot, both directions in one', () => {
  const theirs = new Map<string, number>();
  reference.nearest.forEach((others, cell) =>
    others.forEach((other, at) => {
      const weight = reference.weights[cell * k + at]!;
      if (weight > 0) theirs.set(`${Math.min(cell, other)} ${Math.max(cell, other)}`, weight);
    }),
  );
  const ours: number[] = [];
  const expected: number[] = [];
  for (let cell = 0; cell < cellCount; cell++) {
    for (let at = graph.starts[cell]!; at < graph.starts[cell + 1]!; at++) {
      ours.push(graph.weights[at]!);
      expected.push(theirs.get(`${cell} ${graph.neighbours[at]!}`)!);
    }
  }
  expect(ours).toHaveLength(theirs.size);
  expectClose(ours, expected);
  const sum = graph.degrees.reduce((all, degree) => all + degree, 0);
  expect(sum).toBeCloseTo(2 * cellCount, 9);
});

test.each([reference.danb, reference.normal])(
  'autocorrelations by the model $model are those of Hotspot',
  (expected) => {
    const { block, setting } = settingOf(expected.model);
    const { coefficients, z } = localAutocorrelations(block, setting);
    expect(z).toHaveLength(expected.z.length);
    expectClose(coefficients, expected.c);
    expectClose(z, expected.z);
    const p = z.map(normalUpperTail);
    expectClose(p, expected.p);
    expectClose(benjaminiHochberg(p), expected.adjusted);
  },
);

test.each([reference.danb, reference.normal])(
  'local correlations by the model $model, and modules of them, are those of Hotspot',
  (expected) => {
    const { model, selected } = expected;
    const genes = { count: selected.length, values: standardisedGenes(model, selected) };
    const middle = selected.length >> 1;
    const pieces = [
      localSums(genes, graph, { from: middle, to: selected.length }),
      localSums(genes, graph, { from: 0, to: middle }),
    ];
    const scores = correlationScores(pieces, selected.length);
    // The values of genes are kept in float32.
    expectClose(upperOf(scores, selected.length), expected.scores, 1);
    const { moduleOf, sizes } = geneModules(scores, selected.length, { minGenes: 8, fdr: 0.05 });
    expect(sizes.length).toBeGreaterThan(1);
    expect(groupsOf(moduleOf)).toEqual(groupsOf(expected.modules));
  },
);

test.each(reference.clustered)(
  '$count genes have the modules of Hotspot with at least $minimum each',
  (expected) => {
    const { count, minimum } = expected;
    const scores = square(expected.scores, count);
    const clustering = geneModules(scores, count, { minGenes: minimum, fdr: 0.05 });
    expect(groupsOf(clustering.moduleOf)).toEqual(groupsOf(expected.modules));
    const highest = Math.max(...expected.scores);
    const distances = scores.map((score) => highest - score);
    expectClose(
      linkage(distances, count, 'average').map(([, , height]) => height),
      expected.heights,
    );
  },
);

test('modules are numbered by size, ordered by number, and a gene of none has no correlation within', () => {
  const { count, scores, minimum } = reference.clustered[0]!;
  const { moduleOf, sizes, order, withinModule } = geneModules(square(scores, count), count, {
    minGenes: minimum,
    fdr: 0.05,
  });
  expect([...sizes]).toEqual(sizes.toSorted((one, other) => other - one));
  expect(new Set(order).size).toBe(count);
  const labels = Array.from(order, (gene) => moduleOf[gene]! || Infinity);
  expect(labels).toEqual(labels.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0)));
  expect(Array.from(withinModule, Number.isNaN)).toEqual(Array.from(moduleOf, (module) => module === 0));
});

test('a gene of too few cells, of none, or with a value that is missing is not tested', () => {
  const { setting } = settingOf('danb');
  const few = Array.from({ length: cellCount }, (_, cell) => (cell < 9 ? 1 : 0));
  const missing = Array.from({ length: cellCount }, (_, cell) => (cell === 3 ? NaN : 1));
  const block = blockOf([few, few.map(() => 0), missing]);
  for (const model of ['danb', 'normal'] as const) {
    const { z, coefficients, expressing } = localAutocorrelations(block, { ...setting, model, minCells: 10 });
    expect([...z, ...coefficients].every(Number.isNaN)).toBe(true);
    expect([...expressing]).toEqual([9, 0, cellCount]);
  }
});

test('no genes and one gene have no modules, and cells outside the graph do not count', () => {
  const options = { minGenes: 5, fdr: 0.05 };
  expect(geneModules(new Float64Array(0), 0, options)).toMatchObject({ sizes: [] });
  expect(geneModules(new Float64Array(1), 1, options)).toMatchObject({
    sizes: [],
    moduleOf: Int32Array.of(0),
  });
  const totals = new Float64Array(2);
  addToTotals(blockOf([[1, 2, 3]]), Int32Array.of(1, -1, 0), totals);
  expect([...totals]).toEqual([3, 1]);
});
