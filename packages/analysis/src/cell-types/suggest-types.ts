import {
  overRepresentationInTop,
  type ProfileSet,
  type SetScores,
  univariateLinearModels,
} from './gene-set-scores.ts';
import type { GroupProfiles } from './group-profiles.ts';
import type { ResolvedType } from './resolve-markers.ts';

export interface SuggestionRule {
  /**
   * Upper bound on the adjusted p of the best type, both of the linear model and of over-representation, since a single
   * gene can make the former significant.
   */
  readonly maxAdjustedP: number;
  /** Minimum number of the best type's markers that the group expresses, and more than the groups do on average. */
  readonly minExpressed: number;
  /** Minimum share of cells with a marker for it to count as expressed. */
  readonly minShare: number;
  /** Minimum difference of the best score from the next, as a share of the best. */
  readonly minMargin: number;
}

export type UnclearReason = 'not-significant' | 'not-over-represented' | 'few-markers' | 'small-margin';

/** Evidence for the types of a list in one group: one value per resolved type, in their order. */
export interface GroupEvidence {
  readonly linear: SetScores;
  /** Over-representation among the top genes, which must agree with the linear models that rank the types. */
  readonly top: SetScores;
  readonly expressed: Uint16Array;
  /** Indices of the types, best first. */
  readonly order: Uint16Array;
  /** Best score minus the next, as a share of the best; 1 without another type, 0 if the best is not above 0. */
  readonly margin: number;
  /** Empty if the best type is suggested. */
  readonly reasons: readonly UnclearReason[];
}

/** Markers of types by index in the profiles, without those that no group expresses. */
export function profileSets(types: readonly ResolvedType[], { rows }: GroupProfiles): ProfileSet[] {
  const placeOf = new Map(Array.from(rows, (row, place) => [row, place]));
  return types.map(({ rows: ofType, weights }) => {
    const expressedPlaces = Array.from(ofType.keys()).filter((at) => placeOf.has(ofType[at]!));
    return {
      places: Int32Array.from(expressedPlaces, (at) => placeOf.get(ofType[at]!)!),
      weights: Float64Array.from(expressedPlaces, (at) => weights[at]!),
    };
  });
}

export function groupEvidence(
  profiles: GroupProfiles,
  group: number,
  sets: readonly ProfileSet[],
  rule: SuggestionRule,
): GroupEvidence {
  const genes = profiles.rows.length;
  const of = (values: Float64Array) => values.subarray(group * genes, (group + 1) * genes);
  const [centred, shares] = [of(profiles.centred), of(profiles.shares)];
  const linear = univariateLinearModels(centred, sets);
  const expressed = Uint16Array.from(sets, ({ places }) =>
    places.reduce(
      (count, place) => count + (shares[place]! >= rule.minShare && centred[place]! > 0 ? 1 : 0),
      0,
    ),
  );
  const top = overRepresentationInTop(centred, sets);
  const { scores, adjustedPs } = linear;
  const order = Uint16Array.from(sets.keys()).sort((a, b) => scores[b]! - scores[a]! || a - b);
  const [best, next] = order;
  const score = best === undefined ? 0 : scores[best]!;
  const margin =
    score <= 0 ? 0 : next === undefined ? 1 : Math.min(1, (score - Math.max(0, scores[next]!)) / score);
  const reasons: UnclearReason[] = [];
  if (best === undefined || score <= 0 || !(adjustedPs[best]! < rule.maxAdjustedP)) {
    reasons.push('not-significant');
  }
  if (best === undefined || !(top.adjustedPs[best]! < rule.maxAdjustedP)) {
    reasons.push('not-over-represented');
  }
  if (best === undefined || expressed[best]! < rule.minExpressed) reasons.push('few-markers');
  if (margin < rule.minMargin) reasons.push('small-margin');
  return { linear, top, expressed, order, margin, reasons };
}
