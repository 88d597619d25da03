import { selectGenes, type GeneSampleMatrix } from '../pseudobulk/gene-sample-matrix.ts';
import { fQuantile } from '../statistics/f-tails.ts';
import type { FittedSamples } from './dispersions.ts';
import { replicated, replicatesOf } from './replicates.ts';
import { trimmedMean } from './dispersion-trend.ts';

/** Minimum replicates for replacing an outlier by the estimate from the others: DESeq2's default. */
const replacedFrom = 7;
/** With fewer replicates no outlier can be identified. */
const judgedFrom = 3;
/** A count exceeded by this many others is not an outlier. */
const exceeding = 3;
const trim = 0.2;

/**
 * Cook's distance above which a count is an outlier: the 99 % quantile of the F distribution with matching degrees of
 * freedom.
 */
function distanceCutoff({ design }: FittedSamples): number {
  return fQuantile(0.01, design.columns.length, design.sampleCount - design.columns.length);
}

/**
 * Genes with an outlier, and their counts; in samples with enough replicates outliers are replaced by the trimmed mean
 * of all samples.
 */
export function replaceOutliers(
  counts: GeneSampleMatrix,
  distances: Float64Array,
  samples: FittedSamples,
): { genes: Int32Array; counts: GeneSampleMatrix } {
  const { geneCount, sampleCount } = counts;
  const replaceable = replicated(replicatesOf(samples.design), replacedFrom);
  const cutoff = distanceCutoff(samples);
  const standsOut = (gene: number, sample: number) => distances[gene * sampleCount + sample]! > cutoff;
  const genes = replaceable.includes(true)
    ? Int32Array.from({ length: geneCount }, (_, gene) => gene).filter((gene) =>
        replaceable.some((_, sample) => standsOut(gene, sample)),
      )
    : new Int32Array(0);
  const replacement = selectGenes(counts, genes);
  genes.forEach((gene, at) => {
    const row = replacement.values.subarray(at * sampleCount, (at + 1) * sampleCount);
    const middle = trimmedMean(
      row.map((count, sample) => count / samples.sizeFactors[sample]!),
      trim,
    );
    for (let sample = 0; sample < sampleCount; sample++) {
      if (!replaceable[sample] || !standsOut(gene, sample)) continue;
      row[sample] = Math.trunc(middle * samples.sizeFactors[sample]!);
    }
  });
  return { genes, counts: replacement };
}

/**
 * Genes whose result depends on an outlier, so that they get no p-value: a count among three or more replicates is an
 * outlier, and fewer than three counts exceed the most extreme one. In `refitted` genes, replaced counts are ignored.
 */
export function outlierGenes(
  { geneCount, sampleCount, values }: GeneSampleMatrix,
  distances: Float64Array,
  samples: FittedSamples,
  refitted: ReadonlySet<number>,
): Int32Array {
  const replicates = replicatesOf(samples.design);
  const judged = replicated(replicates, judgedFrom);
  const replaceable = replicated(replicates, replacedFrom);
  const cutoff = distanceCutoff(samples);
  return Int32Array.from({ length: geneCount }, (_, gene) => gene).filter((gene) => {
    const own = distances.subarray(gene * sampleCount, (gene + 1) * sampleCount);
    const row = values.subarray(gene * sampleCount, (gene + 1) * sampleCount);
    const isReplaced = (sample: number) => refitted.has(gene) && replaceable[sample]!;
    if (!own.some((distance, sample) => judged[sample]! && !isReplaced(sample) && distance > cutoff))
      return false;
    const furthest = own.indexOf(Math.max(...own));
    return row.filter((count) => count > row[furthest]!).length < exceeding;
  });
}
