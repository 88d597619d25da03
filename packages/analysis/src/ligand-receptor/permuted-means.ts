import { LegacyRandomState } from '../random/legacy-random-state.ts';
import { checkLabels, type GroupLabels } from './group-expression.ts';
import type { Interactions } from './interactions.ts';
import type { NeededEntries } from './needed-entries.ts';

export interface PermutedInteractions {
  readonly entries: NeededEntries;
  readonly groups: GroupLabels;
  readonly interactions: Interactions;
  /** Per interaction, the mean of ligand's and receptor's means. */
  readonly means: Float64Array;
  readonly seed: number;
}

/** Sums of the same values in another order differ in their last bits and count as equal. */
const tolerance = 1e-12;

/**
 * Number of permutations [from, to) of the labels in which each interaction has a mean at least as high as observed, as
 * in CellPhoneDB (Efremova et al. 2020, Nature Protocols 15:1484). A complex is represented by one subunit, as in
 * LIANA. Each permutation has a separate seed, so that any thread can run any of them. Throws RangeError for labels of
 * other cells.
 */
export function countAsHigh(permuted: PermutedInteractions, from: number, to: number): Uint32Array {
  const { entries, groups, interactions, means, seed } = permuted;
  checkLabels(entries, groups.labels);
  const { sources, targets, ligands, receptors } = interactions;
  const { geneCount } = entries;
  const { sizes } = groups;
  const counts = new Uint32Array(means.length);
  const atLeast = means.map((mean) => mean * (1 - tolerance));
  const labels = new Uint16Array(entries.cellCount);
  const sums = new Float64Array(sizes.length * geneCount);
  for (let permutation = from; permutation < to; permutation++) {
    permuteLabels(groups.labels, labels, permutationSeed(seed, permutation));
    sumByGroup(entries, labels, sums);
    for (let at = 0, group = 0; group < sizes.length; group++) {
      for (const end = at + geneCount, size = sizes[group]!; at < end; at++) sums[at]! /= size;
    }
    for (let row = 0; row < counts.length; row++) {
      const ligand = sums[sources[row]! * geneCount + ligands[row]!]!;
      const receptor = sums[targets[row]! * geneCount + receptors[row]!]!;
      if ((ligand + receptor) / 2 >= atLeast[row]!) counts[row]!++;
    }
  }
  return counts;
}

/** The hot loop: about a nanosecond per entry, since the sums of a few genes stay in the processor's cache. */
function sumByGroup(
  { cellCount, geneCount, starts, genes, values }: NeededEntries,
  labels: Uint16Array,
  sums: Float64Array,
): void {
  sums.fill(0);
  let i = 0;
  for (let cell = 0; cell < cellCount; cell++) {
    const base = labels[cell]! * geneCount;
    const end = starts[cell + 1]!;
    for (; i < end; i++) sums[base + genes[i]!]! += values[i]!;
  }
}

/** Gives the cell at index `order[j]` the label of cell j; `order` is numpy's `RandomState(seed).permutation`. */
function permuteLabels(labels: Uint16Array, to: Uint16Array, seed: number): void {
  const order = new LegacyRandomState(seed).permutation(labels.length);
  for (let j = 0; j < order.length; j++) to[order[j]!] = labels[j]!;
}

/**
 * Seed of one permutation: unique within a run and unrelated between runs with neighbouring seeds, by MurmurHash3's
 * finaliser, which is a bijection of 32 bits.
 */
function permutationSeed(seed: number, permutation: number): number {
  let hash = (Math.imul(seed, 0x9e3779b1) + permutation) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
