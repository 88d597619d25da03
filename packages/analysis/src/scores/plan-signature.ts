import { LegacyRandomState } from '../random/legacy-random-state.ts';

/** Which genes a signature score is made of: rows in var. */
export interface SignaturePlan {
  /** The genes of the signature, each once, in the order given. */
  readonly genes: Int32Array;
  /** The control genes, rising; none of them is of the signature. */
  readonly controls: Int32Array;
}

interface SignatureInput {
  /** Mean expression of every gene of the dataset over the cells to be scored, as `blockMeans` gives them. */
  readonly means: Float64Array;
  /** Rows in var of the genes of the signature; repetitions count once. */
  readonly genes: readonly number[];
  /** Bins of expression, at least 2. Default 25. */
  readonly nBins?: number;
  /** Control genes drawn from each bin that holds a gene of the signature. Default 50. */
  readonly controlSize?: number;
  /** Default 0. */
  readonly seed?: number;
}

/**
 * The genes of the signature fill the bins of expression they are in so far that no control gene is left to compare
 * with.
 */
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

/** A gene of the signature has no value in any of the cells to be scored, as when there are no cells. */
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
 * Chooses the control genes of a signature as scanpy 1.11 does in `score_genes` (with `ctrl_as_ref=True`): genes are
 * put into bins by their mean expression; from each bin with a gene of the signature `controlSize` genes are drawn
 * by numpy's seeded generator, or all taken where there are no more; the genes of the signature are then left out.
 * The same means and seed give the very genes that scanpy takes.
 * Throws NoControlGenes, NoExpressionMeans, and RangeError for a gene that does not exist or a wrong option.
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
  const wanted = new Set<number>();
  for (const gene of input.genes) {
    const bin = bins[gene];
    if (bin === undefined) throw new RangeError(`There is no gene ${gene} among ${means.length}.`);
    if (bin < 0) throw new NoExpressionMeans(gene);
    ofSignature[gene] = 1;
    wanted.add(bin);
  }

  const members = new Map<number, number[]>();
  for (const bin of [...wanted].sort((a, b) => a - b)) members.set(bin, []);
  for (let gene = 0; gene < bins.length; gene++) members.get(bins[gene]!)?.push(gene);

  const random = new LegacyRandomState(seed);
  const controls: number[] = [];
  // In rising order of the bins, because they share one stream of random numbers.
  for (const inBin of members.values()) {
    const drawn =
      controlSize < inBin.length
        ? Array.from(random.choice(inBin.length, controlSize), (position) => inBin[position]!)
        : inBin;
    for (const gene of drawn) if (ofSignature[gene] === 0) controls.push(gene);
  }
  if (controls.length === 0) throw new NoControlGenes(genes.length);
  return { genes, controls: Int32Array.from(controls).sort() };
}

/**
 * The bin of each gene, where genes of like mean expression share a bin: floor(rank / (genes / (bins − 1))), equal
 * means having the lowest rank of them all, as `pandas.Series.rank(method="min")`. A gene without a finite mean has
 * no bin (−1) and does not count. The first bin has one gene less than the others, and with fewer genes than half
 * the bins all are in one bin, as in scanpy.
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
