import { selectGenes, type GeneSampleMatrix } from '../pseudobulk/gene-sample-matrix.ts';
import { fQuantile } from '../statistics/f-tails.ts';
import type { FittedSamples } from './dispersions.ts';
import { replicated, replicatesOf } from './replicates.ts';
import { trimmedMean } from './dispersion-trend.ts';

/** Of as many replicates, one that stands out is replaced by what the others say: DESeq2's default. */
const replacedFrom = 7;
/** Of fewer replicates nothing tells that one stands out. */
const judgedFrom = 3;
/** A count that so many others exceed does not stand out. */
const exceeding = 3;
const trim = 0.2;

/** Cook's distance above which a count stands out: the 99 % quantile of the F distribution of as many degrees of freedom. */
function distanceCutoff({ design }: FittedSamples): number {
  return fQuantile(0.01, design.columns.length, design.sampleCount - design.columns.length);
}

/**
 * Genes with a count that stands out, and their counts with those of samples that have enough replicates replaced by the
 * trimmed mean of all samples.
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
 * Genes that an outlier decides on, so that they have no p-value: a count of three or more replicates stands out, and
 * fewer than three counts exceed the one that stands out most. In `refitted` genes, replaced counts do not count.
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
