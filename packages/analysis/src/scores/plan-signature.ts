import { LegacyRandomState } from '../random/legacy-random-state.ts';

export interface SignaturePlan {
  /** Unique genes of the signature, in the order given. */
  readonly genes: Int32Array;
  /** Control genes, ascending; excludes the genes of the signature. */
  readonly controls: Int32Array;
}

interface SignatureInput {
  /** Mean expression of every gene of the dataset over the cells to score, from `blockMeans`. */
  means: Float64Array;
  /** Rows in var of the signature's genes; repetitions count once. */
  genes: readonly number[];
  /** Number of expression bins, at least 2. Default 25. */
  nBins?: number;
  /** Number of control genes drawn per bin with a gene of the signature. Default 50. */
  controlSize?: number;
  /** Default 0. */
  seed?: number;
}

/** The signature's genes fill their expression bins, leaving no control genes. */
export class NoControlGenes extends Error {
  override readonly name = 'NoControlGenes';
  readonly geneCount: number;
  constructor(geneCount: number) {
    super(
      geneCount === 1
        ? 'No gene of similar expression is left to compare the gene of this signature with: use a dataset with more genes.'
        : `No genes of similar expression are left to compare the ${geneCount} genes of this signature with: use fewer genes, or a dataset with more genes.`,
    );
    this.geneCount = geneCount;
  }
}

/** A gene of the signature has no value in any of the cells to score, for example because there are no cells. */
export class NoExpressionMeans extends Error {
  override readonly name = 'NoExpressionMeans';
  /** Row in var. */
  readonly gene: number;
  constructor(gene: number) {
    super(
      'A gene of this signature has no value in any of the cells to be scored: choose a subset that has cells, or leave that gene out.',
    );
    this.gene = gene;
  }
}

/**
 * Chooses the control genes of a signature like scanpy 1.11's `score_genes` (with `ctrl_as_ref=True`): bins genes by
 * mean expression; draws `controlSize` genes by numpy's seeded generator from each bin with a gene of the signature, or
 * takes all if there are no more; then excludes the signature's genes. The same means and seed give exactly scanpy's
 * genes. Throws NoControlGenes, NoExpressionMeans, and RangeError for a gene that does not exist or an invalid option.
 */
export function planSignature(input: SignatureInput): SignaturePlan {
  const { means, nBins = 25, controlSize = 50, seed = 0 } = input;
  if (!Number.isInteger(nBins) || nBins < 2) throw new RangeError(`nBins is ${nBins}: give 2 or more.`);
  if (!Number.isInteger(controlSize) || controlSize < 1) {
    throw new RangeError(`controlSize is ${controlSize}: give 1 or more.`);
  }
  const genes = Int32Array.from(new Set(input.genes));
  if (genes.length === 0) throw new RangeError('A signature needs at least one gene.');

  const bins = expressionBins(means, nBins);
  const ofSignature = new Uint8Array(means.length);
  const signatureBins = new Set<number>();
  for (const gene of input.genes) {
    const bin = bins[gene];
    if (bin === undefined) throw new RangeError(`There is no gene ${gene} among ${means.length}.`);
    if (bin < 0) throw new NoExpressionMeans(gene);
    ofSignature[gene] = 1;
    signatureBins.add(bin);
  }

  const members = new Map<number, number[]>();
  for (const bin of [...signatureBins].sort((a, b) => a - b)) members.set(bin, []);
  for (let gene = 0; gene < bins.length; gene++) members.get(bins[gene]!)?.push(gene);

  const random = new LegacyRandomState(seed);
  const controls: number[] = [];
  // In rising order of the bins, because they share one stream of random numbers.
  for (const inBin of members.values()) {
    const candidates =
      controlSize < inBin.length
        ? Array.from(random.choice(inBin.length, controlSize), (position) => inBin[position]!)
        : inBin;
    for (const gene of candidates) if (ofSignature[gene] === 0) controls.push(gene);
  }
  if (controls.length === 0) throw new NoControlGenes(genes.length);
  return { genes, controls: Int32Array.from(controls).sort() };
}

/**
 * Bin of each gene by mean expression: floor(rank / (genes / (bins − 1))), ties having their lowest rank, as
 * `pandas.Series.rank(method="min")`. A gene without a finite mean has bin −1 and does not count. As in scanpy, the
 * first bin has one gene fewer than the others, and with fewer genes than half the bins all are in one bin.
 */
function expressionBins(means: Float64Array, binCount: number): Int32Array {
  const finite = means.filter((mean) => Number.isFinite(mean)).sort();
  const genesPerBin = roundHalfToEven(finite.length / (binCount - 1));
  const bins = new Int32Array(means.length);
  for (let gene = 0; gene < means.length; gene++) {
    const mean = means[gene]!;
    if (!Number.isFinite(mean)) bins[gene] = -1;
    else if (genesPerBin > 0) bins[gene] = Math.floor((firstAtLeast(finite, mean) + 1) / genesPerBin);
  }
  return bins;
}

function firstAtLeast(rising: Float64Array, value: number): number {
  let low = 0;
  let high = rising.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rising[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function roundHalfToEven(value: number): number {
  const below = Math.floor(value);
  const over = value - below;
  if (over !== 0.5) return Math.round(value);
  return below % 2 === 0 ? below : below + 1;
}
