import type { LocalGraph } from './local-graph.ts';

/** Standardised values of some genes, gene-major, one per cell of a graph. */
export interface StandardisedGenes {
  readonly count: number;
  readonly values: Float32Array;
}

/** Local sums of the genes [from, to) with themselves and all later ones. */
export interface LocalSums {
  readonly from: number;
  /** Row-major: gene `from + row` with itself and all later genes. */
  readonly sums: Float64Array;
  /** Per gene, the standard deviation of its sum with a gene that is independent of the neighbourhood. */
  readonly deviations: Float64Array;
}

/**
 * Σ w_ij (x_i y_j + y_i x_j) over the pairs of the graph, for pairs of genes. The values of a gene are summed over each
 * cell's neighbours once; each pair of genes is then a dot product.
 */
export function localSums(
  { count, values }: StandardisedGenes,
  { cellCount, starts, neighbours, weights }: LocalGraph,
  { from, to }: { readonly from: number; readonly to: number },
): LocalSums {
  const deviations = new Float64Array(to - from);
  let length = 0;
  for (let gene = from; gene < to; gene++) length += count - gene;
  const sums = new Float64Array(length);
  const around = new Float64Array(cellCount);
  let next = 0;
  for (let gene = from; gene < to; gene++) {
    const own = values.subarray(gene * cellCount, (gene + 1) * cellCount);
    around.fill(0);
    for (let cell = 0; cell < cellCount; cell++) {
      const value = own[cell]!;
      let sum = 0;
      for (let at = starts[cell]!; at < starts[cell + 1]!; at++) {
        const weight = weights[at]!;
        const other = neighbours[at]!;
        sum += weight * own[other]!;
        around[other]! += weight * value;
      }
      around[cell]! += sum;
    }
    deviations[gene - from] = lengthOf(around);
    for (let other = gene; other < count; other++) {
      const base = other * cellCount;
      let sum = 0;
      for (let cell = 0; cell < cellCount; cell++) sum += around[cell]! * values[base + cell]!;
      sums[next++] = sum;
    }
  }
  return { from, sums, deviations };
}

function lengthOf(values: Float64Array): number {
  let squares = 0;
  for (const value of values) squares += value * value;
  return Math.sqrt(squares);
}

/**
 * Local correlations of all pairs in standard deviations, `count` × `count`, 0 on the diagonal. Of a pair's two
 * standard deviations, each conditional on one of the genes, the larger is used, as in Hotspot. `pieces`: of all genes,
 * in any order.
 */
export function correlationScores(pieces: readonly LocalSums[], count: number): Float64Array {
  const deviations = new Float64Array(count);
  for (const piece of pieces) deviations.set(piece.deviations, piece.from);
  const z = new Float64Array(count * count);
  for (const { from, sums, deviations: own } of pieces) {
    let next = 0;
    for (let gene = from; gene < from + own.length; gene++) {
      // The sum of a gene with itself is no correlation.
      next++;
      for (let other = gene + 1; other < count; other++) {
        const deviation = Math.max(deviations[gene]!, deviations[other]!);
        const score = deviation > 0 ? sums[next]! / deviation : 0;
        z[gene * count + other] = z[other * count + gene] = score;
        next++;
      }
    }
  }
  return z;
}
