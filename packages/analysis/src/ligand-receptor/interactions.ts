import type { GroupExpression } from './group-expression.ts';
import type { ResolvedPair } from './resolve-pairs.ts';

/**
 * Ligand–receptor pairs in pairs of groups that express both: columns of equal length. In every score a complex is
 * represented by its subunit with the smallest mean in the group.
 */
export interface Interactions {
  readonly sources: Uint16Array;
  readonly targets: Uint16Array;
  /** Index in the list of resolved pairs. */
  readonly pairs: Uint32Array;
  /** Genes representing ligand and receptor, by index among the needed ones. */
  readonly ligands: Uint16Array;
  readonly receptors: Uint16Array;
}

interface FoundInteractions {
  interactions: Interactions;
  looked: number;
}

export class TooManyInteractions extends Error {
  override readonly name = 'TooManyInteractions';
  readonly count: number;

  constructor(count: number, maximum: number) {
    super(`${count} interactions are more than ${maximum}`);
    this.count = count;
  }
}

/**
 * Interactions of all pairs of groups, including a group with itself: those whose subunits are all expressed by at
 * least `minShare` of the cells and by one cell, the ligand's in the source and the receptor's in the target. Throws
 * TooManyInteractions.
 */
export function findInteractions(
  pairs: readonly ResolvedPair[],
  expression: GroupExpression,
  { minShare, max }: { minShare: number; max: number },
): FoundInteractions {
  const groupCount = expression.means.length / Math.max(1, expression.geneCount);
  const expressed = pairs.map(({ ligand, receptor }) => ({
    sources: expressedIn(ligand, expression, minShare),
    targets: expressedIn(receptor, expression, minShare),
  }));
  const count = expressed.reduce((sum, { sources, targets }) => sum + sources.length * targets.length, 0);
  if (count > max) throw new TooManyInteractions(count, max);
  const interactions: Interactions = {
    sources: new Uint16Array(count),
    targets: new Uint16Array(count),
    pairs: new Uint32Array(count),
    ligands: new Uint16Array(count),
    receptors: new Uint16Array(count),
  };
  let row = 0;
  expressed.forEach(({ sources, targets }, pair) => {
    for (const source of sources) {
      for (const target of targets) {
        interactions.sources[row] = source.group;
        interactions.targets[row] = target.group;
        interactions.pairs[row] = pair;
        interactions.ligands[row] = source.gene;
        interactions.receptors[row] = target.gene;
        row++;
      }
    }
  });
  return { interactions, looked: pairs.length * groupCount ** 2 };
}

/** Groups that express all subunits, each with the subunit of the smallest mean (the first of equals). */
function expressedIn(
  subunits: readonly number[],
  { means, shares, geneCount }: GroupExpression,
  minShare: number,
): { group: number; gene: number }[] {
  const groups: { group: number; gene: number }[] = [];
  for (let base = 0, group = 0; base < means.length; base += geneCount, group++) {
    let lowestGene = -1;
    let isExpressed = true;
    for (const gene of subunits) {
      const share = shares[base + gene]!;
      if (share === 0 || share < minShare) isExpressed = false;
      if (lowestGene < 0 || means[base + gene]! < means[base + lowestGene]!) lowestGene = gene;
    }
    if (isExpressed && lowestGene >= 0) groups.push({ group, gene: lowestGene });
  }
  return groups;
}

export interface InteractionScores {
  readonly ligandMeans: Float64Array;
  readonly receptorMeans: Float64Array;
  readonly ligandShares: Float64Array;
  readonly receptorShares: Float64Array;
  /** CellPhoneDB: mean of the two means. */
  readonly means: Float64Array;
  /** NATMI, Connectome: product of the two means. */
  readonly products: Float64Array;
  /** Mean of ligand's and receptor's log2 fold changes, each of its group against all other cells. */
  readonly logFoldChanges: Float64Array;
  /**
   * The smaller of the two fold changes; if it is not above 0, one of the two is no higher in its group than elsewhere.
   */
  readonly minChanges: Float64Array;
  /** SingleCellSignalR: √product / (√product + mean of all values). */
  readonly lrScores: Float64Array;
  /** Connectome: mean of the two z-scores. */
  readonly scaledWeights: Float64Array;
  /** NATMI: product of each mean's share of its sum over all groups. */
  readonly specificities: Float64Array;
}

/**
 * Scores as in LIANA (Dimitrov et al. 2022, Nature Communications 13:3224). `matrixMean`: mean of all values, zeros
 * included, of the genes that any cell expresses.
 */
export function scoreInteractions(
  { sources, targets, ligands, receptors }: Interactions,
  expression: GroupExpression,
  matrixMean: number,
): InteractionScores {
  const { geneCount, meanSums } = expression;
  const ligandAt = Uint32Array.from(sources, (group, row) => group * geneCount + ligands[row]!);
  const receptorAt = Uint32Array.from(targets, (group, row) => group * geneCount + receptors[row]!);
  const of = (values: Float64Array, places: Uint32Array) => Float64Array.from(places, (at) => values[at]!);
  const halfSum = (values: Float64Array) =>
    Float64Array.from(ligandAt, (at, row) => (values[at]! + values[receptorAt[row]!]!) / 2);
  const ligandMeans = of(expression.means, ligandAt);
  const receptorMeans = of(expression.means, receptorAt);
  return {
    ligandMeans,
    receptorMeans,
    ligandShares: of(expression.shares, ligandAt),
    receptorShares: of(expression.shares, receptorAt),
    means: halfSum(expression.means),
    products: ligandMeans.map((mean, row) => mean * receptorMeans[row]!),
    logFoldChanges: halfSum(expression.logFoldChanges),
    minChanges: Float64Array.from(ligandAt, (at, row) =>
      Math.min(expression.logFoldChanges[at]!, expression.logFoldChanges[receptorAt[row]!]!),
    ),
    lrScores: ligandMeans.map((mean, row) => {
      const root = Math.sqrt(mean) * Math.sqrt(receptorMeans[row]!);
      return root / (root + matrixMean);
    }),
    scaledWeights: halfSum(expression.zScores),
    specificities: ligandMeans.map(
      (mean, row) => (mean / meanSums[ligands[row]!]!) * (receptorMeans[row]! / meanSums[receptors[row]!]!),
    ),
  };
}
