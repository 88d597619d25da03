import { type GeneBlock, type CategoricalColumn, largestGene } from '@cellfolio/model';
import type { CellGroups } from './cell-groups.ts';
import { RankSorter } from './rank-sorter.ts';

export type MarkerMethod = 'wilcoxon' | 't-test';

/**
 * Statistics of consecutive genes for the tests: plain typed arrays, which can be sent between threads. They have a
 * value per gene and slot, gene-major: one slot per group of `CellGroups` and a last one for the cells in no group. A
 * test of Wilcoxon takes 20 bytes of each, 28 with a reference.
 */
export interface BlockStatistics {
  readonly method: MarkerMethod;
  /** Row in var. */
  readonly firstGene: number;
  readonly geneCount: number;
  /** Groups + 1. */
  readonly slotCount: number;
  /** Wilcoxon: group that each other one was ranked with; absent if all cells were ranked together. */
  readonly reference?: number | undefined;
  /** Sums of the values; NaN if a value is NaN. */
  readonly sums: Float64Array;
  readonly expressing: Int32Array;
  /** t-test: sums of squares, each rounded to float32 as in scanpy; empty otherwise. */
  readonly squares: Float64Array;
  /**
   * Wilcoxon: sums of 1-based ranks among all counted cells, or among those of the group and the reference, ties sharing
   * their mean; empty otherwise.
   */
  readonly rankSums: Float64Array;
  /**
   * Wilcoxon: the sum of t³ - t over the runs of t equal values, per gene, or per gene and slot if there is a reference;
   * empty otherwise.
   */
  readonly tieTerms: Float64Array;
}

/**
 * Statistics of the genes of a block, in memory of their own or in that of all genes, `into`. One pass over the entries. Only cells with a value are sorted: those without, and stored zeros, are one
 * run of equal values between the negative and the positive ones. Time is linear in the entries, however many groups
 * there are and whether they are ranked together or each with the group `reference`. Throws RangeError if the groups
 * belong to other cells, or have no such reference, and if `into` is of another test or without these genes.
 */
export function blockStatistics(
  block: GeneBlock,
  groups: CellGroups,
  method: MarkerMethod,
  reference?: number,
  into?: BlockStatistics,
): BlockStatistics {
  if (block.cellCount !== groups.codes.length) {
    throw new RangeError(
      `groups of ${groups.codes.length} cells do not fit genes of ${block.cellCount} cells`,
    );
  }
  if (reference !== undefined && groups.sizes[reference] === undefined) {
    throw new RangeError(`there is no group ${reference} among ${groups.names.length}`);
  }
  const geneCount = block.starts.length - 1;
  const slotCount = groups.names.length + 1;
  const ranked = method === 'wilcoxon';
  const shape = {
    method,
    reference: ranked ? reference : undefined,
    firstGene: block.firstGene,
    geneCount,
    slotCount,
  };
  const statistics = into
    ? partOf(into, shape)
    : statisticsIn(new ArrayBuffer(statisticsBytes(shape)), shape);
  if (ranked) addRanks(statistics, block, groups);
  else addSquares(statistics, block, groups);
  return statistics;
}

/** Size and kind of the statistics of some genes. */
export type StatisticsShape = Pick<
  BlockStatistics,
  'method' | 'reference' | 'firstGene' | 'geneCount' | 'slotCount'
>;

/** Bytes of memory that `statisticsIn` needs. */
export function statisticsBytes({ method, reference, geneCount, slotCount }: StatisticsShape): number {
  const tests = geneCount * slotCount;
  if (method === 't-test') return 20 * tests;
  return reference === undefined ? 20 * tests + 8 * geneCount : 28 * tests;
}

/**
 * Statistics of many genes in one memory, which threads can share and which can be used again: those of thousands of
 * groups are hundreds of megabytes, of which each thread would otherwise get a copy. They are what the memory has until
 * `blockStatistics` was called with them for every gene.
 */
export function statisticsIn(
  memory: ArrayBuffer | SharedArrayBuffer,
  shape: StatisticsShape,
): BlockStatistics {
  const { method, reference, geneCount, slotCount } = shape;
  const ranked = method === 'wilcoxon';
  const size = geneCount * slotCount;
  let end = 0;
  const numbers = (length: number) => {
    const part = new Float64Array(memory, end, length);
    end += part.byteLength;
    return part;
  };
  return {
    ...shape,
    sums: numbers(size),
    squares: numbers(ranked ? 0 : size),
    rankSums: numbers(ranked ? size : 0),
    tieTerms: numbers(!ranked ? 0 : reference === undefined ? geneCount : size),
    expressing: new Int32Array(memory, end, size),
  };
}

/** Whether two parts are statistics of the same test of as many groups. */
export function isSameTest(one: StatisticsShape, other: StatisticsShape): boolean {
  return (
    one.method === other.method && one.reference === other.reference && one.slotCount === other.slotCount
  );
}

/** The part of some genes, set to 0. Throws RangeError if they are of another test. */
function partOf(all: BlockStatistics, shape: StatisticsShape): BlockStatistics {
  const { firstGene, geneCount, slotCount, reference } = shape;
  const place = firstGene - all.firstGene;
  if (!isSameTest(shape, all) || place < 0 || place + geneCount > all.geneCount) {
    throw new RangeError(`the statistics of gene ${firstGene} are those of another analysis`);
  }
  const [from, to] = [place * slotCount, (place + geneCount) * slotCount];
  const sharesTies = shape.method === 'wilcoxon' && reference === undefined;
  return {
    ...shape,
    sums: all.sums.subarray(from, to).fill(0),
    expressing: all.expressing.subarray(from, to).fill(0),
    squares: all.squares.subarray(from, to).fill(0),
    rankSums: all.rankSums.subarray(from, to).fill(0),
    tieTerms: (sharesTies
      ? all.tieTerms.subarray(place, place + geneCount)
      : all.tieTerms.subarray(from, to)
    ).fill(0),
  };
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
  const { slotCount, geneCount } = statistics;
  const { starts, cells, values } = block;
  const sizes = slotSizes(groups);
  // Two slots take less time than three, of which no cell may be in the last.
  const used = sizes[slotCount - 1]! > 0 ? slotCount : slotCount - 1;
  const sorter = new RankSorter(groups.codes, used, largestGene(block), slotCount);
  const rank = statistics.reference === undefined ? rankTogether : rankAgainstReference;
  for (let gene = 0; gene < geneCount; gene++) {
    const [start, end] = [starts[gene]!, starts[gene + 1]!];
    rank(statistics, gene, {
      sorter,
      cells: cells.subarray(start, end),
      values: values.subarray(start, end),
      sizes,
      used,
      cellCount: groups.cellCount,
    });
  }
}

interface RankedGene {
  readonly sorter: RankSorter;
  readonly cells: Int32Array;
  readonly values: Float32Array;
  /** Cells of each slot. */
  readonly sizes: Float64Array;
  /** Slots that cells are in. */
  readonly used: number;
  readonly cellCount: number;
}

function rankTogether(
  { sums, expressing, rankSums, tieTerms, slotCount }: BlockStatistics,
  gene: number,
  { sorter, cells, values, sizes, used, cellCount }: RankedGene,
): void {
  const base = gene * slotCount;
  const { zeroRank, tieTerm } = sorter.rank(cells, values, cellCount);
  tieTerms[gene] = tieTerm;
  for (let slot = 0; slot < used; slot++) {
    sums[base + slot] = sorter.sums[slot]!;
    expressing[base + slot] = sorter.expressing[slot]!;
    rankSums[base + slot] = sorter.rankSums[slot]! + (sizes[slot]! - sorter.expressing[slot]!) * zeroRank;
  }
}

/** A rank sum is the number of pairs with a lower cell of the reference, and the ranks of the group by itself. */
function rankAgainstReference(
  { sums, expressing, rankSums, tieTerms, slotCount, reference }: BlockStatistics,
  gene: number,
  { sorter, cells, values, sizes, used }: RankedGene,
): void {
  const base = gene * slotCount;
  const size = sizes[reference!]!;
  const { negatives, zeros, tieTerm } = sorter.rankAgainst(cells, values, { reference: reference!, size });
  const belowZero = negatives + zeros / 2;
  for (let slot = 0; slot < used; slot++) {
    const own = sizes[slot]!;
    sums[base + slot] = sorter.sums[slot]!;
    expressing[base + slot] = sorter.expressing[slot]!;
    if (slot === reference) continue;
    const ownZeros = own - sorter.expressing[slot]!;
    const allZeros = zeros + ownZeros;
    rankSums[base + slot] = sorter.rankSums[slot]! + ownZeros * belowZero + (own * (own + 1)) / 2;
    tieTerms[base + slot] = tieTerm + sorter.ties[slot]! + (allZeros * allZeros * allZeros - allZeros);
  }
}

function slotSizes({ sizes, cellCount }: CellGroups): Float64Array {
  const all = new Float64Array(sizes.length + 1);
  all.set(sizes);
  all[sizes.length] = sizes.reduce((rest, size) => rest - size, cellCount);
  return all;
}

/** Sums of every gene in the groups of a column over all cells of a dataset, computed when it was written. */
export interface ColumnSums {
  /** Codes of the categories that have cells, ascending. */
  readonly categories: Int32Array;
  /** One value per gene and slot: a slot for each of `categories`, and a last one for cells without a category. */
  readonly sums: Float64Array;
  readonly squares: Float64Array;
  readonly expressing: Int32Array;
}

/**
 * t-test statistics of all genes, equal to those of `blockStatistics`, from the stored sums of a column. Undefined if a
 * category has cells of several groups, or only some of its cells count: the sums cover whole categories. In shared
 * memory.
 */
export function storedStatistics(
  stored: ColumnSums,
  column: Pick<CategoricalColumn, 'codes'>,
  groups: CellGroups,
): BlockStatistics | undefined {
  const { categories, sums } = stored;
  const storedSlots = categories.length + 1;
  const geneCount = sums.length / storedSlots;
  const slotCount = groups.names.length + 1;
  const slotOf = groupOfSlots(column, categories, groups);
  if (!slotOf) return undefined;
  const shape = { method: 't-test', reference: undefined, firstGene: 0, geneCount, slotCount } as const;
  const statistics = statisticsIn(new SharedArrayBuffer(statisticsBytes(shape)), shape);
  const add = <T extends Float64Array | Int32Array>(from: T, to: T) => {
    for (let gene = 0; gene < geneCount; gene++) {
      for (let slot = 0; slot < storedSlots; slot++) {
        const at = slotOf[slot]!;
        if (at < slotCount) to[gene * slotCount + at]! += from[gene * storedSlots + slot]!;
      }
    }
  };
  add(sums, statistics.sums);
  add(stored.squares, statistics.squares);
  add(stored.expressing, statistics.expressing);
  return statistics;
}

const noGroup = 0xffff;

/** Group code shared by all cells of each slot; undefined if codes differ within a slot, or categories are unknown. */
function groupOfSlots(
  { codes }: Pick<CategoricalColumn, 'codes'>,
  categories: Int32Array,
  groups: CellGroups,
): Uint16Array | undefined {
  const slotOfCode = new Map(Array.from(categories, (code, slot) => [code, slot]));
  slotOfCode.set(-1, categories.length);
  const greatest = categories[categories.length - 1] ?? -1;
  // A code may be -1.
  const slots = Int32Array.from({ length: greatest + 2 }, (_, i) => slotOfCode.get(i - 1) ?? -1);
  const groupOfSlot = new Uint16Array(categories.length + 1).fill(noGroup);
  for (let cell = 0; cell < codes.length; cell++) {
    const slot = slots[codes[cell]! + 1];
    if (slot === undefined || slot < 0) return undefined;
    const group = groups.codes[cell]!;
    if (groupOfSlot[slot] === noGroup) groupOfSlot[slot] = group;
    else if (groupOfSlot[slot] !== group) return undefined;
  }
  return groupOfSlot;
}
