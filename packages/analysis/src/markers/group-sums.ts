import { type BlockStatistics, isSameTest } from './block-statistics.ts';
import type { CellGroups } from './cell-groups.ts';

export interface GeneStatistics {
  geneCount: number;
  blocks: readonly BlockStatistics[];
}

export interface GroupSums {
  inside: Float64Array;
  outside: Float64Array;
}

type SummedPart = 'sums' | 'squares' | 'expressing';
type Part = SummedPart | 'rankSums' | 'tieTerms';

/**
 * Sorts blocks by gene. Throws RangeError if they do not contain every gene from the first on exactly once, or belong
 * to other groups or to different tests.
 */
export function joinBlocks(blocks: readonly BlockStatistics[], groups: CellGroups): GeneStatistics {
  const ordered = blocks.filter(({ geneCount }) => geneCount > 0).sort((a, b) => a.firstGene - b.firstGene);
  let geneCount = 0;
  for (const block of ordered) {
    if (block.firstGene !== geneCount)
      throw new RangeError(`the statistics of gene ${geneCount} are not there once`);
    if (block.slotCount !== groups.names.length + 1 || !isSameTest(block, ordered[0]!)) {
      throw new RangeError(`the statistics of gene ${block.firstGene} are those of another analysis`);
    }
    geneCount += block.geneCount;
  }
  return { geneCount, blocks: ordered };
}

/** Groups read at once: two cache lines of the sums of a gene. */
export const tileGroups = 16;

/** Tests of one task of a compute thread: about half a second of work, beside some 30 ms for the totals of all groups. */
const testsPerTask = 1 << 20;

/** Ranges [from, to) of groups for tasks, of whole tiles. */
export function groupRanges(
  groupCount: number,
  geneCount: number,
): { readonly from: number; readonly to: number }[] {
  const each = tileGroups * Math.ceil(testsPerTask / Math.max(1, geneCount) / tileGroups);
  return Array.from({ length: Math.ceil(groupCount / each) }, (_, at) => ({
    from: at * each,
    to: Math.min(groupCount, (at + 1) * each),
  }));
}

interface Tile {
  readonly first: number;
  /** Groups × genes. */
  readonly values: Float64Array;
}

/**
 * Columns of groups. Statistics are stored by gene, so that the values of one group are far apart in memory: they are
 * read for a few consecutive groups at once, which makes asking for groups in order fast.
 */
export class GroupColumns {
  readonly #genes: GeneStatistics;
  readonly #reference: number | undefined;
  readonly #tiles = new Map<Part, Tile>();
  readonly #totals = new Map<SummedPart, Float64Array>();
  readonly #ofReference = new Map<SummedPart, Float64Array>();

  /** @param reference group that others are compared with; all cells outside a group if absent */
  constructor(genes: GeneStatistics, reference?: number) {
    this.#genes = genes;
    this.#reference = reference;
  }

  /** One value per gene; valid until another group is asked for. */
  column(part: Part, group: number): Float64Array {
    const { geneCount } = this.#genes;
    const first = group - (group % tileGroups);
    let tile = this.#tiles.get(part);
    if (tile?.first !== first) {
      tile = { first, values: columnsOf(this.#genes, part, { first, width: tileGroups }, tile?.values) };
      this.#tiles.set(part, tile);
    }
    return tile.values.subarray((group - first) * geneCount, (group - first + 1) * geneCount);
  }

  /** Sums of one group and of the cells that it is compared with; valid until another group is asked for. */
  sides(part: SummedPart, group: number): GroupSums {
    const inside = this.column(part, group);
    if (this.#reference === undefined) return groupSums(this.#genes, part, this.totals(part), group, inside);
    const outside = this.#ofReference.get(part) ?? this.column(part, this.#reference).slice();
    this.#ofReference.set(part, outside);
    return { inside: this.column(part, group), outside };
  }

  /** Sums of all counted cells. */
  totals(part: SummedPart): Float64Array {
    let totals = this.#totals.get(part);
    if (!totals) this.#totals.set(part, (totals = geneTotals(this.#genes, part)));
    return totals;
  }
}

/** Values of `width` consecutive groups: groups × genes. */
function columnsOf(
  { geneCount, blocks }: GeneStatistics,
  part: Part,
  { first, width }: { readonly first: number; readonly width: number },
  columns: Float64Array = new Float64Array(width * geneCount),
): Float64Array {
  for (const { firstGene, slotCount, geneCount: count, [part]: values } of blocks) {
    const end = Math.min(width, slotCount - first);
    for (let i = 0; i < count; i++) {
      const from = i * slotCount + first;
      for (let place = 0, to = firstGene + i; place < end; place++, to += geneCount)
        columns[to] = values[from + place]!;
    }
  }
  return columns;
}

/**
 * Sums of one group and of all other cells. The latter are the total minus the group, unless that loses precision: if
 * the group has nearly all of the total, the other slots are added up.
 */
export function groupSums(
  genes: GeneStatistics,
  part: SummedPart,
  totals: Float64Array,
  group: number,
  inside = columnsOf(genes, part, { first: group, width: 1 }),
): GroupSums {
  const outside = new Float64Array(inside.length);
  for (const { firstGene, slotCount, geneCount, [part]: values } of genes.blocks) {
    for (let i = 0; i < geneCount; i++) {
      const gene = firstGene + i;
      const own = inside[gene]!;
      const total = totals[gene]!;
      let rest = total - own;
      // Also where the group has an infinite value: the difference is then NaN.
      if (!(Math.abs(rest) * 64 >= Math.abs(total) + Math.abs(own)) && !isOfOthers(total, own)) {
        rest = sumOfOthers(values, i * slotCount, slotCount, group);
      }
      outside[gene] = rest;
    }
  }
  return { inside, outside };
}

/** Whether the total is NaN because of other groups: nothing need be added up then, which for each group takes long. */
function isOfOthers(total: number, own: number): boolean {
  return Number.isNaN(total) && Number.isFinite(own);
}

export function geneTotals({ geneCount, blocks }: GeneStatistics, part: SummedPart): Float64Array {
  const totals = new Float64Array(geneCount);
  for (const block of blocks) {
    const { firstGene, slotCount } = block;
    const values = block[part];
    for (let i = 0; i < block.geneCount; i++) {
      totals[firstGene + i] = sumOfOthers(values, i * slotCount, slotCount, -1);
    }
  }
  return totals;
}

function sumOfOthers(values: Float64Array | Int32Array, base: number, count: number, except: number): number {
  let sum = 0;
  for (let slot = 0; slot < count; slot++) if (slot !== except) sum += values[base + slot]!;
  return sum;
}

interface GroupMeans {
  rows: Int32Array;
  groupCount: number;
  /** Mean over all cells of the group, including those without expression. */
  means: Float64Array;
  /** Share (0 to 1) of the group's cells with a non-zero value. */
  fractions: Float64Array;
}

/**
 * Means and shares of chosen genes in every group of `CellGroups`, including groups of one cell. Throws RangeError for
 * a gene that is not in the blocks.
 */
export function groupMeans(
  blocks: readonly BlockStatistics[],
  groups: CellGroups,
  rows: Int32Array,
): GroupMeans {
  const { blocks: ordered } = joinBlocks(blocks, groups);
  const groupCount = groups.names.length;
  const means = new Float64Array(rows.length * groupCount);
  const fractions = new Float64Array(rows.length * groupCount);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    const block = ordered.find(({ firstGene, geneCount }) => row >= firstGene && row < firstGene + geneCount);
    if (!block) throw new RangeError(`there are no statistics of gene ${row}`);
    const base = (row - block.firstGene) * block.slotCount;
    for (let group = 0; group < groupCount; group++) {
      const size = groups.sizes[group]!;
      means[i * groupCount + group] = block.sums[base + group]! / size;
      fractions[i * groupCount + group] = block.expressing[base + group]! / size;
    }
  }
  return { rows, groupCount, means, fractions };
}
