import {
  blockStatistics,
  groupEvidence,
  groupProfiles,
  profileSets,
  type ResolvedType,
} from '@cellfolio/analysis';
import type { GeneBlock } from '@cellfolio/model';
import { SeededBits } from '../data/seeded-bits.ts';
import { geneBlock } from '../data/sparse-rows.ts';
import { type Spent, stopwatch } from '../measure/result.ts';
import { paths } from '../paths.ts';
import { analysisCase, type AnalysisSize, largestDifference } from './analysis-case.ts';

export const groupCount = 12;
const [typeCount, markersOfType] = [45, 10];
const repeats = 5;
const rule = { maxAdjustedP: 0.05, minExpressed: 3, minShare: 0.1, minMargin: 0.1 };

interface Peer {
  means: readonly Spent[];
  scores: readonly Spent[];
  /** Groups × types: t of the linear models. */
  linear: readonly number[];
  /** Groups × types: adjusted p of over-representation. */
  adjusted: readonly number[];
}

export const cellTypesCase = analysisCase({
  name: 'cell-types',
  title: `${typeCount} types in ${groupCount} groups of 3,000 to 100,000 cells; peer: scanpy's aggregate, decoupler's ulm and ora`,
  genes: 2000,
  note: ({ genes }) => `${genes} genes; numba is warm`,
  stages: { means: 'profiles', scores: 'scores' },
  warmUp: 1000,
  repeats,
  prepare: (size) => simulatedTypes(size),
  ours: (data) => suggestedTypes(data),
  peer: {
    packages: ['decoupler'],
    script: paths.cellTypesPeer,
    arrays: ({ block, labels }) => [block.starts, Int32Array.from(labels), block.cells, block.values],
    numbers: ({ block }) => [
      block.cellCount,
      block.starts.length - 1,
      groupCount,
      typeCount,
      markersOfType,
      repeats,
    ],
  },
  findings: ({ best, linear, adjusted }, theirs: Peer | undefined) => {
    const right = `${best.filter((type, group) => type === group).length} of ${groupCount} groups named`;
    if (!theirs) return right;
    return `${right}; largest differences: score ${largestDifference(linear, theirs.linear)}, adjusted p of over-representation ${largestDifference(adjusted, theirs.adjusted)}`;
  },
});

interface SimulatedTypes {
  block: GeneBlock;
  labels: Uint16Array;
}

/** Type t has the genes [10 t, 10 t + 10); group g expresses those of type g. */
export function simulatedTypes({ cells, genes, density }: AnalysisSize, seed = 74): SimulatedTypes {
  const bits = new SeededBits(seed);
  const labels = Uint16Array.from({ length: cells }, (_, cell) => cell % groupCount);
  const draws = new Uint32Array(cells);
  const block = geneBlock({ cells, genes }, (gene, add) => {
    bits.drawInto(draws);
    const type = Math.floor(gene / markersOfType);
    const usual = density * (0.5 + bits.uniform());
    for (let cell = 0; cell < cells; cell++) {
      const chance = labels[cell] === type ? Math.min(0.6, 4 * usual) : usual;
      const draw = draws[cell]! / 2 ** 32;
      if (draw < chance) add(cell, Math.log1p(1 + Math.floor((5 * draw) / chance)));
    }
  });
  return { block, labels };
}

export const types = Array.from({ length: typeCount }, (_, type) => ({
  type,
  rows: Int32Array.from({ length: markersOfType }, (__, at) => type * markersOfType + at),
  weights: new Float64Array(markersOfType).fill(1),
  missing: [],
}));

/** The best type of each group, −1 for Unclear, with all scores. */
export function suggestedTypes(
  { block, labels }: SimulatedTypes,
  candidates: readonly ResolvedType[] = types,
) {
  const sizes = new Float64Array(groupCount);
  for (const label of labels) sizes[label]!++;
  const names = Array.from(sizes, (_, group) => `g${group}`);
  const groups = { names, sizes, codes: labels, cellCount: labels.length };
  const groupIds = [...names.keys()];
  const ofMeans = stopwatch();
  const profiles = groupProfiles([blockStatistics(block, groups, 't-test')], groups, groupIds);
  const means = ofMeans();
  const ofScores = stopwatch();
  const sets = profileSets(candidates, profiles);
  const evidence = groupIds.map((group) => groupEvidence(profiles, group, sets, rule));
  return {
    means,
    scores: ofScores(),
    best: evidence.map(({ order, reasons }) => (reasons.length === 0 ? order[0]! : -1)),
    linear: evidence.flatMap(({ linear }) => Array.from(linear.scores)),
    adjusted: evidence.flatMap(({ top }) => Array.from(top.adjustedPs)),
  };
}
