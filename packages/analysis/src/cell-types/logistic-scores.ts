import type { LogisticModel } from './logistic-model.ts';

/** Scaled values are clipped at this, as in CellTypist. */
const maxScaled = 10;

/** Accumulators of cell scores: decision values of n cells for T types, cell by cell. */
export interface LogisticSums {
  /** n × T, in shared memory. */
  readonly scores: Float64Array;
  /** Per found gene and group, the sum of scaled values in excess of a zero's; in shared memory. */
  readonly scaled: Float64Array;
}

export interface ClassifiedCells {
  /** Per cell of the dataset, its index among the classified ones; -1 for others. In shared memory. */
  readonly places: Int32Array;
  /** Group of each classified cell; -1 for none. In shared memory. */
  readonly groups: Int32Array;
  readonly groupCount: number;
}

export function scaledZero({ means, scales }: LogisticModel, gene: number): number {
  return Math.min(maxScaled, -means[gene]! / scales[gene]!);
}

/**
 * Initial decision values, those of a cell that expresses nothing; genes that the dataset lacks are ignored, as in
 * CellTypist.
 */
export function logisticStart(
  model: LogisticModel,
  modelGenes: ArrayLike<number>,
  { groups, groupCount }: ClassifiedCells,
): LogisticSums {
  const types = model.types.length;
  const base = Float64Array.from(model.intercepts);
  for (let at = 0; at < modelGenes.length; at++) {
    const gene = modelGenes[at]!;
    const zero = scaledZero(model, gene);
    for (let type = 0; type < types; type++) base[type]! += zero * model.coefficients[gene * types + type]!;
  }
  const scores = new Float64Array(new SharedArrayBuffer(8 * groups.length * types));
  for (let place = 0; place < groups.length; place++) scores.set(base, place * types);
  return { scores, scaled: new Float64Array(new SharedArrayBuffer(8 * modelGenes.length * groupCount)) };
}

/**
 * Adds the excess over zero of some of the cells that express a gene. `gene`: of the model. `at`: index of the gene
 * among those found. `cells`: rows in obs.
 */
export function addGene(
  model: LogisticModel,
  { scores, scaled }: LogisticSums,
  { places, groups, groupCount }: ClassifiedCells,
  { gene, at, cells, values }: { gene: number; at: number; cells: Int32Array; values: Float32Array },
): void {
  const types = model.types.length;
  const { coefficients } = model;
  const [mean, scale, zero] = [model.means[gene]!, model.scales[gene]!, scaledZero(model, gene)];
  const from = gene * types;
  for (let i = 0; i < cells.length; i++) {
    const place = places[cells[i]!]!;
    if (place < 0) continue;
    const above = Math.min(maxScaled, (values[i]! - mean) / scale) - zero;
    // The coefficients of a gene lie beside each other, and so do the scores of a cell.
    for (let type = 0, to = place * types; type < types; type++, to++)
      scores[to]! += above * coefficients[from + type]!;
    const group = groups[place]!;
    if (group >= 0) scaled[at * groupCount + group]! += above;
  }
}

export interface GroupVotes {
  readonly cells: number;
  /** Per type: number of cells for which it is best, and its mean probability over all cells. */
  readonly votes: Uint32Array;
  readonly probabilities: Float64Array;
  /** Indices of the types, most cells first; ties by higher mean probability. */
  readonly order: Int32Array;
}

export interface ClassifiedGroups {
  /** Per cell, index of its best type, and the probability of it. */
  readonly best: Int32Array;
  readonly probability: Float64Array;
  readonly groups: readonly GroupVotes[];
}

export function logisticVotes(
  { scores }: Pick<LogisticSums, 'scores'>,
  types: number,
  { groups, groupCount }: Pick<ClassifiedCells, 'groups' | 'groupCount'>,
): ClassifiedGroups {
  const cells = groups.length;
  const best = new Int32Array(cells);
  const probability = new Float64Array(cells);
  const votes = Array.from({ length: groupCount }, () => new Uint32Array(types));
  const sums = Array.from({ length: groupCount }, () => new Float64Array(types));
  const sizes = new Uint32Array(groupCount);
  for (let cell = 0; cell < cells; cell++) {
    const from = cell * types;
    const group = groups[cell]!;
    let highest = 0;
    for (let type = 0; type < types; type++) {
      if (scores[from + type]! > scores[from + highest]!) highest = type;
      if (group >= 0) sums[group]![type]! += logistic(scores[from + type]!);
    }
    best[cell] = highest;
    probability[cell] = logistic(scores[from + highest]!);
    if (group < 0) continue;
    votes[group]![highest]!++;
    sizes[group]!++;
  }
  return {
    best,
    probability,
    groups: votes.map((ofGroup, group) => {
      const probabilities = sums[group]!.map((sum) => sum / Math.max(1, sizes[group]!));
      const order = Int32Array.from(ofGroup.keys()).sort(
        (one, other) =>
          ofGroup[other]! - ofGroup[one]! || probabilities[other]! - probabilities[one]! || one - other,
      );
      return { cells: sizes[group]!, votes: ofGroup, probabilities, order };
    }),
  };
}

function logistic(score: number): number {
  return 1 / (1 + Math.exp(-score));
}
