import { benjaminiHochberg } from '../statistics/benjamini-hochberg.ts';
import { trigamma } from '../statistics/polygamma.ts';
import { multilevelError, multilevelTails } from './multilevel-split.ts';
import { minProbability } from './parameters.ts';
import type { PermutationTests } from './permutation-tests.ts';

/** P-values beyond the resolution of permutations, one per set. */
interface MultilevelPValues {
  /** At least 1e-50; NaN if fewer than ten permuted scores have the score's sign. */
  pValues: Float64Array;
  /** Standard error of log2 of the p-value; NaN at the minimum p-value and without one. */
  log2Errors: Float64Array;
}

/** Sets of one size and sign, which share one split. */
export interface MultilevelGroup {
  readonly size: number;
  readonly isNegative: boolean;
  readonly sets: readonly number[];
}

/** Minimum permuted scores of a sign for estimating how often a score has it. */
const minSameSign = 10;

/** Sets whose permutation p-value is less precise than a split would be. */
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

/** Unconditional tail probabilities of the sets of a group: see `multilevelTails`. */
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
 * P-values as in fgsea (Korotkevich and others 2021): from permutations if these are at least as precise, else from a
 * multilevel split, both among the random sets with the score's sign. `tails`: of each group's sets, from `groupTails`.
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

/** Benjamini-Hochberg over the sets with a p-value; NaN for the others. */
export function adjustedPresent(pValues: Float64Array): Float64Array {
  const adjusted = benjaminiHochberg(pValues.filter((p) => !Number.isNaN(p)));
  let next = 0;
  return pValues.map((p) => (Number.isNaN(p) ? p : adjusted[next++]!));
}

/** Standard error of log2 of a share estimated as `count` out of `of`. */
function simpleError(count: number, of: number): number {
  return Math.sqrt(trigamma(count + 1) - trigamma(of + 1)) / Math.LN2;
}
