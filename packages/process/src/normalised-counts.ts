import type { EntryRows } from './components/entry-rows.ts';
import { eachVector, type Counts } from './load-counts.ts';
import type { GeneMoments } from './variable-genes.ts';

/**
 * Moments of each gene in each group of cells, with counts multiplied by the factor of their cell. `groups`: group of
 * each cell from 0, or -1 for none.
 */
export function momentsOfGroups(
  counts: Counts,
  factors: Float64Array,
  { groups, groupCount }: { readonly groups: Int32Array; readonly groupCount: number },
): GeneMoments[] {
  const { geneCount } = counts;
  // The sum of a gene and that of its squares, side by side.
  const sums = new Float64Array(2 * geneCount * groupCount);
  eachVector(counts, {
    cell: (cell, { indices, counts: values }, from, to) => {
      const factor = factors[cell]!;
      const first = 2 * groups[cell]! * geneCount;
      if (first < 0) return;
      for (let at = from; at < to; at++) {
        const value = values[at]! * factor;
        const sum = first + 2 * indices[at]!;
        sums[sum]! += value;
        sums[sum + 1]! += value * value;
      }
    },
    gene: (gene, { indices, counts: values }, from, to) => {
      for (let at = from; at < to; at++) {
        const group = groups[indices[at]!]!;
        if (group < 0) continue;
        const value = values[at]! * factors[indices[at]!]!;
        const sum = 2 * (group * geneCount + gene);
        sums[sum]! += value;
        sums[sum + 1]! += value * value;
      }
    },
  });
  const sizes = new Int32Array(groupCount);
  for (const group of groups) if (group >= 0) sizes[group]! += 1;
  return Array.from(sizes, (size, group) => {
    const means = new Float64Array(geneCount);
    const variances = new Float64Array(geneCount);
    for (let gene = 0; gene < geneCount; gene++) {
      const at = 2 * (group * geneCount + gene);
      means[gene] = sums[at]! / size;
      variances[gene] = Math.max(0, (sums[at + 1]! - sums[at]! * means[gene]!) / (size - 1));
    }
    return { means, variances };
  });
}

/** A cell has few different counts: logarithms of those below this are computed once. */
const smallCounts = 32;

/** Replaces counts x, multiplied by the factor of their cell, by log2(1 + x). */
export function takeLogarithms({ cellCount, pointers, values }: EntryRows, factors: Float64Array): void {
  const logarithms = new Float64Array(smallCounts);
  for (let cell = 0; cell < cellCount; cell++) {
    const factor = factors[cell]!;
    logarithms.fill(0);
    const end = 2 * pointers[cell + 1]!;
    for (let at = 2 * pointers[cell]!; at < end; at += 2) {
      const count = values[at]!;
      const cached = count < smallCounts ? logarithms[count]! : 0;
      const logarithm = cached || Math.log1p(count * factor) * Math.LOG2E;
      if (count < smallCounts) logarithms[count] = logarithm;
      values[at] = logarithm;
    }
  }
}
