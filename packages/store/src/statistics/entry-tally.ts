import { engine, fixedMemory, tallyModule } from '@cellfolio/kernels';
import type { CellStrata } from './choose-columns.ts';

type Tally = (
  cells: number,
  values: number,
  end: number,
  places: number,
  strata: number,
  gene: number,
) => void;

/** Bytes of a stratum: the sum of its values and of their squares, in float64, and the number of values but 0. */
const stratumBytes = 24;

/** Entries that are copied into the memory of the loop at a time. */
const copiedEntries = 1 << 15;
const wordsPerStratum = stratumBytes / 8;

/** Adds up the entries of one gene after the other, by stratum of each of some cuts of the cells. */
export class EntryTally {
  readonly #tally: Tally;
  readonly #cells: Int32Array;
  readonly #values: Float32Array;
  /** Of each cut the addresses of its places, its strata, and the sum of the gene, which only the first one's counts. */
  readonly #cuts: readonly { places: number; strata: number; gene: number }[];
  readonly #strata: readonly { sums: Float64Array; counts: Int32Array }[];
  readonly #geneSum: Float32Array;
  readonly #geneMissing: Int32Array;

  constructor(cuts: readonly CellStrata[], cellCount: number) {
    // Without columns all cells are one stratum.
    const all = cuts.length > 0 ? cuts : [{ count: 1, strata: new Uint16Array(cellCount) }];
    let end = 0;
    const place = (bytes: number) => {
      const start = end;
      end += Math.ceil(bytes / 8) * 8;
      return start;
    };
    const cells = place(4 * copiedEntries);
    const values = place(4 * copiedEntries);
    this.#cuts = all.map(({ count }) => ({
      gene: place(8),
      strata: place(stratumBytes * count),
      places: place(2 * cellCount),
    }));
    const memory = fixedMemory(end);
    const { exports } = new engine.Instance(new engine.Module(tallyModule), { env: { memory } });
    this.#tally = (exports as { tally: Tally }).tally;
    this.#cells = new Int32Array(memory.buffer, cells, copiedEntries);
    this.#values = new Float32Array(memory.buffer, values, copiedEntries);
    this.#strata = all.map(({ count }, i) => ({
      sums: new Float64Array(memory.buffer, this.#cuts[i]!.strata, wordsPerStratum * count),
      counts: new Int32Array(memory.buffer, this.#cuts[i]!.strata, 2 * wordsPerStratum * count),
    }));
    all.forEach(({ strata }, i) =>
      new Uint16Array(memory.buffer, this.#cuts[i]!.places, cellCount).set(
        strata.map((stratum) => wordsPerStratum * stratum),
      ),
    );
    this.#geneSum = new Float32Array(memory.buffer, this.#cuts[0]!.gene, 1);
    this.#geneMissing = new Int32Array(memory.buffer, this.#cuts[0]!.gene + 4, 1);
  }

  /** Adds entries of the gene at hand; their cells are those of the cuts. */
  add(cells: Int32Array, values: Float32Array, from: number, to: number): void {
    for (let at = from; at < to; at += copiedEntries) {
      const end = Math.min(to, at + copiedEntries);
      this.#cells.set(cells.subarray(at, end));
      this.#values.set(values.subarray(at, end));
      const first = this.#values.byteOffset;
      for (const { places, strata, gene } of this.#cuts) {
        this.#tally(this.#cells.byteOffset, first, first + 4 * (end - at), places, strata, gene);
      }
    }
  }

  /** Of the gene at hand: its sum, in float32 as scipy adds up the columns of a matrix, and its values that are NaN. */
  get gene(): { sum: number; missing: number } {
    return { sum: this.#geneSum[0]!, missing: this.#geneMissing[0]! };
  }

  /** Of the gene at hand, in a stratum of a cut: sum, sum of squares and number of the values that are not 0. */
  stratum(cut: number, stratum: number): { sum: number; squares: number; expressing: number } {
    const { sums, counts } = this.#strata[cut]!;
    const at = wordsPerStratum * stratum;
    return { sum: sums[at]!, squares: sums[at + 1]!, expressing: counts[2 * (at + 2)]! };
  }

  /** Begins with the next gene. */
  clear(): void {
    for (const { sums } of this.#strata) sums.fill(0);
    this.#geneSum[0] = 0;
    this.#geneMissing[0] = 0;
  }
}
