import type { ResolvedType } from './resolve-markers.ts';
import type { GroupEvidence, SuggestionRule } from './suggest-types.ts';

/** A second type counts if its score is at least this share of the best score. */
const minPart = 0.5;

/**
 * The best-scoring type that a group resembles besides its best one although no cell can be both: a sign of doublets,
 * or of two types in one group. Types of one lineage do not conflict; if a lineage is unknown, neither do types that
 * share a marker. `lineages`: of the resolved types. Returns an index of a type.
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
