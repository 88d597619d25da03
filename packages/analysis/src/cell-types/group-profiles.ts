import type { BlockStatistics } from '../markers/block-statistics.ts';
import type { CellGroups } from '../markers/cell-groups.ts';
import { joinBlocks } from '../markers/group-sums.ts';

/** Mean expression of groups of cells, over the genes expressed in any of their cells. */
export interface GroupProfiles {
  /** Rows in var, ascending. */
  readonly rows: Int32Array;
  /** Groups × genes, group-major: means over all cells of the group, including those without expression. */
  readonly means: Float64Array;
  /** Share of the group's cells with a non-zero value. */
  readonly shares: Float64Array;
  /** Means minus the mean of the groups' means. */
  readonly centred: Float64Array;
}

/** `groupPlaces`: indices of groups within those of the statistics. */
export function groupProfiles(
  blocks: readonly BlockStatistics[],
  groups: CellGroups,
  groupPlaces: readonly number[],
): GroupProfiles {
  const { blocks: ordered } = joinBlocks(blocks, groups);
  const expressedGenes: number[] = [];
  for (const { firstGene, geneCount, slotCount, expressing } of ordered) {
    for (let gene = 0; gene < geneCount; gene++) {
      if (groupPlaces.some((group) => expressing[gene * slotCount + group]! > 0))
        expressedGenes.push(firstGene + gene);
    }
  }
  const rows = Int32Array.from(expressedGenes);
  const genes = rows.length;
  const [means, shares] = [
    new Float64Array(groupPlaces.length * genes),
    new Float64Array(groupPlaces.length * genes),
  ];
  let place = 0;
  for (const { firstGene, geneCount, slotCount, sums, expressing } of ordered) {
    for (; place < genes && rows[place]! < firstGene + geneCount; place++) {
      const base = (rows[place]! - firstGene) * slotCount;
      groupPlaces.forEach((group, at) => {
        const size = groups.sizes[group]!;
        const sum = sums[base + group]!;
        means[at * genes + place] = Number.isFinite(sum) ? sum / size : 0;
        shares[at * genes + place] = expressing[base + group]! / size;
      });
    }
  }
  return { rows, means, shares, centred: centredOver(means, groupPlaces.length) };
}

/** Groups × genes, each gene centred on its mean over the groups; all groups have equal weight. */
export function centredOver(values: Float64Array, groupCount: number): Float64Array {
  const genes = values.length / groupCount;
  const middle = new Float64Array(genes);
  for (let at = 0; at < values.length; at++) middle[at % genes]! += values[at]! / groupCount;
  return values.map((value, at) => value - middle[at % genes]!);
}
