import {
  addToTotals,
  cellDepth,
  compositionTest,
  correlationsWithin,
  correlationP,
  curveTests,
  designOf,
  drawPermutations,
  genesAlongAxis,
  axisOrder,
  joinNearestCells,
  leastSquaresP,
  levelContrast,
  localAutocorrelations,
  localGraph,
  nearestCells,
  normalUpperTail,
  adjustedPresent,
  permutationTests,
  permutedScores,
  placePoints,
  runningScore,
  sampleRanks,
  SeededShuffle,
  splineBasis,
  splineTests,
  stepWeights,
} from '@cellfolio/analysis';
import { type MarkerParameters, markerParameters } from '@cellfolio/analysis/parameters';
import { SeededBits } from '../../bench/src/data/seeded-bits.ts';
import { throwIfRefused } from '../../bench/src/cases/sums.ts';
import { interactionsOf } from './known-truth.ts';
import { methods, type Tested } from './methods.ts';
import {
  type AxisDesign,
  groupRanking,
  rankedGenes,
  setCount,
  type SimulatedAxis,
  simulatedAxis,
  simulatedGroups,
  type SimulatedNeighbourhood,
  simulatedNeighbourhood,
  simulatedRanking,
} from './simulated-cells.ts';
import { simulatedDonors } from './simulated-donors.ts';

/** A simulated set and what each test of its family says of it. */
export interface TestedSet {
  changed: readonly boolean[];
  tests: ReadonlyMap<string, Tested>;
}

/** Tests of one kind of data, with an effect or without. */
type TestFamily = (seed: number, withEffect: boolean) => TestedSet;

const adjustedOf = (pValues: Float64Array): Tested => ({ pValues, adjusted: adjustedPresent(pValues) });

/** Tests of cells and of sums of eight donors. */
const ofDonors: TestFamily = (seed, withEffect) => {
  const data = simulatedDonors(seed, withEffect);
  return {
    changed: Array.from(data.effects, (effect) => effect !== 0),
    tests: new Map(methods.map(({ name, test }) => [name, test(data)])),
  };
};

const markerDefaults = markerParameters.parse({ groupby: 'group' });

/** Markers of a tenth of the cells of one sample, where cells are replicates. */
const ofGroups: TestFamily = (seed, withEffect) => {
  const data = simulatedGroups(seed, withEffect);
  const group = 2;
  const test = (parameters: Partial<MarkerParameters>): Tested => {
    const { pvals, pvals_adj: adjusted } = groupRanking(data, { ...markerDefaults, ...parameters })[group]!;
    return { pValues: pvals, adjusted };
  };
  return {
    changed: Array.from(data.markerOf, (of) => of === group),
    tests: new Map([
      ['Markers, Wilcoxon', test({})],
      ['Markers, Wilcoxon without ties', test({ tie_correct: false })],
      ['Markers, t-test', test({ method: 't-test' })],
    ]),
  };
};

const degrees = 4;

/** Tests along an axis that ordered the cells from elsewhere. */
const ofAxis =
  (words: string, design: AxisDesign): TestFamily =>
  (seed, withEffect) => {
    const data = simulatedAxis(seed, withEffect, design);
    const named = Object.entries(alongAxis(data, design.sampleCount));
    return {
      changed: data.changed,
      tests: new Map(named.map(([name, p]) => [`Gradient, ${words}: ${name}`, adjustedOf(p)])),
    };
  };

function alongAxis(
  { values, axis, samples }: SimulatedAxis,
  sampleCount: number,
): Record<string, Float64Array> {
  const ranks = sampleRanks(axis, samples, { sampleCount, minCells: 20 });
  const basis = splineBasis(axis, degrees, ranks.samples);
  const tested = splineTests(values, basis);
  if (sampleCount === 1) {
    const { rho } = genesAlongAxis(values, axisOrder(axis, 30));
    return {
      Spearman: rho.map((one) => correlationP(one, axis.length)),
      'curve, least squares': leastSquaresP(tested, basis),
      'curve, of cells': curveTests(tested, basis).p,
    };
  }
  return {
    'Spearman in samples': correlationsWithin(values, ranks).p,
    'curve, least squares': leastSquaresP(tested, basis),
    'curve, of samples': curveTests(tested, basis).p,
  };
}

const minCells = 10;

/** Local autocorrelation on a graph that the values do not depend on, unless there is an effect. */
const ofNeighbours: TestFamily = (seed, withEffect) => {
  const data = simulatedNeighbourhood(seed, withEffect);
  const { z, p } = autocorrelations(data);
  return {
    changed: data.changed,
    tests: new Map([
      ['Co-expression, Z as normal (Hotspot)', adjustedOf(z.map(normalUpperTail))],
      ['Co-expression', adjustedOf(p)],
    ]),
  };
};

function autocorrelations({ counts, points, dimensions, neighbours }: SimulatedNeighbourhood) {
  const { cellCount } = counts;
  const nearest = nearestCells(placePoints(points, dimensions), neighbours, { from: 0, to: cellCount });
  const placeOf = Int32Array.from({ length: cellCount }, (_, cell) => cell);
  const totals = new Float64Array(cellCount);
  addToTotals(counts, placeOf, totals);
  return localAutocorrelations(counts, {
    graph: localGraph(joinNearestCells([nearest], cellCount)),
    placeOf,
    depth: cellDepth(totals),
    model: 'danb',
    minCells,
  });
}

const [typeCount, perSide] = [10, 4];

/** Cells of ten types in eight samples, type by type; with an effect there is 2.5 times as much of the first in the last four. */
export function simulatedShares(seed: number, withEffect: boolean) {
  const bits = new SeededBits(seed);
  const levels = Float64Array.from({ length: typeCount }, () => Math.exp(bits.normal()));
  const sampleCount = 2 * perSide;
  const values = new Float64Array(typeCount * sampleCount);
  for (let sample = 0; sample < sampleCount; sample++) {
    const own = levels.map(
      (level, type) =>
        level * Math.exp(0.3 * bits.normal()) * (withEffect && type === 0 && sample >= perSide ? 2.5 : 1),
    );
    const total = own.reduce((sum, one) => sum + one, 0);
    for (let cell = 0; cell < 500; cell++) {
      let draw = bits.uniform() * total;
      const type = own.findIndex((one) => (draw -= one) < 0);
      values[Math.max(0, type) * sampleCount + sample]!++;
    }
  }
  // The shares of the others fall, too: only that of the first is counted.
  return { values, typeCount, sampleCount, changed: Array.from(levels, (_, type) => type === 0) };
}

const ofComposition: TestFamily = (seed, withEffect) => {
  const { values, sampleCount, changed } = simulatedShares(seed, withEffect);
  const codes = Array.from({ length: sampleCount }, (_, sample) => Number(sample >= perSide));
  const tested = { kind: 'categorical', name: 'condition', categories: ['a', 'b'], codes } as const;
  const { design } = throwIfRefused(designOf({ tested, level: 'b', reference: 'a' }));
  const contrasts = [levelContrast(design, 'condition', 'b', 'a')];
  const { tests } = compositionTest({ geneCount: typeCount, sampleCount, values }, design, contrasts);
  const { pValues, adjusted } = tests.contrasts[0]!;
  return { changed, tests: new Map([['Composition', { pValues, adjusted }]]) };
};

const permutations = 500;

/** Ranked enrichment. */
const ofRankedSets: TestFamily = (seed, withEffect) => {
  const { order, metric, sets, changed } = simulatedRanking(seed, withEffect);
  const placeOf = new Int32Array(rankedGenes);
  order.forEach((gene, place) => (placeOf[gene] = place));
  const places = sets.map((genes) => Int32Array.from(genes, (gene) => placeOf[gene]!).sort());
  const weights = stepWeights(
    Float64Array.from(order, (gene) => metric[gene]!),
    1,
  );
  const scores = Float64Array.from(places, (own) => runningScore(weights, own).score);
  const drawn = drawPermutations(SeededShuffle.of(seed, rankedGenes).state, permutations);
  const starts = new Int32Array(setCount + 1);
  places.forEach((own, set) => (starts[set + 1] = starts[set]! + own.length));
  const all = { starts, places: Int32Array.from(places.flatMap((own) => Array.from(own))) };
  const permuted = new Float64Array(setCount * permutations);
  permutedScores(weights, all, drawn.permutations, { scores: permuted, permutations, from: 0 });
  const { pValues, falseDiscoveryRates } = permutationTests(scores, [permuted], permutations);
  return {
    changed,
    tests: new Map([['Ranked enrichment', { pValues, adjusted: falseDiscoveryRates }]]),
  };
};

/** Pairs in groups of cells, the groups shuffled without an effect. */
const ofPairs: TestFamily = (seed, withEffect) => {
  const { interactions, isPlanted } = interactionsOf(seed, withEffect);
  const pValues = Float64Array.from(interactions, ({ p }) => p);
  const adjusted = Float64Array.from(interactions, ({ adjustedP }) => adjustedP);
  return {
    changed: interactions.map(isPlanted),
    tests: new Map([
      ['Ligands and receptors, p as it is', { pValues, adjusted: pValues }],
      ['Ligands and receptors, adjusted', { pValues, adjusted }],
    ]),
  };
};

export const testFamilies: readonly TestFamily[] = [
  ofDonors,
  ofGroups,
  ofAxis('6 samples', { sampleCount: 6, ownSlopes: false }),
  ofAxis('6 samples with slopes of their own', { sampleCount: 6, ownSlopes: true }),
  ofAxis('3 samples', { sampleCount: 3, ownSlopes: false }),
  ofAxis('one sample', { sampleCount: 1, ownSlopes: false }),
  ofNeighbours,
  ofComposition,
  ofRankedSets,
  ofPairs,
];
