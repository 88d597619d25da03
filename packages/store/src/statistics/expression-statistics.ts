import { engine, fixedMemory, tallyModule } from '@cellfolio/kernels';
import type { CategoricalColumn } from '@cellfolio/model';
import { numbers, type PlannedNode, storedNames } from '../encode-column.ts';
import type { MatrixShape } from '../matrix-writer.ts';
import { cellStrata, type CellStrata, chooseColumns, type ChosenColumn } from './choose-columns.ts';
import { columnAttribute, geneMeansPath, groupStatisticsPath, statisticsPath } from './group-statistics.ts';

/** Strata beyond which adding them up by column would cost more than another look at the entries. */
const maxStrata = 2048;
const entriesPerStratum = 8;
/** Values of a chunk of what is also read of single genes: 256 KiB or less. */
const chunkValues = 1 << 15;

/** Sums by slot of all genes. */
interface ColumnSums extends ChosenColumn {
  readonly sums: Float64Array;
  readonly squares: Float64Array;
  readonly expressing: Int32Array;
}

/**
 * Adds up what every analysis of whole datasets begins with, while the entries of a float32 matrix pass on their way to
 * the disk: the mean of each gene, and its sums in the groups of some columns.
 */
export class ExpressionStatistics {
  readonly #shape: MatrixShape;
  readonly #cuts: readonly CellStrata[];
  readonly #columns: readonly (readonly ColumnSums[])[];
  readonly #tally: EntryTally;
  readonly #means: Float64Array;
  #position = 0;
  #gene = 0;

  constructor(shape: MatrixShape, groups: ReadonlyMap<string, CategoricalColumn>) {
    const { geneCount, cellCount, indptr } = shape;
    const valueCount = indptr[geneCount]!;
    this.#shape = shape;
    this.#means = new Float64Array(geneCount);
    const chosen = chooseColumns(groups, { geneCount, valueCount });
    const limit = Math.min(maxStrata, valueCount / Math.max(1, geneCount) / entriesPerStratum);
    this.#cuts = cellStrata(chosen, { cellCount, maxStrata: limit });
    this.#columns = this.#cuts.map(({ columns }) =>
      columns.map((column) => ({
        ...column,
        sums: new Float64Array(geneCount * column.slotCount),
        squares: new Float64Array(geneCount * column.slotCount),
        expressing: new Int32Array(geneCount * column.slotCount),
      })),
    );
    this.#tally = new EntryTally(this.#cuts, cellCount);
  }

  /** The next entries, of which there are as many as the shape announces in all. */
  add(cells: Int32Array, values: Float32Array): void {
    const { indptr } = this.#shape;
    for (let from = 0; from < cells.length;) {
      while (this.#position >= indptr[this.#gene + 1]!) this.#closeGene();
      const to = Math.min(cells.length, from + indptr[this.#gene + 1]! - this.#position);
      this.#tally.add(cells, values, from, to);
      this.#position += to - from;
      from = to;
    }
  }

  /** What is to be stored, once all entries have come. */
  nodes(): PlannedNode[] {
    const { geneCount } = this.#shape;
    while (this.#gene < geneCount) this.#closeGene();
    const columns = this.#columns.flat();
    const stored = storedNames(columns.map(({ name }) => name));
    return [
      dict(statisticsPath),
      numbers(geneMeansPath, 'float64', this.#means),
      dict(groupStatisticsPath),
      ...columns.flatMap(({ name, categories, slotCount, sums, squares, expressing }) => {
        const path = `${groupStatisticsPath}/${stored.get(name)!}`;
        const shape = [geneCount, slotCount];
        return [
          dict(path, { [columnAttribute]: name }),
          numbers(`${path}/categories`, 'int32', categories),
          { ...numbers(`${path}/sums`, 'float64', sums, shape), chunkValues },
          numbers(`${path}/squares`, 'float64', squares, shape),
          { ...numbers(`${path}/expressing`, 'int32', expressing, shape), chunkValues },
        ];
      }),
    ];
  }

  /** Adds the strata of a gene up by column, and begins with the next one. */
  #closeGene(): void {
    const gene = this.#gene++;
    const { sum, missing } = this.#tally.gene;
    this.#means[gene] = sum / (this.#shape.cellCount - missing);
    for (let cut = 0; cut < this.#cuts.length; cut++) {
      const { count, slots } = this.#cuts[cut]!;
      const columns = this.#columns[cut]!;
      for (let stratum = 0; stratum < count; stratum++) {
        const of = this.#tally.stratum(cut, stratum);
        if (of.expressing === 0) continue;
        for (let i = 0; i < columns.length; i++) {
          const { sums, squares, expressing, slotCount } = columns[i]!;
          const at = gene * slotCount + slots[i]![stratum]!;
          sums[at]! += of.sum;
          squares[at]! += of.squares;
          expressing[at]! += of.expressing;
        }
      }
    }
    this.#tally.clear();
  }
}

function dict(path: string, attributes: Readonly<Record<string, string>> = {}): PlannedNode {
  return {
    kind: 'group',
    path,
    attributes: { 'encoding-type': 'dict', 'encoding-version': '0.1.0', ...attributes },
  };
}

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
class EntryTally {
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
