/** A number for each gene and sample. */
export interface GeneSampleMatrix {
  readonly geneCount: number;
  readonly sampleCount: number;
  /** geneCount × sampleCount, gene after gene: the samples of a gene lie side by side. */
  readonly values: Float64Array;
}

/** The rows of some genes, in the order given. */
export function selectGenes(matrix: GeneSampleMatrix, genes: ArrayLike<number>): GeneSampleMatrix {
  const { sampleCount } = matrix;
  const values = new Float64Array(genes.length * sampleCount);
  for (let i = 0; i < genes.length; i++) {
    const from = genes[i]! * sampleCount;
    values.set(matrix.values.subarray(from, from + sampleCount), i * sampleCount);
  }
  return { geneCount: genes.length, sampleCount, values };
}

/** The columns of some samples, in the order given. */
export function selectSamples(matrix: GeneSampleMatrix, samples: ArrayLike<number>): GeneSampleMatrix {
  const { geneCount, sampleCount } = matrix;
  const values = new Float64Array(geneCount * samples.length);
  let at = 0;
  for (let gene = 0; gene < geneCount; gene++) {
    const base = gene * sampleCount;
    for (let i = 0; i < samples.length; i++) values[at++] = matrix.values[base + samples[i]!]!;
  }
  return { geneCount, sampleCount: samples.length, values };
}
