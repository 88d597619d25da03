import { engine, tallyModule, type WasmMemory, type WasmModule } from '@cellfolio/kernels';
import type { CellStrata } from './choose-columns.ts';

/** Sums of one column, by gene and slot, in shared memory: each gene's rows belong to one thread. */
export interface ColumnSums {
  slotCount: number;
  sums: Float64Array;
  squares: Float64Array;
  expressing: Int32Array;
}

/** Statistics collected while the entries of a float32 matrix are written. Plain data over shared memory. */
export interface StatisticsTarget {
  cellCount: number;
  indptr: Float64Array;
  means: Float64Array;
  cuts: readonly (Pick<CellStrata, 'count' | 'strata' | 'slots'> & {
    columns: readonly ColumnSums[];
  })[];
}

type Tally = (
  cells: number,
  values: number,
  end: number,
  places: number,
  strata: number,
  gene: number,
) => void;

/** Bytes per stratum: the sum of its values and of their squares, in float64, and the number of non-zero values. */
const stratumBytes = 24;
const wordsPerStratum = stratumBytes / 8;

let compiled: WasmModule | undefined;

/**
 * Adds up the entries of one gene after the other, by stratum of each cut of the cells, and at its end the strata by
 * column. Works on entries in the given memory.
 */
export class GeneTally {
  readonly #target: StatisticsTarget;
  readonly #tally: Tally;
  /**
   * Per cut, the addresses of its places, its strata, and the sum of the gene, of which only the first cut's counts.
   */
  readonly #cuts: readonly { places: number; strata: number; gene: number }[];
  readonly #strata: readonly { sums: Float64Array; counts: Int32Array }[];
  readonly #geneSum: Float32Array;
  readonly #geneMissing: Int32Array;
  #position = 0;
  #gene = 0;

  static bytes(target: StatisticsTarget): number {
    return layOut(target, 0).end;
  }

  /** `at`: address of `bytes` free bytes, a multiple of 8. */
  constructor(target: StatisticsTarget, memory: WasmMemory, at: number) {
    this.#target = target;
    compiled ??= new engine.Module(tallyModule);
    const { exports } = new engine.Instance(compiled, { env: { memory } });
    this.#tally = (exports as { tally: Tally }).tally;
    this.#cuts = layOut(target, at).cuts;
    const { buffer } = memory;
    const all = cutsOf(target);
    this.#strata = all.map(({ count }, i) => ({
      sums: new Float64Array(buffer, this.#cuts[i]!.strata, wordsPerStratum * count),
      counts: new Int32Array(buffer, this.#cuts[i]!.strata, 2 * wordsPerStratum * count),
    }));
    all.forEach(({ strata }, i) => {
      const places = new Uint16Array(buffer, this.#cuts[i]!.places, target.cellCount);
      for (let cell = 0; cell < places.length; cell++) places[cell] = wordsPerStratum * (strata?.[cell] ?? 0);
    });
    this.#geneSum = new Float32Array(buffer, this.#cuts[0]!.gene, 1);
    this.#geneMissing = new Int32Array(buffer, this.#cuts[0]!.gene + 4, 1);
  }

  begin(position: number): void {
    const { indptr } = this.#target;
    this.#position = position;
    this.#gene = 0;
    while (this.#gene + 1 < indptr.length && indptr[this.#gene + 1]! <= position) this.#gene++;
    this.#clear();
  }

  /** Adds the next `count` entries, given by the addresses of their cells and values. */
  add(cells: number, values: number, count: number): void {
    const { indptr } = this.#target;
    for (let from = 0; from < count;) {
      while (this.#position >= indptr[this.#gene + 1]!) this.#closeGene();
      const to = Math.min(count, from + indptr[this.#gene + 1]! - this.#position);
      for (const { places, strata, gene } of this.#cuts)
        this.#tally(cells + 4 * from, values + 4 * from, values + 4 * to, places, strata, gene);
      this.#position += to - from;
      from = to;
    }
  }

  end(): void {
    const { indptr } = this.#target;
    if (this.#gene + 1 < indptr.length && this.#position >= indptr[this.#gene + 1]!) this.#closeGene();
  }

  #closeGene(): void {
    const gene = this.#gene++;
    const { means, cellCount, cuts } = this.#target;
    // In float32, as scipy adds up the columns of a matrix.
    means[gene] = this.#geneSum[0]! / (cellCount - this.#geneMissing[0]!);
    cuts.forEach(({ count, slots, columns }, cut) => {
      const { sums, counts } = this.#strata[cut]!;
      for (let stratum = 0; stratum < count; stratum++) {
        const word = wordsPerStratum * stratum;
        const expressing = counts[2 * (word + 2)]!;
        if (expressing === 0) continue;
        for (let i = 0; i < columns.length; i++) {
          const into = columns[i]!;
          const at = gene * into.slotCount + slots[i]![stratum]!;
          into.sums[at]! += sums[word]!;
          into.squares[at]! += sums[word + 1]!;
          into.expressing[at]! += expressing;
        }
      }
    });
    this.#clear();
  }

  #clear(): void {
    for (const { sums } of this.#strata) sums.fill(0);
    this.#geneSum[0] = 0;
    this.#geneMissing[0] = 0;
  }
}

/** Without columns all cells are one stratum. */
function cutsOf({ cuts }: StatisticsTarget): readonly { count: number; strata?: Uint16Array }[] {
  return cuts.length > 0 ? cuts : [{ count: 1 }];
}

function layOut(target: StatisticsTarget, at: number) {
  let end = at;
  const place = (bytes: number) => {
    const start = end;
    end += Math.ceil(bytes / 8) * 8;
    return start;
  };
  const cuts = cutsOf(target).map(({ count }) => ({
    gene: place(8),
    strata: place(stratumBytes * count),
    places: place(2 * target.cellCount),
  }));
  return { cuts, end: end - at };
}
