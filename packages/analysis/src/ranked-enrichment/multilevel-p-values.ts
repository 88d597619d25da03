import { benjaminiHochberg } from '../statistics/benjamini-hochberg.ts';
import { trigamma } from '../statistics/polygamma.ts';
import { minProbability, multilevelError, multilevelTails } from './multilevel-split.ts';
import type { PermutationTests } from './permutation-tests.ts';

/** A p-value beyond what permutations reach, one number a set. */
interface MultilevelPValues {
  /** At least 1e-50; NaN where fewer than ten permuted scores have the sign of the score. */
  readonly pValues: Float64Array;
  /** Standard error of the binary logarithm of the p-value; NaN at the least p-value and where there is none. */
  readonly log2Errors: Float64Array;
}

/** Sets of one size and sign: one split serves them all. */
export interface MultilevelGroup {
  readonly size: number;
  readonly isNegative: boolean;
  /** Numbers of the sets. */
  readonly sets: readonly number[];
}

/** Fewer permuted scores of a sign do not say how often a score has it. */
const minSameSign = 10;

/** The sets whose p-value permutations leave more uncertain than a split would. */
export function multilevelGroups(
  scores: Float64Array,
  sizes: Int32Array,
  tests: PermutationTests,
  permutations: number,
): MultilevelGroup[] {
  const groups = new Map<string, { size: number; isNegative: boolean; sets: number[] }>();
  scores.forEach((score, set) => {
    const asExtreme = tests.asExtreme[set]!;
    if (score === 0 || tests.sameSign[set]! < minSameSign) return;
    const crude = (asExtreme + 1) / (permutations + 1);
    if (multilevelError(crude) >= simpleError(asExtreme, permutations)) return;
    const [size, isNegative] = [sizes[set]!, score < 0];
    const key = `${size} ${isNegative}`;
    const group = groups.get(key) ?? { size, isNegative, sets: [] };
    groups.set(key, group);
    group.sets.push(set);
  });
  return [...groups.values()];
}

/** Probabilities of the sets of a group, on condition of nothing: see `multilevelTails`. */
export function groupTails(
  weights: Float64Array,
  scores: Float64Array,
  { size, isNegative, sets }: MultilevelGroup,
  seed: number,
): number[] {
  const fromItsSide = isNegative ? weights.toReversed() : weights;
  const heights = sets.map((set) => Math.abs(scores[set]!));
  return multilevelTails(fromItsSide, size, heights, seed);
}

/**
 * P-values as fgsea has them (Korotkevich and others 2021): of permutations where these are at least as precise, else by
 * a multilevel split, both among the random sets of the sign of the score.
 *
 * @param tails of the sets of each group, as `groupTails` has them
 */
export function multilevelPValues(
  tests: PermutationTests,
  permutations: number,
  groups: readonly MultilevelGroup[],
  tails: readonly (readonly number[])[],
): MultilevelPValues {
  const { sameSign, asExtreme } = tests;
  const pValues = new Float64Array(sameSign.length);
  const log2Errors = new Float64Array(sameSign.length);
  for (let set = 0; set < pValues.length; set++) {
    const isKnown = sameSign[set]! >= minSameSign;
    pValues[set] = isKnown ? Math.min(1, (1 + asExtreme[set]!) / (1 + sameSign[set]!)) : Number.NaN;
    log2Errors[set] = isKnown ? simpleError(asExtreme[set]!, permutations) : Number.NaN;
  }
  groups.forEach(({ sets }, group) => {
    sets.forEach((set, i) => {
      const ofSign = (sameSign[set]! + 1) / (permutations + 1);
      const p = Math.min(1, tails[group]![i]! / ofSign);
      const isLeast = p < minProbability;
      pValues[set] = isLeast ? minProbability : p;
      log2Errors[set] = isLeast ? Number.NaN : multilevelError(p);
    });
  });
  return { pValues, log2Errors };
}

/** Benjamini-Hochberg over the sets that have a p-value; NaN for the others. */
export function adjustedKnown(pValues: Float64Array): Float64Array {
  const adjusted = benjaminiHochberg(pValues.filter((p) => !Number.isNaN(p)));
  let next = 0;
  return pValues.map((p) => (Number.isNaN(p) ? p : adjusted[next++]!));
}

/** Standard error of the binary logarithm of a share of which `count` of `of` were seen. */
function simpleError(count: number, of: number): number {
  return Math.sqrt(trigamma(count + 1) - trigamma(of + 1)) / Math.LN2;
}
