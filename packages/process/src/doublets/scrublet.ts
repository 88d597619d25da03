import type { NeighbourRecall } from '@cellfolio/model';
import type { EntryRows } from '../components/entry-rows.ts';
import { nearestCells, type NearestCells } from '../nearest-cells.ts';
import { seededRandom, seeds } from '../random.ts';
import { doubletScores, neighboursFor } from './doublet-scores.ts';
import { doubletSpace, variableCells } from './doublet-space.ts';

/** With fewer cells or variable genes there are no components to detect doublets by. */
export const minCells = 50;
const minVariableGenes = 10;
const ratio = 2;

export interface SampleScores {
  readonly scores: Float64Array;
  readonly simulatedScores: Float64Array;
  /** Present for an approximate neighbour search. */
  readonly recall?: NeighbourRecall;
}

/**
 * Doublet scores of one sample's cells, and of simulated doublets: Scrublet (Wolock et al. 2019,
 * doi:10.1016/j.cels.2018.11.005). Undefined if too few genes vary. `parents`: two indices per simulated doublet;
 * default drawn at random.
 */
export async function scrublet(
  sample: EntryRows,
  { threads, parents }: { readonly threads: number; readonly parents?: Int32Array },
): Promise<SampleScores | undefined> {
  const { cells, rows } = variableCells(sample);
  if (rows.geneCount < minVariableGenes || cells.length < minCells) return undefined;
  const space = await doubletSpace(rows, parents ?? drawnParents(cells.length), threads);
  const neighbours = neighboursFor(cells.length, ratio);
  const nearest = await nearestCells(space, neighbours - 1, threads);
  const all = doubletScores(simulatedAmong(nearest, cells.length), { neighbours, ratio });
  const scores = new Float64Array(sample.cellCount).fill(NaN);
  cells.forEach((cell, at) => (scores[cell] = all[at]!));
  return {
    scores,
    simulatedScores: all.slice(cells.length),
    ...(nearest.recall && { recall: nearest.recall }),
  };
}

/** Two different cells per doublet: the same for the same number of cells. */
function drawnParents(cells: number): Int32Array {
  const random = seededRandom(seeds.doublets);
  const parents = new Int32Array(2 * ratio * cells);
  for (let at = 0; at < parents.length; at += 2) {
    const one = Math.floor(random() * cells);
    const other = Math.floor(random() * (cells - 1));
    parents[at] = one;
    parents[at + 1] = other < one ? other : other + 1;
  }
  return parents;
}

/** Number of simulated doublets among the nearest of each cell and doublet; none counts itself, as in scanpy. */
function simulatedAmong({ cellCount: points, k, indices }: NearestCells, cells: number): Int32Array {
  return Int32Array.from({ length: points }, (_, point) => {
    let simulated = 0;
    for (let at = point * k; at < (point + 1) * k; at++) if (indices[at]! >= cells) simulated++;
    return simulated;
  });
}
