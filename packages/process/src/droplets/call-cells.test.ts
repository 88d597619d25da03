import { expect, test } from 'vitest';
import { callCells, drawsNeeded, inspectDroplets, maxDraws } from './call-cells.ts';
import reference from './droplets-reference.json' with { type: 'json' };
import { goodTuringProportions } from './ambient-profile.ts';
import {
  byGene,
  rawMatrix,
  referenceMatrix,
  simulateDroplets,
  defaultCall,
} from './testing/simulated-droplets.ts';

const { concentration: _, ...alikeMatrix } = referenceMatrix;
const data = simulateDroplets(referenceMatrix);
const droplets = await inspectDroplets(data, defaultCall);
const called = await callCells(
  data,
  {
    ...droplets,
    ambient: { ...droplets.ambient!, concentration: reference.alpha },
    ranks: { ...droplets.ranks!, knee: reference.retain },
  },
  defaultCall,
);

test('proportions are those of edgeR for species that were seen and not', () => {
  expect(furthest(goodTuringProportions(reference.species), reference.goodTuring)).toBeLessThan(1e-6);
});

test('the inflection is that of DropletUtils, and the knee within a twentieth of its', () => {
  expect(droplets.ranks!.inflection).toBe(reference.inflection);
  expect(Math.abs(Math.log(droplets.ranks!.knee! / reference.knee))).toBeLessThan(0.05);
});

test('the ambient profile is that of DropletUtils', () => {
  const { proportions, concentration } = droplets.ambient!;
  expect(
    furthest(
      proportions.filter((share) => share > 0),
      reference.ambient,
    ),
  ).toBeLessThan(1e-6);
  expect(concentration / reference.alpha).toBeCloseTo(1, 3);
});

test('log probabilities are those of DropletUtils, and p is within the error of their simulation', () => {
  const { barcodes, logProbabilities, p } = called;
  reference.barcodes.forEach((barcode, place) => {
    const at = barcodes.indexOf(barcode);
    expect(logProbabilities[at]! / reference.logProbabilities[place]!).toBeCloseTo(1, 6);
    const expected = reference.p[place]!;
    // Five standard errors of 10,000 iterations and of the reference's 100,000.
    const error = 5 * Math.sqrt(expected * (1 - expected) * (1 / 10_000 + 1 / 100_000)) + 2e-4;
    expect(Math.abs(p[at]! - expected)).toBeLessThan(error);
  });
});

test('the barcodes that DropletUtils calls cells are called, but for those at the limit', () => {
  const expected = new Set(reference.called);
  const both = called.cells.filter((barcode) => expected.has(barcode)).length;
  expect(expected.size - both).toBeLessThanOrEqual(0.01 * expected.size);
  expect(called.cells.length - both).toBeLessThanOrEqual(0.02 * expected.size);
});

test('counts by genes give the same cells as counts by barcodes, and so does every run', async () => {
  const turned = byGene(data);
  // At a rate that so few iterations reach.
  const settings = { ...defaultCall, falseDiscoveryRate: 0.05, iterations: 500 };
  const cellCalls = await callCells(turned, await inspectDroplets(turned, defaultCall), settings);
  expect(cellCalls.cells).toEqual((await callCells(data, droplets, settings)).cells);
});

test('of 1,500 cells among 19,974 empty droplets nearly all are called, the small ones too, and no empty one', async () => {
  const raw = simulateDroplets(rawMatrix);
  const looked = await inspectDroplets(raw, defaultCall);
  expect(looked.holdsEmpty).toBe(true);
  // No droplet is as improbable as what is called here: more iterations call no more.
  const { cells } = await callCells(raw, looked, { ...defaultCall, iterations: 2000 });
  const kinds = Array.from(cells, (cell) => raw.kinds[cell]!);
  expect(kinds.filter((kind) => kind === -1)).toHaveLength(0);
  expect(kinds.length).toBeGreaterThan(1485);
  expect(kinds.filter((kind) => kind === 2).length).toBeGreaterThan(145);
});

test('a matrix without a curve or without ambient barcodes has all its barcodes tested, without an error', async () => {
  const few = simulateDroplets({
    ...referenceMatrix,
    kinds: [],
    empties: 3,
    emptyCounts: 120,
    emptySpread: 0,
  });
  const looked = await inspectDroplets(few, defaultCall);
  expect(looked).toMatchObject({ ranks: undefined, holdsEmpty: false });
  expect((await callCells(few, looked, { ...defaultCall, iterations: 100 })).retain).toBe(Infinity);
});

test('few cells among empty droplets have no knee, so that all are tested, with as many iterations as that takes', async () => {
  const few = simulateDroplets({
    ...alikeMatrix,
    kinds: [
      { cells: 30, counts: 900, spread: 0.2 },
      { cells: 30, counts: 600, spread: 0.2 },
    ],
    empties: 1000,
  });
  const looked = await inspectDroplets(few, defaultCall);
  expect(looked.ranks!.knee).toBeUndefined();
  const { retain, cells, tested, iterations } = await callCells(few, looked, {
    ...defaultCall,
    falseDiscoveryRate: 0.05,
    iterations: 50,
  });
  expect(retain).toBe(Infinity);
  expect(iterations).toBe(Math.ceil(tested / 0.05));
  expect(cells.filter((cell) => few.kinds[cell]! >= 0).length).toBeGreaterThan(50);
});

test('barcodes that are not called for want of iterations are counted', async () => {
  const one = simulateDroplets({
    ...alikeMatrix,
    kinds: [
      { cells: 1, counts: 250, spread: 0 },
      { cells: 1, counts: 200, spread: 0 },
    ],
    empties: 600,
  });
  const looked = { ...(await inspectDroplets(one, defaultCall)), ranks: undefined };
  const settings = { ...defaultCall, falseDiscoveryRate: 1e-6, iterations: 100 };
  expect(await callCells(one, looked, settings)).toMatchObject({
    cells: new Int32Array(0),
    limited: 1,
    iterations: 100_000,
  });
  expect(called.limited).toBe(0);
});

test('barcodes of far too many counts are refused before any is simulated', async () => {
  const totals = Float64Array.from({ length: 80 }, (_, at) => 5e9 + at);
  const counts = { by: 'cell', cellCount: 80, geneCount: 50, blocks: () => [] } as const;
  expect(drawsNeeded({ totals, ranks: undefined }, defaultCall)).toBeGreaterThan(maxDraws);
  await expect(callCells(counts, { totals, ranks: undefined }, defaultCall)).rejects.toMatchObject({
    name: 'ProcessError',
    code: 'too-large',
    message: expect.stringContaining('5.0e+13 molecules, more than 1e+10'),
  });
});

test('work ends with its signal', async () => {
  const signal = AbortSignal.abort(new Error('stopped'));
  await expect(inspectDroplets(data, { ...defaultCall, signal })).rejects.toThrow('stopped');
});

function furthest(actual: ArrayLike<number>, expected: readonly number[]): number {
  expect(actual.length).toBe(expected.length);
  return Math.max(...expected.map((value, at) => Math.abs(value - actual[at]!)));
}

const noEmpties = { genes: 600, empties: 0, emptyCounts: 1, emptySpread: 1 };

test.each([
  ['with few cells', { ...rawMatrix, kinds: [{ cells: 60, counts: 3000, spread: 0.4 }], empties: 5000 }],
  [
    'with very different cells',
    {
      ...rawMatrix,
      kinds: [
        { cells: 300, counts: 3000, spread: 1 },
        { cells: 200, counts: 900, spread: 0.6 },
      ],
      empties: 5000,
    },
  ],
  [
    'of droplets that differ beyond sampling',
    { ...rawMatrix, kinds: [{ cells: 300, counts: 2500, spread: 0.4 }], empties: 5000, concentration: 1000 },
  ],
  [
    'with barcodes of next to no counts',
    {
      ...rawMatrix,
      kinds: [{ cells: 300, counts: 2500, spread: 0.4 }],
      empties: 6000,
      emptyCounts: 8,
      emptySpread: 1,
    },
  ],
])('a raw matrix %s is recognised', async (_, shape) => {
  expect((await inspectDroplets(simulateDroplets(shape), defaultCall)).holdsEmpty).toBe(true);
});

test.each([40, 60, 100, 200].flatMap((counts) => [0.3, 0.7, 1.2, 1.6].map((spread) => [counts, spread])))(
  'a filtered matrix of cells with a median of %i counts and a spread of %f is not taken for a raw one',
  async (counts, spread) => {
    const kinds = [
      { cells: 700, counts: counts!, spread: spread! },
      { cells: 300, counts: counts! / 2, spread: spread! },
    ];
    expect((await inspectDroplets(simulateDroplets({ ...noEmpties, kinds }), defaultCall)).holdsEmpty).toBe(
      false,
    );
  },
);

test('cells of low and of high counts side by side are not taken for empty droplets and cells', async () => {
  const kinds = [
    { cells: 1600, counts: 45, spread: 0.3 },
    { cells: 1600, counts: 50, spread: 0.3 },
    { cells: 700, counts: 60, spread: 0.3 },
    { cells: 500, counts: 4000, spread: 0.3 },
  ];
  expect((await inspectDroplets(simulateDroplets({ ...noEmpties, kinds }), defaultCall)).holdsEmpty).toBe(
    false,
  );
});
