export interface GeneSampleMatrix {
  readonly geneCount: number;
  readonly sampleCount: number;
  /** geneCount × sampleCount, gene-major. */
  readonly values: Float64Array;
}

export function selectGenes(matrix: GeneSampleMatrix, genes: ArrayLike<number>): GeneSampleMatrix {
  const { sampleCount } = matrix;
  const values = new Float64Array(genes.length * sampleCount);
  for (let i = 0; i < genes.length; i++) {
    const from = genes[i]! * sampleCount;
    values.set(matrix.values.subarray(from, from + sampleCount), i * sampleCount);
  }
  return { geneCount: genes.length, sampleCount, values };
}

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

/** Rows of the genes with a count of at least `minCount`, by default any count, in any sample; ascending. */
export function genesWithCounts(
  { geneCount, sampleCount, values }: GeneSampleMatrix,
  minCount: number = Number.MIN_VALUE,
): Int32Array {
  return Int32Array.from({ length: geneCount }, (_, gene) => gene).filter((gene) =>
    values.subarray(gene * sampleCount, (gene + 1) * sampleCount).some((count) => count >= minCount),
  );
}

export function librarySizes({ geneCount, sampleCount, values }: GeneSampleMatrix): Float64Array {
  const sizes = new Float64Array(sampleCount);
  for (let gene = 0, at = 0; gene < geneCount; gene++) {
    for (let sample = 0; sample < sampleCount; sample++) sizes[sample]! += values[at++]!;
  }
  return sizes;
}

export function emptySamples(counts: GeneSampleMatrix): number[] {
  return [...librarySizes(counts).entries()].flatMap(([sample, size]) => (size === 0 ? [sample] : []));
}

/** log2 counts per million with 0.5 added to counts and 1 to libraries, so that no logarithm is of zero, as in voom. */
export function logCountsPerMillion(counts: GeneSampleMatrix, sizes: Float64Array): GeneSampleMatrix {
  const { geneCount, sampleCount } = counts;
  const values = new Float64Array(counts.values.length);
  const scales = sizes.map((size) => 1e6 / (size + 1));
  for (let gene = 0, at = 0; gene < geneCount; gene++) {
    for (let sample = 0; sample < sampleCount; sample++, at++) {
      values[at] = Math.log2((counts.values[at]! + 0.5) * scales[sample]!);
    }
  }
  return { geneCount, sampleCount, values };
}
