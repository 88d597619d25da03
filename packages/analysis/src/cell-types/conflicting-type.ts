import type { ResolvedType } from './resolve-markers.ts';
import type { GroupEvidence, SuggestionRule } from './suggest-types.ts';

/** Beside the best type another one counts where its score is at least this part of the best. */
const minPart = 0.5;

/**
 * The best-scoring type that a group looks like besides its best one though no cell is both: the sign of doublets, or of
 * two types in one group. Types of one lineage are no conflict; where a lineage is not known, types that share a marker.
 * @param lineages of the resolved types
 * @returns its place among the types
 */
export function conflictingType(
  { linear, expressed, order }: GroupEvidence,
  types: readonly ResolvedType[],
  lineages: readonly string[],
  rule: SuggestionRule,
): number | undefined {
  const isSure = (type: number) =>
    linear.scores[type]! > 0 &&
    linear.adjustedPs[type]! < rule.maxAdjustedP &&
    expressed[type]! >= rule.minExpressed;
  const [best] = order;
  if (best === undefined || !isSure(best)) return undefined;
  const rows = new Set(types[best]!.rows);
  const lineage = lineages[best]!;
  const isOther = (type: number) =>
    lineage !== '' && lineages[type] !== ''
      ? lineages[type] !== lineage
      : !types[type]!.rows.some((row) => rows.has(row));
  return Array.from(order)
    .slice(1)
    .find((type) => isSure(type) && isOther(type) && linear.scores[type]! >= minPart * linear.scores[best]!);
}
