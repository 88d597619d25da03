import { embeddingTitle } from '@cellfolio/model/names';
import { groupTree } from './group-tree.ts';
import type { GeneMatrixInput, GeneMatrixSpec } from './spec.ts';

interface TreeRows {
  readonly groups: readonly number[];
  readonly dendrogram?: NonNullable<GeneMatrixSpec['dendrogram']>;
  /** Note on the order for the summary; or the reason for keeping the order of the column. */
  readonly note: string;
}

export function treeRows(
  groups: readonly number[],
  labels: readonly string[],
  likeness: GeneMatrixInput['likeness'],
): TreeRows {
  if (likeness === undefined || groups.length === 0) return { groups, note: '' };
  if (groups.length === 1) return { groups, note: 'no dendrogram of one group' };
  const tree = groupTree(groups, likeness);
  const { embedding, dimensions } = likeness;
  const title = embedding === undefined ? undefined : embeddingTitle(embedding);
  if ('undefinedAt' in tree) {
    const what = title ?? (dimensions === 1 ? 'the one gene' : `these ${dimensions} genes`);
    return {
      groups,
      note: `in the order of the column, as the means of ${labels[groups[tree.undefinedAt]!]!} in ${what} do not vary and have no correlation`,
    };
  }
  return {
    groups: tree.order.map((place) => groups[place]!),
    dendrogram: { ...(embedding !== undefined && { embedding }), dimensions, merges: tree.merges },
    note: `rows by a dendrogram of ${title ?? 'these genes'}`,
  };
}
