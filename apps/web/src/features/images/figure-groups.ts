import type { FigureSource } from '@cellfolio/contract';
import type { ApiClient } from '@/lib/api-client.ts';
import { sentSource } from './render-figure.ts';

export interface FigureGroup {
  label: string;
  value: number;
}

/** The groups of a figure in its own order. @throws errors of the API client */
export function figureGroups(
  api: ApiClient,
  source: FigureSource,
  signal: AbortSignal,
): Promise<readonly FigureGroup[]> {
  return api({
    path: '/api/render-figure',
    body: { source: sentSource(source), format: 'json' },
    answer: { parse: groupsOfSpec },
    signal,
  });
}

/** Fields depend on the kind of figure; null stands for NaN, which JSON lacks. */
interface SpecGroup {
  label?: unknown;
  cells?: number;
  mean?: number | null;
  quartiles?: readonly number[] | null;
  counts?: readonly number[];
  distributions?: readonly ({ quartiles: readonly number[] } | null)[];
}

interface GroupSpec {
  groups?: readonly SpecGroup[];
  /** Mean of each gene in each group. */
  mean?: readonly (number | null)[];
  parts?: readonly { cells: number }[];
}

/** Several rows with one label are parts of a group. */
export function groupsOfSpec(spec: unknown): FigureGroup[] {
  const { groups, mean, parts = [] } = spec as GroupSpec;
  if (!Array.isArray(groups)) throw new TypeError('A figure with groups was expected.');
  const sums = new Map<string, { cells: number; sum: number }>();
  (groups as readonly SpecGroup[]).forEach((group, row) => {
    if (typeof group.label !== 'string') throw new TypeError('A group with a label was expected.');
    const perGroup = mean === undefined ? 0 : mean.length / groups.length;
    const value = valueOf(group, mean?.slice(row * perGroup, (row + 1) * perGroup), parts);
    const { cells = 0 } = group;
    const before = sums.get(group.label) ?? { cells: 0, sum: 0 };
    sums.set(group.label, { cells: before.cells + cells, sum: before.sum + cells * value });
  });
  return Array.from(sums, ([label, { cells, sum }]) => ({
    label,
    value: cells > 0 ? sum / cells : -Infinity,
  }));
}

/**
 * The share of the largest part of a bar, the mean of the genes of a row, the median of the first quality measure; for
 * a violin the mean, as the median of most genes is 0 in most groups.
 */
function valueOf(
  { cells = 0, mean, counts, distributions }: SpecGroup,
  means: GroupSpec['mean'],
  parts: readonly { cells: number }[],
): number {
  if (counts !== undefined) {
    const largest = parts.reduce((best, { cells: size }, i) => (size > parts[best]!.cells ? i : best), 0);
    return cells > 0 ? (counts[largest] ?? 0) / cells : 0;
  }
  if (means !== undefined) return means.reduce<number>((sum, one) => sum + (one ?? 0), 0) / means.length;
  if (distributions !== undefined) return distributions[0]?.quartiles[1] ?? 0;
  return mean ?? 0;
}
