import type { DoubletGroup } from '@cellfolio/model';
import { takenRows } from '../components/taken-rows.ts';
import type { Counts } from '../load-counts.ts';
import type { Samples } from '../process-input.ts';
import { membersOf } from '../quality/plan-quality.ts';
import { minimumThreshold } from './minimum-threshold.ts';
import { minCells, scrublet } from './scrublet.ts';

/** Which cells look like two. */
export interface DoubletReport {
  /** Per cell; NaN where none was found. */
  readonly scores: Float64Array;
  /** Per cell 1 where it was called a doublet. */
  readonly called: Uint8Array;
  readonly groups: readonly DoubletGroup[];
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
    const found = await scrublet(takenRows(counts, cells), { threads });
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
