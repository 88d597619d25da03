import {
  overRepresentationInTop,
  type ProfileSet,
  type SetScores,
  univariateLinearModels,
} from './gene-set-scores.ts';
import type { GroupProfiles } from './group-profiles.ts';
import type { ResolvedType } from './resolve-markers.ts';

/** When a type is suggested rather than `Unclear`. */
export interface SuggestionRule {
  /** Adjusted p of the best type has to be below: of the linear model, and of over-representation, as one gene alone can make the former. */
  readonly maxAdjustedP: number;
  /** Markers of the best type that the group expresses, and higher than the groups do on average. */
  readonly minExpressed: number;
  /** A marker is expressed where this share of the cells has it. */
  readonly minShare: number;
  /** How far the best score has to be above the next, as a part of the best. */
  readonly minMargin: number;
}

/** Why no type is suggested. */
export type UnclearReason = 'not-significant' | 'not-over-represented' | 'few-markers' | 'small-margin';

/** How the types of a list do in one group: a value for each, in the order of the resolved types. */
export interface GroupEvidence {
  /** Of linear models: what ranks. */
  readonly linear: SetScores;
  /** Of over-representation among the top genes: what has to agree. */
  readonly top: SetScores;
  /** Markers that are expressed, and higher than in the groups on average. */
  readonly expressed: Uint16Array;
  /** Places of the types, the best first. */
  readonly order: Uint16Array;
  /** The best score less the next, as a part of the best; 1 where there is no other, 0 where the best is not above 0. */
  readonly margin: number;
  /** None where the best type is suggested. */
  readonly reasons: readonly UnclearReason[];
}

/** The markers of types by their places in profiles; those that no group expresses are no part of them. */
export function profileSets(types: readonly ResolvedType[], { rows }: GroupProfiles): ProfileSet[] {
  const placeOf = new Map(Array.from(rows, (row, place) => [row, place]));
  return types.map(({ rows: ofType, weights }) => {
    const known = Array.from(ofType.keys()).filter((at) => placeOf.has(ofType[at]!));
    return {
      places: Int32Array.from(known, (at) => placeOf.get(ofType[at]!)!),
      weights: Float64Array.from(known, (at) => weights[at]!),
    };
  });
}

/** How the types do in one of the groups, and which of them is suggested. */
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
