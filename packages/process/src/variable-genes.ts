/** Mean and variance of each gene over cells, for normalised counts (not their logarithms). */
export interface GeneMoments {
  means: Float64Array;
  variances: Float64Array;
}

export const variableGenesFlavour =
  'normalized dispersions, as highly_variable_genes(flavor="seurat") of scanpy';

const binCount = 20;
/**
 * Relative to the squared mean: the rounding error of a zero variance over a million cells. No count varies so little.
 */
const rounding = 1e-9;
/**
 * Most variable genes by normalised dispersion: log(variance / mean) relative to genes of similar mean (20 bins of
 * log1p(mean)), as in Seurat and in scanpy's `highly_variable_genes(flavor="seurat", n_top_genes=limit)` (Satija et al.
 * 2015, doi:10.1038/nbt.3192). If at most that many genes vary, all of them are taken, as for panels of some hundred
 * genes. Returns per gene 1 if it is among the first `limit`.
 */
export function variableGenesOf(moments: GeneMoments, limit: number): Uint8Array {
  return firstOf(normalisedDispersions(moments), limit);
}

/** Defaults of scanpy's `highly_variable_genes` without a number of genes: log1p of the mean, and dispersions. */
const cutoffs = { minMean: 0.0125, maxMean: 3, minDispersion: 0.5 };

/** Genes that are variable by scanpy's cutoffs, whatever their number: per gene 1. */
export function genesWithinCutoffs(moments: GeneMoments): Uint8Array {
  const dispersions = normalisedDispersions(moments);
  return Uint8Array.from(dispersions, (dispersion, gene) => {
    const mean = Math.log1p(moments.means[gene]!);
    return Number(mean > cutoffs.minMean && mean < cutoffs.maxMean && dispersion > cutoffs.minDispersion);
  });
}

/**
 * Genes that are variable in most batches, ties by mean dispersion, as in scanpy's
 * `highly_variable_genes(flavor="seurat", n_top_genes=limit, batch_key=…)`: genes that vary only between batches are
 * excluded. A gene that a batch does not express has a dispersion of 0 there. Returns per gene 1 if it is among the
 * first `limit`; never for genes that vary in no batch.
 */
export function variableGenesByBatch(batches: readonly GeneMoments[], limit: number): Uint8Array {
  const geneCount = batches[0]?.means.length ?? 0;
  const chosenIn = new Int32Array(geneCount);
  const sums = new Float64Array(geneCount);
  const measured = new Int32Array(geneCount);
  const varies = new Uint8Array(geneCount);
  for (const { means, variances } of batches) {
    const expressed = Int32Array.from(means.keys()).filter((gene) => means[gene]! > 0);
    const of = (values: Float64Array) => Float64Array.from(expressed, (gene) => values[gene]!);
    const dispersions = normalisedDispersions({ means: of(means), variances: of(variances) });
    const top = firstOf(dispersions, limit);
    const present = new Uint8Array(geneCount);
    for (const [at, gene] of expressed.entries()) {
      present[gene] = 1;
      chosenIn[gene]! += top[at]!;
      if (Number.isNaN(dispersions[at]!)) continue;
      sums[gene]! += dispersions[at]!;
      measured[gene]! += 1;
      varies[gene] = 1;
    }
    for (let gene = 0; gene < geneCount; gene++) measured[gene]! += 1 - present[gene]!;
  }
  const ranked = Array.from(varies.keys())
    .filter((gene) => varies[gene] === 1)
    .toSorted(
      (a, b) => chosenIn[b]! - chosenIn[a]! || sums[b]! / measured[b]! - sums[a]! / measured[a]! || a - b,
    );
  const chosen = new Uint8Array(geneCount);
  for (const gene of ranked.slice(0, limit)) chosen[gene] = 1;
  return chosen;
}

function firstOf(scores: Float64Array, limit: number): Uint8Array {
  const ranked = Array.from(scores, (score, gene) => ({ score, gene }))
    .filter(({ score }) => !Number.isNaN(score))
    .toSorted((a, b) => b.score - a.score || a.gene - b.gene);
  const chosen = new Uint8Array(scores.length);
  for (const { gene } of ranked.slice(0, limit)) chosen[gene] = 1;
  return chosen;
}

/** Per gene; NaN for genes without variance. */
export function normalisedDispersions({ means, variances }: GeneMoments): Float64Array {
  const dispersions = Float64Array.from(means, (mean, gene) => {
    const variance = variances[gene]!;
    // What rounding leaves of a gene that is everywhere alike is no variance.
    return variance <= rounding * mean ** 2 ? NaN : Math.log(variance / mean);
  });
  const binOf = binsOf(Float64Array.from(means, (mean) => Math.log1p(mean)));
  const bins = Array.from({ length: binCount }, () => ({ count: 0, sum: 0, squares: 0 }));
  for (const [gene, dispersion] of dispersions.entries()) {
    if (Number.isNaN(dispersion)) continue;
    const bin = bins[binOf[gene]!]!;
    bin.count++;
    bin.sum += dispersion;
  }
  for (const [gene, dispersion] of dispersions.entries()) {
    if (Number.isNaN(dispersion)) continue;
    const bin = bins[binOf[gene]!]!;
    bin.squares += (dispersion - bin.sum / bin.count) ** 2;
  }
  return dispersions.map((dispersion, gene) => {
    const { count, sum, squares } = bins[binOf[gene]!]!;
    // A gene that is alone in its bin is measured by itself.
    if (count < 2) return Number.isNaN(dispersion) ? NaN : 1;
    return (dispersion - sum / count) / Math.sqrt(squares / (count - 1));
  });
}

/** Bins of equal width, closed on the right, the lowest also on the left: as in `pandas.cut`. */
function binsOf(values: Float64Array): Int32Array {
  let min = Infinity;
  let max = -Infinity;
  for (const value of values) {
    if (value < min) min = value;
    if (value > max) max = value;
  }
  const width = (max - min) / binCount;
  return Int32Array.from(values, (value) =>
    width === 0 ? 0 : Math.min(binCount - 1, Math.max(0, Math.ceil((value - min) / width) - 1)),
  );
}
