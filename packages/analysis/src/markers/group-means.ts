import type { BlockStatistics } from './block-statistics.ts';
import type { CellGroups } from './cell-groups.ts';
import { joinBlocks } from './group-sums.ts';

/** What a dot plot shows: a value for each gene and group, the groups of a gene side by side. */
export interface GroupMeans {
  /** Row in var of each gene. */
  readonly rows: Int32Array;
  readonly groupCount: number;
  /** Mean value over all cells of the group, those without expression too. */
  readonly means: Float64Array;
  /** Share, from 0 to 1, of the cells of the group whose value is not zero. */
  readonly fractions: Float64Array;
}

/**
 * Means and shares of chosen genes in every group of `CellGroups`, also those of one cell. Throws RangeError for a
 * gene that the blocks do not have.
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
