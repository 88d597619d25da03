import type { GeneSampleMatrix } from './gene-sample-matrix.ts';

/** Sum of each sample's counts. */
export function librarySizes({ geneCount, sampleCount, values }: GeneSampleMatrix): Float64Array {
  const sizes = new Float64Array(sampleCount);
  for (let gene = 0, at = 0; gene < geneCount; gene++) {
    for (let sample = 0; sample < sampleCount; sample++) sizes[sample]! += values[at++]!;
  }
  return sizes;
}

/** log2 of the counts per million, of counts raised by 0.5 and libraries by 1 so that no logarithm is of zero: voom's. */
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
