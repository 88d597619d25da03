import type { CellMask, GeneColumn } from '@cellfolio/model';

export interface SummedGenes {
  readonly sums: Float64Array;
  readonly geneCount: number;
  /** Number of NaN values per cell; absent without NaN. */
  readonly missing: Int32Array | undefined;
}

/**
 * Sums gene columns per cell in float64; cells that do not express a gene cost nothing. A NaN is left out of the sum
 * and of the number of genes in the cell's mean, as in scanpy.
 */
export class ScoreSum {
  readonly cellCount: number;
  readonly sums: Float64Array;
  #geneCount = 0;
  #missing: Int32Array | undefined;

  constructor(cellCount: number) {
    this.cellCount = cellCount;
    this.sums = new Float64Array(cellCount);
  }

  get geneCount(): number {
    return this.#geneCount;
  }

  /** Throws RangeError for a gene of another number of cells. */
  add(gene: GeneColumn): void {
    if (gene.cellCount !== this.cellCount) {
      throw new RangeError(`A gene of ${gene.cellCount} cells cannot be added to one of ${this.cellCount}.`);
    }
    this.addEntries(gene.cells, gene.values);
    this.countGenes(1);
  }

  /** Adds values to cells without counting a gene, since a gene may come in parts. */
  addEntries(cells: Int32Array, values: Float32Array): void {
    const { sums } = this;
    for (let i = 0; i < cells.length; i++) {
      const value = values[i]!;
      if (value === value) sums[cells[i]!]! += value;
      else this.#countMissing(cells[i]!);
    }
  }

  /** Counts genes whose entries were added, including those without entries. */
  countGenes(count: number): void {
    this.#geneCount += count;
  }

  /** Adds the sums of other genes over the same cells. Throws RangeError for other cells. */
  join(other: SummedGenes): void {
    if (other.sums.length !== this.cellCount) {
      throw new RangeError(
        `Sums of ${other.sums.length} cells cannot be joined to those of ${this.cellCount}.`,
      );
    }
    const { sums } = this;
    for (let cell = 0; cell < sums.length; cell++) sums[cell]! += other.sums[cell]!;
    if (other.missing) {
      this.#missing ??= new Int32Array(this.cellCount);
      for (let cell = 0; cell < sums.length; cell++) this.#missing[cell]! += other.missing[cell]!;
    }
    this.#geneCount += other.geneCount;
  }

  /** Plain data that threads can exchange. */
  get summed(): SummedGenes {
    return { sums: this.sums, geneCount: this.#geneCount, missing: this.#missing };
  }

  /** Mean per cell over the genes added: cellCount values, NaN without genes. */
  means(): Float64Array {
    const means = new Float64Array(this.cellCount);
    const { sums } = this;
    const missing = this.#missing;
    for (let cell = 0; cell < means.length; cell++) {
      means[cell] = sums[cell]! / (this.#geneCount - (missing ? missing[cell]! : 0));
    }
    return means;
  }

  #countMissing(cell: number): void {
    this.#missing ??= new Int32Array(this.cellCount);
    this.#missing[cell]!++;
  }
}

/**
 * Score per cell: mean over the signature's genes minus mean over the control genes, as scanpy's `score_genes`. With a
 * mask, cells outside it are NaN, and the control genes must have been planned from means over the mask. Throws
 * RangeError if a sum has no genes or the cells do not match.
 */
export function signatureScores(genes: ScoreSum, controls: ScoreSum, mask?: CellMask): Float64Array {
  const { cellCount } = genes;
  if (controls.cellCount !== cellCount || (mask && mask.bits.length !== cellCount)) {
    throw new RangeError('The genes, the control genes and the mask of a score must be of the same cells.');
  }
  if (genes.geneCount === 0 || controls.geneCount === 0) {
    throw new RangeError('A score needs at least one gene and one control gene.');
  }
  const scores = genes.means();
  const controlMeans = controls.means();
  for (let cell = 0; cell < cellCount; cell++) scores[cell]! -= controlMeans[cell]!;
  if (mask) {
    for (let cell = 0; cell < cellCount; cell++) if (mask.bits[cell] === 0) scores[cell] = NaN;
  }
  return scores;
}
