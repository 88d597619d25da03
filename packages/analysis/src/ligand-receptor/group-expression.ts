import type { NeededEntries } from './needed-entries.ts';

/** The groups of the cells that are compared. */
export interface GroupLabels {
  /** Group of each cell, from 0. */
  readonly labels: Uint16Array;
  /** Cells of each group, none of them 0. */
  readonly sizes: Float64Array;
}

/** What the scores need to know of each gene in each group: groups × genes, the genes of a group side by side. */
export interface GroupExpression {
  readonly geneCount: number;
  /** Mean log-normalised values over all cells of the group, those without expression too. */
  readonly means: Float64Array;
  /** Shares of cells with a value that is not 0. */
  readonly shares: Float64Array;
  /** log2(1 + mean of expm1) of the group less that of all other cells. */
  readonly logFoldChanges: Float64Array;
  /** Means of the values less the mean of all cells, over their standard deviation (n − 1). */
  readonly zScores: Float64Array;
  /** Of each gene, the sum of its means in all groups. */
  readonly meanSums: Float64Array;
}

/** One pass over the entries. Throws RangeError where the labels are those of other cells. */
export function groupExpression(entries: NeededEntries, { labels, sizes }: GroupLabels): GroupExpression {
  const { cellCount, geneCount, starts, genes, values } = entries;
  checkLabels(entries, labels);
  const size = sizes.length * geneCount;
  const [sums, linear, shares] = [new Float64Array(size), new Float64Array(size), new Float64Array(size)];
  const squares = new Float64Array(geneCount);
  for (let cell = 0; cell < cellCount; cell++) {
    const base = labels[cell]! * geneCount;
    const end = starts[cell + 1]!;
    for (let i = starts[cell]!; i < end; i++) {
      const gene = genes[i]!;
      const value = values[i]!;
      sums[base + gene]! += value;
      linear[base + gene]! += Math.expm1(value);
      shares[base + gene]!++;
      squares[gene]! += value * value;
    }
  }
  const means = sums.map((sum, at) => sum / sizes[Math.floor(at / geneCount)]!);
  const [allSums, allLinear] = [overGroups(sums, geneCount), overGroups(linear, geneCount)];
  const deviations = squares.map((square, gene) => {
    const variance = (square - allSums[gene]! ** 2 / cellCount) / (cellCount - 1);
    return variance > 0 ? Math.sqrt(variance) : 1;
  });
  const of = (value: (at: number, group: number, gene: number) => number) =>
    sums.map((_, at) => value(at, Math.floor(at / geneCount), at % geneCount));
  return {
    geneCount,
    means,
    shares: of((at, group) => shares[at]! / sizes[group]!),
    logFoldChanges: of((at, group, gene) => {
      const rest = (allLinear[gene]! - linear[at]!) / (cellCount - sizes[group]!);
      return Math.log2(1 + linear[at]! / sizes[group]!) - Math.log2(1 + Math.max(0, rest));
    }),
    zScores: of((at, _, gene) => (means[at]! - allSums[gene]! / cellCount) / deviations[gene]!),
    meanSums: overGroups(means, geneCount),
  };
}

function overGroups(values: Float64Array, geneCount: number): Float64Array {
  const sums = new Float64Array(geneCount);
  for (let at = 0; at < values.length; at++) sums[at % geneCount]! += values[at]!;
  return sums;
}

/** Throws RangeError where the labels are those of other cells. */
export function checkLabels({ cellCount }: NeededEntries, labels: Uint16Array): void {
  if (labels.length === cellCount) return;
  throw new RangeError(`labels of ${labels.length} cells do not fit the values of ${cellCount} cells`);
}
