import type { BlockStatistics } from './block-statistics.ts';
import type { CellGroups } from './cell-groups.ts';

export interface GeneStatistics {
  geneCount: number;
  blocks: readonly BlockStatistics[];
}

export interface GroupSums {
  inside: Float64Array;
  outside: Float64Array;
}

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
    if (block.slotCount !== groups.names.length + 1 || block.method !== ordered[0]!.method) {
      throw new RangeError(`the statistics of gene ${block.firstGene} are those of another analysis`);
    }
    geneCount += block.geneCount;
  }
  return { geneCount, blocks: ordered };
}

/**
 * Sums of one group and of all other cells. The latter are the total minus the group, unless that loses precision: if
 * the group has nearly all of the total, the other slots are added up.
 */
export function groupSums(
  { geneCount, blocks }: GeneStatistics,
  part: 'sums' | 'squares' | 'expressing',
  totals: Float64Array,
  group: number,
): GroupSums {
  const inside = new Float64Array(geneCount);
  const outside = new Float64Array(geneCount);
  for (const block of blocks) {
    const { firstGene, slotCount } = block;
    const values = block[part];
    for (let i = 0; i < block.geneCount; i++) {
      const gene = firstGene + i;
      const own = values[i * slotCount + group]!;
      const total = totals[gene]!;
      let rest = total - own;
      // Also where the group has an infinite value: the difference is then NaN.
      if (!(Math.abs(rest) * 64 >= Math.abs(total) + Math.abs(own))) {
        rest = sumOfOthers(values, i * slotCount, slotCount, group);
      }
      inside[gene] = own;
      outside[gene] = rest;
    }
  }
  return { inside, outside };
}

export function geneTotals(
  { geneCount, blocks }: GeneStatistics,
  part: 'sums' | 'squares' | 'expressing',
): Float64Array {
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
