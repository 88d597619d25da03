import type { CellMeasures } from './cell-measures.ts';
import type { QualityPlan } from './plan-quality.ts';

type Measure = 'counts' | 'genes' | 'mitochondrial';

/** Distribution of the cells of each group, in the same bins for all groups, so that they can be compared. */
interface QualityHistograms {
  /** Bin edges, one more than bins: evenly spaced by logarithm for counts and genes, linearly for shares. */
  edges: { readonly [measure in Measure]: readonly number[] };
  /** For each group of the plan the number of cells in each bin; cells without counts are in none. */
  groups: readonly { readonly [measure in Measure]: readonly number[] }[];
}

const binCount = 40;
/** Minimum end of the axis of shares, so that a few percent do not look like many. */
const minShare = 0.2;

export function qualityHistograms(
  measures: CellMeasures,
  { groups, groupOf }: Pick<QualityPlan, 'groups' | 'groupOf'>,
): QualityHistograms {
  const filled = Array.from(measures.counts.keys()).filter((cell) => measures.counts[cell]! > 0);
  const range = (values: ArrayLike<number>) => {
    let min = Infinity;
    let max = -Infinity;
    for (const cell of filled) {
      min = Math.min(min, values[cell]!);
      max = Math.max(max, values[cell]!);
    }
    return { min, max };
  };
  const logs = (values: ArrayLike<number>) => {
    const { min, max } = range(values);
    if (filled.length === 0) return edgesOf(0, 1).map((exponent) => 10 ** exponent);
    return edgesOf(Math.log10(min), Math.log10(max)).map((exponent) => 10 ** exponent);
  };
  const top = Math.min(1, Math.max(minShare, range(measures.mitochondrial).max));
  const edges = {
    counts: logs(measures.counts),
    genes: logs(measures.genes),
    mitochondrial: edgesOf(0, measures.geneCounts.mitochondrial > 0 ? top : minShare),
  };
  const tally = (values: ArrayLike<number>, of: Measure) => {
    const bins = groups.map(() => new Array<number>(binCount).fill(0));
    for (const cell of filled) bins[groupOf[cell]!]![binOf(edges[of], values[cell]!)]! += 1;
    return bins;
  };
  const counts = tally(measures.counts, 'counts');
  const genes = tally(measures.genes, 'genes');
  const mitochondrial = tally(measures.mitochondrial, 'mitochondrial');
  return {
    edges,
    groups: groups.map((_, group) => ({
      counts: counts[group]!,
      genes: genes[group]!,
      mitochondrial: mitochondrial[group]!,
    })),
  };
}

function edgesOf(from: number, to: number): number[] {
  const width = (to > from ? to - from : 1) / binCount;
  return Array.from({ length: binCount + 1 }, (_, edge) => from + edge * width);
}

/** Bins are closed on the left, the last also on the right. */
function binOf(edges: readonly number[], value: number): number {
  let low = 0;
  let high = binCount;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (value >= edges[middle]!) low = middle;
    else high = middle;
  }
  return low;
}
