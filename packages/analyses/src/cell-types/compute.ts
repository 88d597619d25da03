import {
  type BlockStatistics,
  type CellGroups,
  conflictingType,
  type GroupEvidence,
  groupEvidence,
  type GroupProfiles,
  groupProfiles,
  type PairedCells,
  PairedCellCounter,
  type ProfileSet,
  profileSets,
  type ResolvedType,
  type SuggestionRule,
  type TypePair,
  univariateLinearModels,
} from '@cellfolio/analysis';
import type { ThreadDataset } from '../context.ts';

interface SuggestInput {
  readonly blocks: readonly BlockStatistics[];
  readonly groups: CellGroups;
  /** Indices of the groups that are compared. */
  readonly comparedIndices: readonly number[];
  readonly types: readonly ResolvedType[];
  readonly lineages: readonly string[];
  readonly rule: SuggestionRule;
  /** Genes shared by many types, as rows in var. */
  readonly programmes: readonly Int32Array[];
}

export interface SuggestedTypes {
  /** Genes expressed in any group: those that the models are fitted to. */
  geneCount: number;
  /** Per type, the number of markers that any group expresses. */
  inProfile: Uint16Array;
  /** In the order of `comparedIndices`. */
  groups: readonly SuggestedGroup[];
}

interface SuggestedGroup extends GroupEvidence {
  markers: readonly MarkerEvidence[];
  /** Index of a type that contradicts the best. */
  conflict?: number;
  programmes: Float64Array;
}

/**
 * The markers of a type in a group: one value for each that any group expresses, those highest above the other groups
 * first.
 */
export interface MarkerEvidence {
  type: number;
  /** Rows in var. */
  rows: Int32Array;
  shares: Float64Array;
  means: Float64Array;
  /** Mean minus the mean of the groups' means. */
  above: Float64Array;
  /** Number of other groups that also express it. */
  others: Uint16Array;
}

function suggest(input: SuggestInput): SuggestedTypes {
  const { blocks, groups, comparedIndices, types, lineages, rule } = input;
  const profiles = groupProfiles(blocks, groups, comparedIndices);
  const sets = profileSets(types, profiles);
  const programmes = profileSets(
    input.programmes.map((rows, type) => ({
      type,
      rows,
      weights: new Float64Array(rows.length).fill(1),
      missing: [],
    })),
    profiles,
  );
  const genes = profiles.rows.length;
  const suggestedIn = (group: number): SuggestedGroup => {
    const evidence = groupEvidence(profiles, group, sets, rule);
    const conflict = conflictingType(evidence, types, lineages, rule);
    const reportedTypes = [
      ...new Set([...evidence.order.subarray(0, 2), ...(conflict === undefined ? [] : [conflict])]),
    ];
    const centred = profiles.centred.subarray(group * genes, (group + 1) * genes);
    return {
      ...evidence,
      markers: reportedTypes.map((type) => markersIn(profiles, { group, set: sets[type]!, type }, rule)),
      ...(conflict !== undefined && { conflict }),
      programmes: univariateLinearModels(centred, programmes).scores,
    };
  };
  return {
    geneCount: genes,
    inProfile: Uint16Array.from(sets, ({ places }) => places.length),
    groups: comparedIndices.map((_, group) => suggestedIn(group)),
  };
}

function markersIn(
  { rows, means, shares, centred }: GroupProfiles,
  { group, set, type }: { group: number; set: ProfileSet; type: number },
  { minShare }: SuggestionRule,
): MarkerEvidence {
  const genes = rows.length;
  const groupCount = means.length / Math.max(1, genes);
  const base = group * genes;
  const places = set.places.toSorted((a, b) => centred[base + b]! - centred[base + a]! || a - b);
  const of = (values: Float64Array) => Float64Array.from(places, (place) => values[base + place]!);
  return {
    type,
    rows: places.map((place) => rows[place]!),
    shares: of(shares),
    means: of(means),
    above: of(centred),
    others: Uint16Array.from(places, (place) => {
      let count = 0;
      for (let other = 0; other < groupCount; other++) {
        if (other !== group && shares[other * genes + place]! >= minShare) count++;
      }
      return count;
    }),
  };
}

interface PairInput {
  readonly groups: CellGroups;
  readonly pairs: readonly TypePair[];
}

async function pair({ groups, pairs }: PairInput, dataset: ThreadDataset): Promise<readonly PairedCells[]> {
  const counter = new PairedCellCounter(groups, pairs);
  const { rows } = counter;
  await dataset.useGenes(rows, (place, cells, values) => counter.add(rows[place]!, cells, values));
  return counter.counted();
}

export const steps = { suggest, pair };
