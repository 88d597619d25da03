import {
  axisOrder,
  benjaminiHochberg,
  correlationsWithin,
  countAsHigh,
  curveTests,
  diffusionPseudotime,
  EntryCollector,
  findInteractions,
  genesAlongAxis,
  groupExpression,
  joinNearestCells,
  nearestCells,
  placePoints,
  rankInteractions,
  rootedPart,
  sampleRanks,
  scoreInteractions,
  splineBasis,
  splineTests,
} from '@cellfolio/analysis';
import type { GeneBlock } from '@cellfolio/model';
import { connectedGraph, hasNoPath, pathStructure } from '@cellfolio/analyses/path-structure';
import type { BenchCase } from '../../bench/src/bench-context.ts';
import {
  groupCount as typedGroups,
  simulatedTypes,
  suggestedTypes,
  types,
} from '../../bench/src/cases/cell-types.ts';
import { axisOf, coExpression, simulatedModules } from '../../bench/src/cases/co-expression.ts';
import { comparedEnds, donorCount } from '../../bench/src/cases/sums.ts';
import { SeededBits } from '../../bench/src/data/seeded-bits.ts';
import { geneBlock } from '../../bench/src/data/sparse-rows.ts';
import type { Result } from '../../bench/src/measure/result.ts';

const seeds = 20;

interface Tally {
  foundCount: number;
  of: number;
}

interface Trial {
  name: string;
  planted: string;
  nothing: string;
  run: (seed: number) => { planted: Tally; nothing: Tally };
}

const [pathCells, dimensions, neighbours, noise] = [600, 10, 14, 0.5];
const minCorrelation = 0.9;

const trajectoryTrial: Trial = {
  name: 'trajectory',
  planted: `forks whose order follows time (Spearman ${minCorrelation} or more)`,
  nothing: 'clouds that are not said to show no path',
  run(seed) {
    const bits = new SeededBits(seed);
    const time = Float64Array.from({ length: pathCells }, () => bits.uniform());
    const fork = cloud(bits, noise);
    time.forEach((at, cell) => {
      fork[cell * dimensions]! += 10 * at;
      if (at > 0.5) fork[cell * dimensions + 1]! += (bits.uniform() < 0.5 ? -16 : 16) * (at - 0.5);
    });
    const isFound =
      isPath(fork) && correlation(pseudotime(fork, time.indexOf(Math.min(...time))), time) >= minCorrelation;
    return {
      planted: { foundCount: Number(isFound), of: 1 },
      nothing: { foundCount: Number(isPath(cloud(bits, 1))), of: 1 },
    };
  },
};

function cloud(bits: SeededBits, spread: number): Float32Array {
  return Float32Array.from({ length: pathCells * dimensions }, () => spread * bits.normal());
}

function isPath(points: Float32Array): boolean {
  return !hasNoPath(pathStructure(points, dimensions, neighbours));
}

function pseudotime(points: Float32Array, root: number): Float64Array {
  const nearest = nearestCells(placePoints(points, dimensions), neighbours, { from: 0, to: pathCells });
  const { graph, parts } = connectedGraph(joinNearestCells([nearest], pathCells));
  const part = rootedPart(graph, parts, { by: 'cell', cell: root }, 2)!;
  const times = new Float64Array(pathCells).fill(Infinity);
  diffusionPseudotime(part.map, part.place, 10).forEach((at, place) => (times[part.cells[place]!] = at));
  return times;
}

/** Spearman correlation over the cells that are connected to the root. */
function correlation(times: Float64Array, truth: Float64Array): number {
  return genesAlongAxis(blockOf([Float32Array.from(truth)]), axisOrder(times, 1)).rho[0]!;
}

const [axisCells, sampleCount, axisGenes, ofKind] = [900, 6, 300, 30];
/** Mean of a gene as a function of its position on the axis, 0 to 1; the remaining genes do not depend on it. */
const kinds = [(at: number) => at, (at: number) => 1 - at, (at: number) => 4 * at * (1 - at)];
const plantedAlong = kinds.length * ofKind;

const gradientTrial: Trial = {
  name: 'gradient',
  planted: 'genes that rise, fall or peak, at an FDR of 0.05',
  nothing: 'genes that follow nothing but their sample, at the same FDR',
  run(seed) {
    const bits = new SeededBits(seed);
    const samples = Int16Array.from({ length: axisCells }, () => Math.floor(sampleCount * bits.uniform()));
    const own = Float64Array.from({ length: axisCells }, () => bits.uniform());
    const axis = own.map((at, cell) => at + samples[cell]! / 3);
    const genes = Array.from({ length: axisGenes }, (_, gene) => {
      const height = 0.2 + 2 * bits.uniform();
      const levels = Float64Array.from({ length: sampleCount }, () => 0.5 + bits.uniform());
      const share = kinds[Math.floor(gene / ofKind)] ?? (() => 0.5);
      return Float32Array.from(own, (at, cell) =>
        Math.log1p(poisson(bits, height * (0.4 + 1.2 * share(at)) * levels[samples[cell]!]!)),
      );
    });
    const block = blockOf(genes);
    const within = sampleRanks(axis, samples, { sampleCount, minCells: 20 });
    const monotone = benjaminiHochberg(correlationsWithin(block, within).p);
    const basis = splineBasis(axis, 4, within.samples);
    const curved = benjaminiHochberg(curveTests(splineTests(block, basis), basis).p);
    const isFound = (gene: number) => monotone[gene]! < 0.05 || curved[gene]! < 0.05;
    const all = [...genes.keys()];
    return {
      planted: tally(all.slice(0, plantedAlong), isFound),
      nothing: tally(all.slice(plantedAlong), isFound),
    };
  },
};

const [pairCells, plantedPairs, permutations] = [500, 6, 1000];
export const [groupCount, pairCount] = [5, 24];

const pairsTrial: Trial = {
  name: 'ligand-receptor',
  planted: 'pairs in the groups where both are up, at an adjusted p of 0.05',
  nothing: 'interactions of cells whose groups are shuffled, at the same p',
  run(seed) {
    const { interactions, isPlanted } = interactionsOf(seed, true);
    const significant = interactions.filter((one) => isPlanted(one) && one.adjustedP < 0.05);
    const { interactions: nothing } = interactionsOf(seed, false);
    return {
      planted: { foundCount: significant.length, of: plantedPairs },
      nothing: tally(nothing.keys(), (row) => nothing[row]!.adjustedP < 0.05),
    };
  },
};

/** Values of ligands and receptors in turn, and the group of each cell; without effect the groups are shuffled. */
export function simulatedPairs(seed: number, withEffect: boolean) {
  const bits = new SeededBits(seed);
  const labels = Uint16Array.from({ length: pairCells }, (_, cell) => cell % groupCount);
  const home = Array.from({ length: 2 * pairCount }, () => Math.floor(groupCount * bits.uniform()));
  const genes = home.map((group, gene) => {
    const mean = 0.3 + 0.7 * bits.uniform();
    const up = gene < 2 * plantedPairs ? 2 : 1;
    return Float32Array.from(labels, (label) => Math.log1p(poisson(bits, mean * (label === group ? up : 1))));
  });
  const order = withEffect ? undefined : shuffled(bits, pairCells);
  const isPlanted = ({ pair, source, target }: { pair: number; source: number; target: number }) =>
    pair < plantedPairs && source === home[2 * pair] && target === home[2 * pair + 1];
  return {
    genes,
    labels: order === undefined ? labels : labels.map((_, cell) => labels[order[cell]!]!),
    isPlanted,
  };
}

export function interactionsOf(seed: number, withEffect: boolean) {
  const { genes, labels, isPlanted } = simulatedPairs(seed, withEffect);
  return { interactions: testedPairs(genes, labels), isPlanted };
}

function testedPairs(genes: readonly Float32Array[], labels: Uint16Array) {
  const cells = Int32Array.from(labels.keys());
  const collector = new EntryCollector(cells, { cells: pairCells, genes: genes.length });
  for (const values of genes) collector.count(cells, values);
  collector.counted(pairCells * genes.length);
  genes.forEach((values, gene) => collector.take(gene, cells, values));
  const entries = collector.entries();
  const sizes = new Float64Array(groupCount).fill(pairCells / groupCount);
  const groups = { labels, sizes };
  const pairs = Array.from({ length: pairCount }, (_, pair) => ({
    pair,
    ligand: [2 * pair],
    receptor: [2 * pair + 1],
  }));
  const expression = groupExpression(entries, groups);
  const { interactions } = findInteractions(pairs, expression, { minShare: 0.1, max: 1e5 });
  const scores = scoreInteractions(interactions, expression, 0.5);
  const counts = countAsHigh(
    { entries, groups, interactions, means: scores.means, seed: 0 },
    0,
    permutations,
  );
  const { adjustedPs, pValues } = rankInteractions(counts, permutations, scores);
  return Array.from(interactions.pairs, (pair, row) => ({
    pair,
    source: interactions.sources[row]!,
    target: interactions.targets[row]!,
    p: pValues[row]!,
    adjustedP: adjustedPs[row]!,
  }));
}

const [ofDonor, geneCount, plantedGenes] = [120, 150, 20];

const decilesTrial: Trial = {
  name: 'deciles',
  planted: 'genes that follow what ranks the cells, with their direction, at an FDR of 0.05',
  nothing: 'genes in the ends of values by chance, at the same FDR',
  run(seed) {
    const bits = new SeededBits(seed);
    const cellCount = donorCount * ofDonor;
    const donors = Int32Array.from({ length: cellCount }, (_, cell) => cell % donorCount);
    const state = Float64Array.from(donors, () => bits.normal());
    const ofDonors = Float64Array.from({ length: donorCount }, () => bits.normal());
    const genes = Array.from({ length: geneCount }, (_, gene) => {
      const level = 0.5 + 2 * bits.uniform();
      const slope = gene < plantedGenes ? slopeOf(gene) : 0;
      const own = Float64Array.from({ length: donorCount }, () => 0.3 * bits.normal());
      return Float32Array.from(donors, (donor, cell) =>
        poisson(bits, level * Math.exp(slope * state[cell]! + own[donor]!)),
      );
    });
    const block = blockOf(genes);
    const ranked = comparedEnds({
      block,
      donors,
      values: state.map((at, cell) => at + 2 * ofDonors[donors[cell]!]!),
    });
    const placeOf = new Map(Array.from(ranked.genes, (gene, place) => [gene, place]));
    const chance = comparedEnds({ block, donors, values: state.map(() => bits.normal()) });
    return {
      planted: tally(Array(plantedGenes).keys(), (gene) => {
        const place = placeOf.get(gene);
        return (
          place !== undefined && ranked.adjusted[place]! < 0.05 && ranked.effects[place]! * slopeOf(gene) > 0
        );
      }),
      nothing: tally(chance.genes.keys(), (place) => chance.adjusted[place]! < 0.05),
    };
  },
};

const slopeOf = (gene: number) => (gene % 2 === 0 ? 0.3 : -0.3);

const moduleSize = { cells: 800, genes: 300 };

/** Five modules of twenty genes, each rising along a component, among 200 genes that follow none. */
const modulesTrial: Trial = {
  name: 'co-expression',
  planted: 'genes in a module that mostly has genes of their own',
  nothing: 'genes in any module where none follows a component',
  run(seed) {
    const { modules } = coExpression(simulatedModules({ ...moduleSize, slope: 0.6 }, seed));
    const nothing = coExpression(simulatedModules({ ...moduleSize, slope: 0 }, seed));
    const genes = [...modules.keys()];
    const isFound = (gene: number): boolean => {
      if (modules[gene] === 0) return false;
      const together = genes.filter((other) => modules[other] === modules[gene]);
      return 2 * together.filter((other) => axisOf(other) === axisOf(gene)).length > together.length;
    };
    return {
      planted: tally(
        genes.filter((gene) => axisOf(gene) >= 0),
        isFound,
      ),
      nothing: tally(genes, (gene) => nothing.modules[gene]! > 0),
    };
  },
};

const typesSize = { cells: 600, genes: 1200, density: 0.08 };

const typesTrial: Trial = {
  name: 'cell types',
  planted: 'groups whose type is suggested',
  nothing: 'groups for which a type of genes by chance is suggested',
  run(seed) {
    const data = simulatedTypes(typesSize, seed);
    const bits = new SeededBits(seed + 1000);
    const byChance = types.map(({ type, rows, weights, missing }) => ({
      type,
      rows: rows.map(() => Math.floor(typesSize.genes * bits.uniform())),
      weights,
      missing,
    }));
    const [suggestions, nothing] = [suggestedTypes(data), suggestedTypes(data, byChance)];
    const groups = [...Array(typedGroups).keys()];
    return {
      planted: tally(groups, (group) => suggestions.best[group] === group),
      nothing: tally(groups, (group) => nothing.best[group]! >= 0),
    };
  },
};

const trials: readonly Trial[] = [
  trajectoryTrial,
  gradientTrial,
  pairsTrial,
  decilesTrial,
  modulesTrial,
  typesTrial,
];

export const knownTruthCase: BenchCase = {
  name: 'known-truth',
  title: 'simulated data of a known truth: how often it is found, and how often found where there is nothing',
  run({ options, report }) {
    const count = options.repeat ?? seeds;
    const results: Result[] = [];
    const notes = [`${count} seeds`];
    for (const { name, planted, nothing, run } of trials) {
      report(`  ${name}`);
      const runs = Array.from({ length: count }, (_, at) => run(at + 1));
      const of = (which: 'planted' | 'nothing') => summed(runs.map((one) => one[which]));
      const [hits, wrong] = [of('planted'), of('nothing')];
      results.push(
        { quantity: `${name}: found`, unit: 'share', ours: [hits.foundCount / hits.of] },
        { quantity: `${name}: found where nothing is`, unit: 'share', ours: [wrong.foundCount / wrong.of] },
      );
      notes.push(
        `${name}: ${hits.foundCount} of ${hits.of} ${planted}; ${wrong.foundCount} of ${wrong.of} ${nothing}`,
      );
    }
    return { results, notes };
  },
};

function summed(tallies: readonly Tally[]): Tally {
  return tallies.reduce(
    (sum, { foundCount, of }) => ({ foundCount: sum.foundCount + foundCount, of: sum.of + of }),
    {
      foundCount: 0,
      of: 0,
    },
  );
}

function tally(places: Iterable<number>, isFound: (place: number) => boolean): Tally {
  let [foundCount, of] = [0, 0];
  for (const place of places) {
    of++;
    if (isFound(place)) foundCount++;
  }
  return { foundCount, of };
}

function poisson(bits: SeededBits, mean: number): number {
  let [count, product] = [0, bits.uniform()];
  for (const limit = Math.exp(-mean); product > limit; count++) product *= bits.uniform();
  return count;
}

function blockOf(genes: readonly Float32Array[]): GeneBlock {
  return geneBlock({ cells: genes[0]!.length, genes: genes.length }, (gene, add) =>
    genes[gene]!.forEach((value, cell) => {
      if (value !== 0) add(cell, value);
    }),
  );
}

function shuffled(bits: SeededBits, count: number): number[] {
  return Array.from({ length: count }, (_, place) => ({ place, key: bits.uniform() }))
    .toSorted((one, other) => one.key - other.key)
    .map(({ place }) => place);
}
