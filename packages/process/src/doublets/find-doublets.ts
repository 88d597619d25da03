import type { DoubletGroup } from '@cellfolio/model';
import { takenRows } from '../components/taken-rows.ts';
import type { Counts } from '../load-counts.ts';
import type { Samples } from '../process-input.ts';
import { membersOf } from '../quality/plan-quality.ts';
import { minimumThreshold } from './minimum-threshold.ts';
import { minCells, type SampleScores, scrublet } from './scrublet.ts';

/** Bins of a score histogram, with steps of about a hundredth: enough to count scores above any threshold. */
const binCount = 200;

export interface DoubletReport {
  /** Per cell; NaN if not computed. */
  readonly scores: Float64Array;
  readonly called: Uint8Array;
  readonly groups: readonly DoubletGroup[];
}

/**
 * Doublets within each sample by Scrublet (Wolock et al. 2019, doi:10.1016/j.cels.2018.11.005) with the defaults of
 * scanpy's `pp.scrublet`: two cells of different samples were never in one droplet. `keep`: per cell, 1 to include it.
 * `samples`: of all cells; default a single one. `threshold`: for the scores of every sample, from 0 to 1; default
 * detected in each sample.
 */
export async function findDoublets(
  counts: Counts,
  {
    keep,
    samples,
    threshold: chosen,
  }: {
    keep: Uint8Array;
    samples?: Samples | undefined;
    threshold?: number | undefined;
  },
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
    const result = await scrublet(takenRows(counts, cells), { threads });
    if (result === undefined) {
      groups.push({ ...named, called: 0, skipped: 'few-variable-genes' });
      continue;
    }
    const threshold = chosen ?? minimumThreshold(result.simulatedScores);
    const calls = threshold === undefined ? undefined : callDoublets(result, threshold);
    for (const [at, cell] of cells.entries()) {
      scores[cell] = result.scores[at]!;
      called[cell] = calls?.called[at] ?? 0;
    }
    groups.push({
      ...named,
      called: calls?.called.reduce((sum, is) => sum + is, 0) ?? 0,
      ...(threshold !== undefined && calls && { threshold, detectable: calls.detectable }),
      histogram: {
        observed: scoreHistogram(result.scores),
        simulated: scoreHistogram(result.simulatedScores),
      },
      ...(result.recall && { neighbourRecall: result.recall }),
    });
  }
  return { scores, called, groups };
}

/**
 * As scanpy's `pp.scrublet(threshold=…)`: per cell 1 if its score is above, and the share of the simulated doublets
 * above.
 */
export function callDoublets(
  { scores, simulatedScores }: Pick<SampleScores, 'scores' | 'simulatedScores'>,
  threshold: number,
): { called: Uint8Array; detectable: number } {
  const above = (values: Float64Array) => Uint8Array.from(values, (score) => Number(score > threshold));
  const detected = above(simulatedScores).reduce((sum, is) => sum + is, 0);
  return { called: above(scores), detectable: detected / simulatedScores.length };
}

/** Number of scores in each of 200 bins of equal width from 0 to 1; NaN is in none. */
function scoreHistogram(scores: Float64Array): number[] {
  const bins = new Array<number>(binCount).fill(0);
  for (const score of scores)
    if (!Number.isNaN(score)) bins[Math.min(binCount - 1, Math.floor(score * binCount))]! += 1;
  return bins;
}
