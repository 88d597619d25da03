import type { ExpressionScale } from '@cellfolio/model';
import type { LogScale } from './log1p-record.ts';
import type { NormalisedScale, ScaleTest } from './scale-tests.ts';

/** What the values of a matrix say of their scale. */
export interface ScaleEvidence {
  readonly tests: readonly ScaleTest[];
  /** What `uns/log1p` says, where it is about this matrix. */
  readonly record?: LogScale | 'other' | undefined;
  /** Absent where it cannot be told. */
  readonly judged?: { readonly scale: NormalisedScale; readonly basis: ExpressionScale['basis'] };
}

/** Of counts nearly all values are whole multiples; of anything else hardly any. */
const MOST_MULTIPLES = 0.9;
/** Totals that differ less than this are one total, and other scales must spread them this many times as far. */
const ONE_TOTAL = 0.05;
const FEW_CELLS_ONE_TOTAL = 0.001;
const TIMES_FARTHER = 4;
const MANY_CELLS = 20;
/** What the rounding of float32 makes of equal totals. */
const ROUNDING = 1e-6;

/**
 * Which scale the tests speak for: raw counts of the same cells, then whole multiples within cells, then equal totals
 * of the cells, then the record of `pp.log1p`, unless it contradicts the others. Pure.
 */
export function judgeScale(
  tests: readonly ScaleTest[],
  { cells, allGenes, record }: { cells: number; allGenes: boolean; record?: LogScale | 'other' | undefined },
): ScaleEvidence {
  const about = { tests, ...(record !== undefined && { record }) };
  const judged = (scale: NormalisedScale, basis: ExpressionScale['basis']): ScaleEvidence => ({
    ...about,
    judged: { scale, basis },
  });
  const byCounts = tests.filter(({ counts }) => counts >= MOST_MULTIPLES);
  if (byCounts.length === 1) return judged(byCounts[0]!.scale, 'counts');
  const byMultiples = tests.filter(({ multiples }) => multiples >= MOST_MULTIPLES);
  if (byMultiples.length === 1) return judged(byMultiples[0]!.scale, 'whole-multiples');
  // Values that are much smaller than 1 are whole multiples on every scale.
  const open = byMultiples.length > 1 ? byMultiples : tests;
  const byTotals = allGenes ? equalTotals(open, cells) : undefined;
  if (byTotals !== undefined) return judged(byTotals, 'totals');
  const recorded = open.find(({ scale }) => scale === record);
  if (recorded !== undefined) return judged(recorded.scale, 'record');
  return about;
}

function equalTotals(tests: readonly ScaleTest[], cells: number): NormalisedScale | undefined {
  const known = tests.filter(({ spread }) => Number.isFinite(spread));
  const [best, next] = known.toSorted((a, b) => a.spread - b.spread);
  if (best === undefined || best.spread > (cells < MANY_CELLS ? FEW_CELLS_ONE_TOTAL : ONE_TOTAL))
    return undefined;
  if (next === undefined) return known.length === tests.length ? best.scale : undefined;
  return next.spread > TIMES_FARTHER * Math.max(best.spread, ROUNDING) ? best.scale : undefined;
}
