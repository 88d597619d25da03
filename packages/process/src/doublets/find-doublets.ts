import type { DoubletGroup, NeighbourRecall } from '@cellfolio/model';
import type { EntryRows } from '../components/entry-rows.ts';
import { takenRows } from '../components/taken-rows.ts';
import type { Counts } from '../load-counts.ts';
import { seededRandom } from '../random.ts';
import { nearestCells, type NearestCells } from '../nearest-cells.ts';
import type { Samples } from '../process-input.ts';
import { membersOf } from '../quality/plan-quality.ts';
import { doubletScores, neighboursFor } from './doublet-scores.ts';
import { doubletSpace, variableCells } from './doublet-space.ts';
import { minimumThreshold } from './minimum-threshold.ts';

/** Simulated doublets for each cell. */
const ratio = 2;
/** In fewer cells and variable genes there are no components to tell doublets by. */
const minCells = 50;
const minVariableGenes = 10;

/** Which cells look like two. */
export interface DoubletReport {
  /** Per cell; NaN where none was found. */
  readonly scores: Float64Array;
  /** Per cell 1 where it was called a doublet. */
  readonly called: Uint8Array;
  readonly groups: readonly DoubletGroup[];
}

/** Scores of one sample. */
interface SampleScores {
  readonly scores: Float64Array;
  readonly simulatedScores: Float64Array;
  /** Of an approximate search of neighbours. */
  readonly recall?: NeighbourRecall;
}

/**
 * Doublets within each sample by Scrublet (Wolock et al. 2019, doi:10.1016/j.cels.2018.11.005) with the defaults of
 * scanpy's `pp.scrublet`: two cells of different samples were never in one droplet.
 *
 * `keep`: per cell 1 where it is looked at. `samples`: of all cells; they are one by default.
 */
export async function findDoublets(
  counts: Counts,
  { keep, samples }: { readonly keep: Uint8Array; readonly samples?: Samples | undefined },
  threads: number,
): Promise<DoubletReport> {
  const { cellCount } = counts;
  const scores = new Float64Array(cellCount).fill(NaN);
  const called = new Uint8Array(cellCount);
  const groups: DoubletGroup[] = [];
  for (const { sample, cells: all } of membersOf(cellCount, samples)) {
    const cells = all.filter((cell) => keep[cell] === 1);
    if (cells.length === 0) continue;
    const named = { ...(sample !== undefined && { sample }), cells: cells.length };
    if (cells.length < minCells) {
      groups.push({ ...named, called: 0, skipped: 'few-cells' });
      continue;
    }
    const found = await scoresOf(takenRows(counts, cells), { threads });
    if (found === undefined) {
      groups.push({ ...named, called: 0, skipped: 'few-variable-genes' });
      continue;
    }
    const threshold = minimumThreshold(found.simulatedScores);
    for (const [at, cell] of cells.entries()) {
      scores[cell] = found.scores[at]!;
      if (threshold !== undefined && found.scores[at]! > threshold) called[cell] = 1;
    }
    groups.push({
      ...named,
      called: cells.reduce((sum, cell) => sum + called[cell]!, 0),
      ...(threshold !== undefined && {
        threshold,
        detectable: shareAbove(found.simulatedScores, threshold),
      }),
      ...(found.recall && { neighbourRecall: found.recall }),
    });
  }
  return { scores, called, groups };
}

function shareAbove(values: Float64Array, threshold: number): number {
  return values.reduce((sum, value) => sum + Number(value > threshold), 0) / values.length;
}

/** Undefined where too few genes vary. `parents`, two positions for each doublet, are drawn unless they are given. */
export async function scoresOf(
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

/** Two different cells for each doublet: the same for as many cells. */
function drawnParents(cells: number): Int32Array {
  const random = seededRandom(0);
  const parents = new Int32Array(2 * ratio * cells);
  for (let at = 0; at < parents.length; at += 2) {
    const one = Math.floor(random() * cells);
    const other = Math.floor(random() * (cells - 1));
    parents[at] = one;
    parents[at + 1] = other < one ? other : other + 1;
  }
  return parents;
}

/** Of the nearest of each cell and doublet how many are simulated; none counts itself, as scanpy counts. */
function simulatedAmong({ cellCount: points, k, indices }: NearestCells, cells: number): Int32Array {
  return Int32Array.from({ length: points }, (_, point) => {
    let simulated = 0;
    for (let at = point * k; at < (point + 1) * k; at++) if (indices[at]! >= cells) simulated++;
    return simulated;
  });
}
