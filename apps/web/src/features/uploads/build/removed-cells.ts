import type { QualityChoice, QualityPlan, RemovedCells } from '@cellfolio/contract';
import { effectiveChoice, isOfSameCells, isPlanOf, liveThresholds } from './live-thresholds.ts';
import type { Measure, QualityGroup } from './live-thresholds.ts';

export interface Removal {
  /** If not exact, `several` is unknown and 0. */
  removed: RemovedCells;
  exact: boolean;
}

export interface Removals {
  all?: Removal;
  /** In the order of the plan's groups. */
  groups: readonly (Removal | undefined)[];
}

const measures = ['counts', 'genes', 'mitochondrial'] as const;

/**
 * Cells removed with these settings, derived from a plan with other thresholds: its histogram bins and its numbers of
 * cells that broke each rule. Exact if no bin is cut and the rules determine the result.
 */
export function removalsOf(plan: QualityPlan, choice: QualityChoice): Removals {
  if (!isOfSameCells(plan, choice)) return { groups: plan.groups.map(() => undefined) };
  if (isPlanOf(plan, choice)) {
    const exact = ({ removed }: { removed: RemovedCells }) => ({ removed, exact: true });
    return { all: exact(plan), groups: plan.groups.map(exact) };
  }
  const effective = effectiveChoice(plan, choice);
  const groups = plan.groups.map((group) => removalOf(plan, group, liveThresholds(group, effective)));
  const computed = groups.filter((one) => one !== undefined);
  if (computed.length < groups.length) return { groups };
  const exact = computed.every((one) => one.exact);
  const removed = computed.reduce((sum, one) => added(sum, one.removed), none);
  return { groups, all: { exact, removed: exact ? removed : { ...removed, several: 0 } } };
}

export function removesAll(plan: QualityPlan, choice: QualityChoice): boolean {
  return removalsOf(plan, choice).all?.removed.all === plan.cells;
}

const none: RemovedCells = { all: 0, noCounts: 0, counts: 0, genes: 0, mitochondrial: 0, several: 0 };

function added(a: RemovedCells, b: RemovedCells): RemovedCells {
  return {
    all: a.all + b.all,
    noCounts: a.noCounts + b.noCounts,
    counts: a.counts + b.counts,
    genes: a.genes + b.genes,
    mitochondrial: a.mitochondrial + b.mitochondrial,
    several: a.several + b.several,
  };
}

function removalOf(
  { edges }: Pick<QualityPlan, 'edges'>,
  { cells, removed: before, thresholds, bins }: QualityGroup,
  live: QualityGroup['thresholds'],
): Removal | undefined {
  const moved = measures.filter((measure) => limitOf(thresholds, measure) !== limitOf(live, measure));
  if (moved.length === 0) return { removed: before, exact: true };
  if (bins === undefined) return undefined;
  const now = { ...before, several: 0 };
  let exact = true;
  for (const measure of moved) {
    const beyond = cellsBeyond(edges[measure], bins[measure], limitOf(live, measure), measure);
    now[measure] = beyond.cells;
    exact &&= beyond.exact;
  }
  // How many break any rule lies between these, whichever cells break several; that of the plan is known.
  const filled = cells - before.noCounts;
  const broken = before.all - before.noCounts;
  const counted = measures.map((measure) => now[measure]);
  const changes = moved.map((measure) => now[measure] - before[measure]);
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  const lowerBound = Math.max(...counted, broken + sum(changes.filter((change) => change < 0)));
  const upperBound = Math.min(filled, sum(counted), broken + sum(changes.filter((change) => change > 0)));
  // Cells of few counts have few genes; how many mitochondrial counts they have is another matter.
  const small = Math.max(now.counts, now.genes);
  const likely = Math.floor(small + now.mitochondrial * (1 - small / Math.max(1, filled)));
  now.all = before.noCounts + Math.min(upperBound, Math.max(lowerBound, likely));
  return { removed: now, exact: exact && lowerBound === upperBound };
}

function limitOf(
  { minimumCounts, minimumGenes, maximumMitochondrial = 1 }: QualityGroup['thresholds'],
  measure: Measure,
): number {
  return { counts: minimumCounts, genes: minimumGenes, mitochondrial: maximumMitochondrial }[measure];
}

/** Cells beyond a threshold; the bin that it cuts counts in proportion, as if its values were evenly spread. */
function cellsBeyond(
  edges: readonly number[],
  bins: readonly number[],
  threshold: number,
  measure: Measure,
): { cells: number; exact: boolean } {
  let cells = 0;
  let exact = true;
  for (const [bin, inBin] of bins.entries()) {
    if (inBin === 0) continue;
    const [from, to] = [edges[bin]!, edges[bin + 1]!];
    const share = within(
      measure === 'mitochondrial'
        ? (to - threshold) / (to - from)
        : sharesBelow({ from, to, isFirst: bin === 0, isLast: bin === bins.length - 1 }, threshold),
    );
    cells += inBin * share;
    // A cell at the edge itself is within the limit.
    exact &&= share === 0 || (share === 1 && (measure !== 'mitochondrial' || from > threshold));
  }
  return { cells: Math.floor(cells), exact };
}

interface Bin {
  from: number;
  to: number;
  isFirst: boolean;
  isLast: boolean;
}

/**
 * Share of the whole numbers in a bin that are below a threshold; bins are closed on the left, the last also on the
 * right.
 */
function sharesBelow({ from, to, isFirst, isLast }: Bin, threshold: number): number {
  // The outer edges are the least and the greatest value, but for rounding.
  const first = isFirst ? Math.round(from) : Math.ceil(from);
  const end = isLast ? Math.round(to) + 1 : Math.ceil(to);
  return (Math.ceil(threshold) - first) / Math.max(1, end - first);
}

function within(share: number): number {
  return Math.min(1, Math.max(0, share));
}
