/**
 * Centred log ratio of counts by cell, ln(1 + x / exp(mean of ln(1 + x))), with the mean over all proteins of the cell,
 * zeros included: Seurat's `NormalizeData(normalization.method = "CLR", margin = 2)` and muon's `prot.pp.clr(axis=1)`.
 * The pseudocount is 1, no value is negative, and 0 stays 0. Proteins not measured in a cell (NaN) stay NaN and do not
 * count in its mean.
 */
export class CentredLogRatio {
  readonly #logs: Float64Array;
  /** Number of proteins measured in each cell. */
  readonly #measured: Int32Array;
  /** exp of each cell's mean; undefined until all counts are in. */
  #centres: Float64Array | undefined;

  constructor(cellCount: number) {
    this.#logs = new Float64Array(cellCount);
    this.#measured = new Int32Array(cellCount);
  }

  /** Adds the counts of one protein. All proteins must be added before the first ratio is requested. */
  add(counts: Float64Array): void {
    const [logs, measured] = [this.#logs, this.#measured];
    for (let cell = 0; cell < logs.length; cell++) {
      const count = counts[cell]!;
      if (count !== count) continue;
      logs[cell]! += Math.log1p(count);
      measured[cell]!++;
    }
  }

  of(counts: Float64Array): Float32Array {
    const centres = (this.#centres ??= this.#logs.map((sum, cell) => Math.exp(sum / this.#measured[cell]!)));
    const ratios = new Float32Array(counts.length);
    for (let cell = 0; cell < ratios.length; cell++)
      ratios[cell] = Math.log1p(counts[cell]! / centres[cell]!);
    return ratios;
  }
}
