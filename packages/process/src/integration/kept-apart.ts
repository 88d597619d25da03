import type { KeptGroup } from '@cellfolio/model';
import type { Samples } from '../process-input.ts';

/** Nearest neighbours: `k` indices per cell, cell after cell. */
export interface Nearest {
  indices: Int32Array;
  k: number;
}

/** With fewer cells the share is chance. */
const minGroupCells = 20;
/** A group that loses more of its neighbourhood than this was merged with different cells. */
const mergedLoss = 0.2;

/**
 * Whether integration keeps cells of different groups apart: for each group of 20 cells or more the mean share of its
 * own cells among their nearest neighbours, before and after. Cells without a group, and with `within` those of other
 * samples, do not count as neighbours. Clusters from before integration are judged within samples: between samples they
 * are meant to join.
 */
export function keptApart(
  { before, after }: { before: Nearest; after: Nearest },
  groups: Samples,
  within?: ArrayLike<number>,
): KeptGroup[] {
  const [sharesBefore, sharesAfter] = [ownShares(before, groups, within), ownShares(after, groups, within)];
  return groups.names.flatMap((name, group) => {
    const [one, other] = [sharesBefore[group]!, sharesAfter[group]!];
    if (Math.min(one.cells, other.cells) < minGroupCells) return [];
    return [{ name, cells: one.cells, before: one.sum / one.cells, after: other.sum / other.cells }];
  });
}

export function mergedGroups(groups: readonly KeptGroup[]): KeptGroup[] {
  return groups
    .filter(({ before, after }) => before - after > mergedLoss)
    .toSorted((a, b) => b.before - b.after - (a.before - a.after));
}

function ownShares(
  { indices, k }: Nearest,
  { codes, names }: Samples,
  within: ArrayLike<number> | undefined,
): { cells: number; sum: number }[] {
  const shares = names.map(() => ({ cells: 0, sum: 0 }));
  for (let cell = 0; cell < codes.length; cell++) {
    const group = codes[cell]!;
    if (group < 0) continue;
    let counted = 0;
    let own = 0;
    for (let at = cell * k; at < (cell + 1) * k; at++) {
      const other = indices[at]!;
      if (codes[other]! < 0 || (within !== undefined && within[other] !== within[cell])) continue;
      counted++;
      if (codes[other] === group) own++;
    }
    if (counted === 0) continue;
    shares[group]!.cells++;
    shares[group]!.sum += own / counted;
  }
  return shares;
}
