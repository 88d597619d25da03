import {
  type CompiledLibrary,
  drawPermutations,
  GeneBackground,
  groupTails,
  type MultilevelGroup,
  permutationTests,
  type PermutationTests,
  type Permutations,
  permutedScores,
  type RankedSetPlaces,
  rankByMetric,
  runningScore,
  type ScoreMatrix,
  type ShuffleState,
  stepWeights,
} from '@cellfolio/analysis';
import { type PackedStrings, packStrings, sharedCopy, stringAt, unpackStrings } from '@cellfolio/model';
import type { OtherName, PackedBackground, ThreadDataset } from '../context.ts';

interface RankedGenes {
  readonly compiled: CompiledLibrary;
  /** The genes that the library was compiled for: those of the ranking. */
  readonly background: PackedBackground;
  /** Symbols or ids, with a number each; NaN when missing. In shared memory. */
  readonly genes: PackedStrings;
  readonly values: Float64Array;
  readonly weight: number;
  readonly minSize: number;
  readonly maxSize: number;
}

export interface RankedLibrary extends RankedSetPlaces {
  genes: PackedStrings;
  /** Descending. */
  metric: Float64Array;
  weights: Float64Array;
  terms: PackedStrings;
  scores: Float64Array;
  geneShares: Float64Array;
  /** Set i has the leading edge [leadingStarts[i], leadingStarts[i + 1]) of `leading`, which holds ranks. */
  leadingStarts: Int32Array;
  leading: Int32Array;
  counts: RankingCounts;
  /** Genes of the ranking that the dataset calls otherwise. */
  renamed: readonly OtherName[];
}

export interface RankingCounts {
  repeated: number;
  missing: number;
  tied: number;
  /** Genes with a number that cannot be in the library, as they have no orthologue there. */
  unmapped: number;
  inSets: number;
  tooSmall: number;
  tooLarge: number;
}

function rankSets(
  task: RankedGenes,
  dataset: Pick<ThreadDataset, 'symbols' | 'find' | 'otherNames'>,
): RankedLibrary {
  const { symbols, keys, libraryOnly } = task.background;
  const background = new GeneBackground(unpackStrings(symbols), keys && unpackStrings(keys), libraryOnly);
  const numbers: number[] = [];
  const values: number[] = [];
  let [unmapped, absent] = [0, 0];
  const geneNames = unpackStrings(task.genes);
  geneNames.forEach((gene, i) => {
    const row = dataset.find(gene);
    const number = background.numberOfOwn(row === undefined ? gene : dataset.symbols[row]!);
    if (number === undefined) {
      if (Number.isNaN(task.values[i]!)) absent++;
      else unmapped++;
      return;
    }
    numbers.push(number);
    values.push(task.values[i]!);
  });
  const ranking = rankByMetric(Int32Array.from(numbers), values, background.genes);
  const { genes, metric, repeated, tied } = ranking;
  const missing = ranking.missing + absent;
  const placeOf = new Int32Array(background.genes.length).fill(-1);
  genes.forEach((gene, place) => (placeOf[gene] = place));
  const weights = stepWeights(metric, task.weight);
  const matchedSets = setsAmong(task, placeOf, weights);
  return {
    ...matchedSets.sets,
    genes: sharedStrings(packStrings(Array.from(genes, (gene) => background.genes[gene]!))),
    metric: sharedCopy(metric),
    weights: sharedCopy(weights),
    counts: { repeated, missing, tied, unmapped, ...matchedSets.counts },
    renamed: dataset.otherNames(geneNames),
  };
}

function setsAmong({ compiled, minSize, maxSize }: RankedGenes, placeOf: Int32Array, weights: Float64Array) {
  const [starts, leadingStarts] = [[0], [0]];
  const [places, leading, scores, geneShares]: number[][] = [[], [], [], []];
  const terms: string[] = [];
  const isInSet = new Uint8Array(weights.length);
  let [tooSmall, tooLarge] = [0, 0];
  for (let set = 0; set + 1 < compiled.starts.length; set++) {
    const hits = compiled.genes
      .subarray(compiled.starts[set], compiled.starts[set + 1])
      .map((gene) => placeOf[gene]!)
      .filter((place) => place >= 0)
      .sort();
    for (const place of hits) isInSet[place] = 1;
    if (hits.length < minSize) tooSmall++;
    else if (hits.length > maxSize || hits.length === weights.length) tooLarge++;
    else {
      const { score, leadingEdge, geneShare } = runningScore(weights, hits);
      terms.push(stringAt(compiled.names, set));
      for (const place of hits) places!.push(place);
      for (const place of leadingEdge) leading!.push(place);
      starts.push(places!.length);
      leadingStarts.push(leading!.length);
      scores!.push(score);
      geneShares!.push(geneShare);
    }
  }
  return {
    sets: {
      terms: sharedStrings(packStrings(terms)),
      starts: sharedCopy(Int32Array.from(starts)),
      places: sharedCopy(Int32Array.from(places!)),
      scores: sharedCopy(Float64Array.from(scores!)),
      geneShares: Float64Array.from(geneShares!),
      leadingStarts: Int32Array.from(leadingStarts),
      leading: Int32Array.from(leading!),
    },
    counts: { tooSmall, tooLarge, inSets: isInSet.reduce((sum, is) => sum + is, 0) },
  };
}

function sharedStrings({ bytes, offsets }: PackedStrings): PackedStrings {
  return { bytes: sharedCopy(bytes), offsets: sharedCopy(offsets) };
}

/** One number per set. */
export interface SetTests {
  normalised: Float64Array;
  /** NaN when there are too few permutations of the sign. */
  pValues: Float64Array;
  falseDiscoveryRates: Float64Array;
  /** NaN for a multilevel split, which has none. */
  familyWise: Float64Array;
  /** Permuted scores with the sign of the score, the denominator of the p-value; absent for a multilevel split. */
  sameSign?: PermutationTests['sameSign'];
  /** Standard errors of log2 of the multilevel p-values; absent for permutations. */
  log2Errors?: Float64Array;
}

/** The next permutations of a stream, in shared memory. */
interface DrawnPermutations {
  readonly start: ShuffleState;
  readonly count: number;
}

/** Scores of some sets in some permutations, written into a matrix in shared memory. */
interface PermutedSets {
  readonly weights: Float64Array;
  readonly sets: RankedSetPlaces;
  readonly permutations: Permutations;
  readonly into: ScoreMatrix;
}

/** All permuted scores, which are normalised in place. */
interface AllScores {
  readonly scores: Float64Array;
  readonly permuted: readonly Float64Array[];
  readonly permutations: number;
}

interface SplitSets {
  readonly weights: Float64Array;
  readonly scores: Float64Array;
  readonly group: MultilevelGroup;
  readonly seed: number;
}

export const steps = {
  rankSets,
  drawPermutations: ({ start, count }: DrawnPermutations) => drawPermutations(start, count),
  permuteSets({ weights, sets, permutations, into }: PermutedSets): null {
    permutedScores(weights, sets, permutations, into);
    return null;
  },
  testPermutations: ({ scores, permuted, permutations }: AllScores) =>
    permutationTests(scores, permuted, permutations),
  splitSets: ({ weights, scores, group, seed }: SplitSets) => groupTails(weights, scores, group, seed),
};
