/**
 * log1p(10,000 x count / total of the cell): the expression of scanpy's normalize_total(1e4) and log1p, computed in
 * float64 and rounded once to float32.
 */
export class LogNormaliser {
  // Within a cell most counts are small and repeat, so that a logarithm is taken once a distinct count.
  readonly #cache = new Float64Array(1024);
  readonly #knownIn = new Float64Array(1024).fill(-1);
  #cell = 0;
  #scale = 1;

  /** Moves to the next cell. A cell without counts has no values to normalise. */
  startCell(total: number): void {
    this.#cell++;
    this.#scale = total === 0 ? 1 : 1e4 / total;
  }

  value(count: number): number {
    // Counts with fractions hardly repeat.
    if (count >= 1024 || Math.floor(count) !== count) return Math.log1p(count * this.#scale);
    if (this.#knownIn[count] !== this.#cell) {
      this.#knownIn[count] = this.#cell;
      this.#cache[count] = Math.log1p(count * this.#scale);
    }
    return this.#cache[count]!;
  }
}
