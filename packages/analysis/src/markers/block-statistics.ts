import type { GeneBlock } from '@cellfolio/model';
import type { CellGroups } from './cell-groups.ts';
import { RankSorter } from './rank-sorter.ts';

export type MarkerMethod = 'wilcoxon' | 't-test';

/**
 * What the tests need to know of consecutive genes: plain typed arrays, fit to be sent from thread to thread. All
 * but `tieTerms` have a value for each gene and slot, the slots of a gene side by side: one for each group of
 * `CellGroups` and a last one for the cells in no group.
 */
export interface BlockStatistics {
  readonly method: MarkerMethod;
  /** Row in var. */
  readonly firstGene: number;
  readonly geneCount: number;
  /** Groups + 1. */
  readonly slotCount: number;
  /** Sums of the values. NaN where a value is. */
  readonly sums: Float64Array;
  /** Cells whose value is not zero. */
  readonly expressing: Int32Array;
  /** t-test: sums of the squares, each rounded to float32 as scanpy does; empty otherwise. */
  readonly squares: Float64Array;
  /** Wilcoxon: sums of the ranks among all cells that count, from 1, equal values sharing their mean; empty otherwise. */
  readonly rankSums: Float64Array;
  /** Wilcoxon: one for each gene, the sum of t³ - t over its runs of t equal values; empty otherwise. */
  readonly tieTerms: Float64Array;
}

/**
 * One pass over the entries of a block. Only cells with a value are sorted: those without are one run of equal
 * values, between the negative and the positive ones, and so are stored zeros. Time is linear in the entries.
 * Throws RangeError where the groups are those of other cells.
 */
export function blockStatistics(block: GeneBlock, groups: CellGroups, method: MarkerMethod): BlockStatistics {
  if (block.cellCount !== groups.codes.length) {
    throw new RangeError(
      `groups of ${groups.codes.length} cells do not fit genes of ${block.cellCount} cells`,
    );
  }
  const geneCount = block.starts.length - 1;
  const slotCount = groups.names.length + 1;
  const size = geneCount * slotCount;
  const ranked = method === 'wilcoxon';
  const statistics: BlockStatistics = {
    method,
    firstGene: block.firstGene,
    geneCount,
    slotCount,
    sums: new Float64Array(size),
    expressing: new Int32Array(size),
    squares: new Float64Array(ranked ? 0 : size),
    rankSums: new Float64Array(ranked ? size : 0),
    tieTerms: new Float64Array(ranked ? geneCount : 0),
  };
  if (ranked) addRanks(statistics, block, groups);
  else addSquares(statistics, block, groups);
  return statistics;
}

/** The buffers of a block's statistics, to be handed over rather than copied between threads. */
export function statisticsBuffers(statistics: BlockStatistics): ArrayBuffer[] {
  const { sums, expressing, squares, rankSums, tieTerms } = statistics;
  return [sums, expressing, squares, rankSums, tieTerms].map(({ buffer }) => buffer as ArrayBuffer);
}

function addSquares(statistics: BlockStatistics, block: GeneBlock, groups: CellGroups): void {
  const { sums, squares, expressing, slotCount, geneCount } = statistics;
  const { starts, cells, values } = block;
  const { codes } = groups;
  for (let gene = 0; gene < geneCount; gene++) {
    const base = gene * slotCount;
    const end = starts[gene + 1]! | 0;
    for (let i = starts[gene]! | 0; i < end; i++) {
      const slot = codes[cells[i]!]!;
      const value = values[i]!;
      if (slot === slotCount || value === 0) continue;
      const at = base + slot;
      sums[at]! += value;
      // scanpy squares in float32; where the variance is small beside the mean, exact squares give other p-values.
      squares[at]! += Math.fround(value * value);
      expressing[at]!++;
    }
  }
}

function addRanks(statistics: BlockStatistics, block: GeneBlock, groups: CellGroups): void {
  const { sums, expressing, slotCount, geneCount } = statistics;
  const { starts, cells, values } = block;
  const { codes } = groups;
  const bits = new Int32Array(values.buffer, values.byteOffset, values.length);
  let largest = 0;
  for (let gene = 0; gene < geneCount; gene++) largest = Math.max(largest, starts[gene + 1]! - starts[gene]!);
  const sorter = new RankSorter(largest);
  const { work } = sorter;
  const sizes = slotSizes(groups);
  for (let gene = 0; gene < geneCount; gene++) {
    const base = gene * slotCount;
    const end = starts[gene + 1]! | 0;
    let filled = 0;
    for (let i = starts[gene]! | 0; i < end; i++) {
      const slot = codes[cells[i]!]!;
      const value = values[i]!;
      if (slot === slotCount || value === 0) continue;
      sums[base + slot]! += value;
      expressing[base + slot]!++;
      // Integers in the order of the floats: the bits of a negative one fall as it rises.
      const word = bits[i]!;
      work[filled] = word ^ ((word >> 31) & 0x7fff_ffff);
      work[filled + 1] = slot;
      filled += 2;
    }
    const count = filled / 2;
    const first = sorter.sort(count);
    const zeros = groups.cellCount - count;
    addRankSums(statistics, gene, sizes, { work, first, end: first + filled, zeros });
  }
}

/** Walks the sorted pairs of a gene and gives their ranks to the slots. */
function addRankSums(
  { rankSums, tieTerms, expressing, slotCount }: BlockStatistics,
  gene: number,
  sizes: Float64Array,
  sorted: { work: Int32Array; first: number; end: number; zeros: number },
): void {
  const { work, first, end, zeros } = sorted;
  const base = gene * slotCount;
  let tieTerm = zeros * zeros * zeros - zeros;
  let zeroRank = 0;
  let below = 0;
  let positive = false;
  for (let i = first; i < end;) {
    const key = work[i]!;
    if (key >= 0 && !positive) {
      zeroRank = below + (zeros + 1) / 2;
      below += zeros;
      positive = true;
    }
    let next = i + 2;
    while (next < end && work[next] === key) next += 2;
    if (next === i + 2) {
      below++;
      rankSums[base + work[i + 1]!]! += below;
      i = next;
      continue;
    }
    const ties = (next - i) / 2;
    const rank = below + (ties + 1) / 2;
    below += ties;
    tieTerm += ties * ties * ties - ties;
    for (; i < next; i += 2) rankSums[base + work[i + 1]!]! += rank;
  }
  if (!positive) zeroRank = below + (zeros + 1) / 2;
  tieTerms[gene] = tieTerm;
  for (let slot = 0; slot < slotCount; slot++) {
    rankSums[base + slot]! += (sizes[slot]! - expressing[base + slot]!) * zeroRank;
  }
}

/** Cells of each slot: of each group, and in no group. */
function slotSizes({ sizes, cellCount }: CellGroups): Float64Array {
  const all = new Float64Array(sizes.length + 1);
  all.set(sizes);
  all[sizes.length] = sizes.reduce((rest, size) => rest - size, cellCount);
  return all;
}
