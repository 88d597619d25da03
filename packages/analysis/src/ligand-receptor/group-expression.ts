import type { NeededEntries } from './needed-entries.ts';

export interface GroupLabels {
  readonly labels: Uint16Array;
  readonly sizes: Float64Array;
}

/** Expression of genes in groups, as the scores need it: groups × genes, group-major. */
export interface GroupExpression {
  readonly geneCount: number;
  /** Mean log-normalised values over all cells of the group, including those without expression. */
  readonly means: Float64Array;
  /** Shares of cells with a non-zero value. */
  readonly shares: Float64Array;
  /** log2(1 + mean of expm1) of the group minus that of all other cells. */
  readonly logFoldChanges: Float64Array;
  /** Group mean minus the mean of all cells, divided by their standard deviation (n − 1). */
  readonly zScores: Float64Array;
  /** Per gene, the sum of its means over all groups. */
  readonly meanSums: Float64Array;
}

/** One pass over the entries. Throws RangeError if the labels belong to other cells. */
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

export function checkLabels({ cellCount }: NeededEntries, labels: Uint16Array): void {
  if (labels.length === cellCount) return;
  throw new RangeError(`labels of ${labels.length} cells do not fit the values of ${cellCount} cells`);
}
