import type { Neighbours } from './neighbours.ts';
import type { SimulatedCells } from './simulate-cells.ts';

/**
 * Cluster of every cell, as Leiden numbers them: 0 is the largest. Clusters follow the cell states; a cell goes
 * with most of its neighbours, so borders are as clustering of a neighbour graph would draw them. States too
 * small for a cluster of their own join the nearest of their cell type.
 */
export function simulateClusters(cells: SimulatedCells, neighbours: Neighbours): Int32Array {
  const groups = groupNames(cells);
  const names = [...new Set(groups)].sort();
  let label: Int32Array = Int32Array.from(groups, (name) => names.indexOf(name));
  for (let round = 0; round < 2; round++) label = smoothed(label, neighbours, names.length);
  mergeSmall(label, names, Math.max(24, cells.count * 0.008));
  const sizes = names.map((_, group) => label.reduce((sum, other) => sum + (other === group ? 1 : 0), 0));
  const rank = names.map((_, group) => group).sort((x, y) => sizes[y]! - sizes[x]! || x - y);
  const number = new Int32Array(names.length);
  rank.forEach((group, position) => (number[group] = position));
  return label.map((group) => number[group]!);
}

/** Cell type, then state; tumours of neighbouring patients share a cluster, at most four in all. */
function groupNames(cells: SimulatedCells): string[] {
  const tumours = cells.populations.filter(({ patient }) => patient !== undefined).length;
  const perCluster = Math.max(1, Math.ceil(tumours / 3));
  return Array.from({ length: cells.count }, (_, cell) => {
    const { lineage, patient } = cells.populations[cells.population[cell]!]!;
    const state = lineage.states[cells.state[cell]!]!.name;
    const island = patient === undefined ? '' : ` ${Math.floor(patient / perCluster)}`;
    return `${lineage.cellType}|${state}${island}`;
  });
}

function smoothed(label: Int32Array, { k, ids }: Neighbours, groups: number): Int32Array {
  const votes = new Int32Array(groups);
  return label.map((own, cell) => {
    votes.fill(0);
    votes[own] = 2;
    for (let n = 0; n < k; n++) {
      const other = ids[cell * k + n]!;
      if (other >= 0) votes[label[other]!] = votes[label[other]!]! + 1;
    }
    let best = own;
    for (let group = 0; group < groups; group++) if (votes[group]! > votes[best]!) best = group;
    return best;
  });
}

function mergeSmall(label: Int32Array, names: readonly string[], least: number): void {
  const typeOf = (group: number): string => names[group]!.split('|')[0]!;
  names.forEach((_, group) => {
    const size = label.reduce((sum, other) => sum + (other === group ? 1 : 0), 0);
    const sibling = names.findIndex(
      (_, other) => other !== group && typeOf(other) === typeOf(group) && label.includes(other),
    );
    if (size === 0 || size >= least || sibling < 0) return;
    for (let cell = 0; cell < label.length; cell++) if (label[cell] === group) label[cell] = sibling;
  });
}
