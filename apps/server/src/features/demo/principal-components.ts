import { largestEigenpairs } from '@cellfolio/analysis';

interface CellRows {
  readonly geneCount: number;
  readonly indptr: Int32Array;
  readonly indices: Int32Array;
  readonly values: Float32Array;
}

const variableGenes = 1000;
/** The last components are noise with eigenvalues close to each other: which mixture of them results is arbitrary. */
const tolerance = 1e-5;

/**
 * Principal components of log-normalised values, as scanpy's `pp.pca` of the most variable genes: n × components
 * coordinates, row by row, from the eigenvectors of the products of the centred cells. Deterministic.
 */
export function principalComponents(matrix: CellRows, components: number): Float32Array {
  const { indptr, indices, values } = variablePart(matrix);
  const count = indptr.length - 1;
  const geneCount = Math.min(variableGenes, matrix.geneCount);
  const means = new Float64Array(geneCount);
  let squares = 0;
  for (let i = 0; i < indices.length; i++) {
    means[indices[i]!]! += values[i]! / count;
    squares += values[i]! ** 2;
  }
  const variation = squares - count * means.reduce((sum, mean) => sum + mean * mean, 0);
  const ofGenes = new Float64Array(geneCount);
  const { values: shares, vectors } = largestEigenpairs(
    (vector, product) => {
      const sum = vector.reduce((all, one) => all + one, 0);
      for (let gene = 0; gene < geneCount; gene++) ofGenes[gene] = -means[gene]! * sum;
      for (let cell = 0; cell < count; cell++) {
        for (let i = indptr[cell]!; i < indptr[cell + 1]!; i++) {
          ofGenes[indices[i]!]! += values[i]! * vector[cell]!;
        }
      }
      const offset = means.reduce((all, mean, gene) => all + mean * ofGenes[gene]!, 0);
      for (let cell = 0; cell < count; cell++) {
        let dot = -offset;
        for (let i = indptr[cell]!; i < indptr[cell + 1]!; i++) dot += values[i]! * ofGenes[indices[i]!]!;
        product[cell] = dot / variation;
      }
    },
    count,
    components,
    tolerance,
  );
  const coordinates = new Float32Array(count * components);
  vectors.forEach((vector, at) => {
    const length = Math.sqrt(Math.max(0, shares[at]!) * variation);
    for (let cell = 0; cell < count; cell++) coordinates[cell * components + at] = vector[cell]! * length;
  });
  return coordinates;
}

/** Only the most variable columns, renumbered from 0. */
function variablePart({ geneCount, indptr, indices, values }: CellRows): Omit<CellRows, 'geneCount'> {
  const count = indptr.length - 1;
  const sums = new Float64Array(geneCount);
  const squares = new Float64Array(geneCount);
  for (let i = 0; i < indices.length; i++) {
    sums[indices[i]!]! += values[i]!;
    squares[indices[i]!]! += values[i]! ** 2;
  }
  const variance = (gene: number) => squares[gene]! - sums[gene]! ** 2 / count;
  const chosen = Int32Array.from(sums.keys())
    .sort((one, other) => variance(other) - variance(one) || one - other)
    .subarray(0, variableGenes);
  const place = new Int32Array(geneCount).fill(-1);
  chosen.forEach((gene, at) => (place[gene] = at));
  const starts = new Int32Array(count + 1);
  const keptIndices = new Int32Array(indices.length);
  const keptValues = new Float32Array(indices.length);
  let entryCount = 0;
  for (let cell = 0; cell < count; cell++) {
    for (let i = indptr[cell]!; i < indptr[cell + 1]!; i++) {
      const at = place[indices[i]!]!;
      if (at < 0) continue;
      keptIndices[entryCount] = at;
      keptValues[entryCount++] = values[i]!;
    }
    starts[cell + 1] = entryCount;
  }
  return {
    indptr: starts,
    indices: keptIndices.subarray(0, entryCount),
    values: keptValues.subarray(0, entryCount),
  };
}
