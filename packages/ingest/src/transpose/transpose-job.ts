import {
  addCellSums,
  addGeneSums,
  type EntryTarget,
  EntryWriter,
  ShapeMismatch,
} from '@cellfolio/store/worker';
import type { WrittenPart } from '@cellfolio/store';
import { type ElementSource, StoredReader } from '../hdf5/stored-reader.ts';
import { CellBatchSorter, cleanGeneBatch } from './batch-sorters.ts';
import { GenePasses, type CountedRows, type CountTask, type ScatterTask } from './gene-passes.ts';
import { indexOutOfRange, MatrixReader } from './matrix-reader.ts';
import { EntryOutOfRange, type SortedBatch, type ValueArray } from './gene-major-matrix.ts';
import type { Spill } from './spill.ts';
import { isStored, UnpackedEntries } from './unpacked-entries.ts';
import { emptyStatistics, observe, type ValueStatistics } from './value-statistics.ts';
import type {
  BatchRecord,
  GatheredGenes,
  GatherTask,
  GeneRun,
  JobSetting,
  SortTask,
  StoreTask,
} from './transpose-tasks.ts';

/** Work of one thread: it sorts batches into a spill, and later gathers genes from all spills. */
export class TransposeJob {
  readonly #setting: JobSetting;
  readonly #spills: readonly Spill[];
  readonly #file: ElementSource & { close(): void };
  readonly #reader: MatrixReader;
  readonly #unpacked: UnpackedEntries | undefined;
  #sorter: CellBatchSorter | undefined;
  #passes: GenePasses | undefined;
  #indices: Int32Array;
  #values: ValueArray;
  /** Latest gathered genes; the memory is reused. */
  #gathered: GatheredGenes = { cells: new Int32Array(0), values: new Float32Array(0) };
  #writer: EntryWriter | undefined;

  private constructor(
    setting: JobSetting,
    spills: readonly Spill[],
    file: ElementSource & { close(): void },
  ) {
    this.#setting = setting;
    this.#spills = spills;
    this.#file = file;
    const { layout, path, unpackTo, valueType } = setting;
    this.#reader = new MatrixReader(file, layout);
    if (unpackTo !== undefined && layout.format !== 'dense')
      this.#unpacked = new UnpackedEntries(path, layout, { descriptor: unpackTo, valueType });
    this.#indices = new Int32Array(0);
    this.#values = new Float32Array(0);
  }

  static async open(setting: JobSetting, spills: readonly Spill[]): Promise<TransposeJob> {
    const { layout, path } = setting;
    if (layout.format !== 'dense' && isStored(layout))
      return new TransposeJob(setting, spills, new StoredReader(path));
    // Only now, for it takes a thread a third of a second of the processor to compile the library.
    const { Hdf5File } = await import('../hdf5/hdf5-file.ts');
    return new TransposeJob(setting, spills, await Hdf5File.open(path));
  }

  sort(task: SortTask): BatchRecord {
    this.#prepare();
    if (this.#setting.again) {
      // Without totals: what is normalised need not be until it is gathered.
      const { firstGene, geneStart, statistics, asStored } = this.#sorted({ ...task, totals: undefined });
      this.#noteRounding(statistics);
      const nowhere = { spill: -1, cellsAt: -1, valuesAt: -1, countsAt: -1 };
      return { ...nowhere, firstGene, geneStart, statistics, asStored };
    }
    const batch = this.#sorted(task);
    this.#noteRounding(batch.statistics);
    if (batch.counts !== undefined) this.#sumNormalised(batch);
    const end = batch.geneStart[batch.geneStart.length - 1]!;
    const spill = this.#spills[this.#setting.spill]!;
    return {
      spill: this.#setting.spill,
      firstGene: batch.firstGene,
      geneStart: batch.geneStart,
      cellsAt: spill.append(batch.cells.subarray(0, end)),
      valuesAt: spill.append(batch.values.subarray(0, end)),
      countsAt: batch.counts === undefined ? -1 : spill.append(batch.counts.subarray(0, end)),
      statistics: batch.statistics,
    };
  }

  sum(task: SortTask): ValueStatistics {
    this.#prepare();
    const { layout, path } = this.#setting;
    const start = task.rowStart[0]!;
    const count = task.rowStart[task.count]! - start;
    this.#readGenes(task);
    const totals = task.totals!;
    for (let i = 0; i < count; i++) {
      const cell = this.#indices[i]!;
      if (cell >>> 0 >= layout.cellCount) {
        throw indexOutOfRange(
          path,
          `${layout.path}/indices`,
          start + i,
          ` (cell ${cell} of ${layout.cellCount})`,
        );
      }
      totals[cell]! += this.#values[i]!;
    }
    const statistics = emptyStatistics();
    observe(this.#values, count, statistics);
    return statistics;
  }

  /** Gathers genes; frees the memory that sorting needed. */
  gather(task: GatherTask, records: readonly BatchRecord[]): void {
    const { into } = task;
    if (task.again === undefined) return this.#gather(task, records, into);
    let at = 0;
    for (const { cells, values } of this.#pieces(task, into.cells.length, records)) {
      into.cells.set(cells, at);
      into.values.set(values, at);
      at += cells.length;
    }
  }

  target(target: EntryTarget): void {
    this.#writer = new EntryWriter(target);
  }

  /** Throws StoreWriteFailed, ShapeMismatch, and all errors of reading. */
  store({ position, count, files, from }: StoreTask, records: readonly BatchRecord[]): WrittenPart {
    const writer = this.#writer!;
    writer.begin(position);
    let left = count;
    for (const { cells, values } of 'cells' in from ? [from] : this.#pieces(from, count, records)) {
      left -= cells.length;
      if (left >= 0) writer.add(cells, values, files);
    }
    // Another file under this name would have other entries than those the places come from.
    if (left !== 0)
      throw new ShapeMismatch(this.#setting.layout.path, `${count - left} entries where there were ${count}`);
    return writer.end();
  }

  *#pieces(run: GeneRun, count: number, records: readonly BatchRecord[]): Generator<GatheredGenes> {
    for (const task of run.again ?? []) yield this.#readAgain(run, task);
    if (run.again === undefined) yield this.#run(run, count, records);
  }

  #run(run: GeneRun, count: number, records: readonly BatchRecord[]): GatheredGenes {
    const { normalise, valueType } = this.#setting;
    const wide = valueType === 'float64' && (run.values === 'counts' || !normalise);
    const Values = wide ? Float64Array : Float32Array;
    // Expression and the counts behind it can be of different types.
    if (this.#gathered.cells.length < count || !(this.#gathered.values instanceof Values))
      this.#gathered = { cells: new Int32Array(count), values: new Values(count) };
    const { cells, values } = this.#gathered;
    const into = { cells: cells.subarray(0, count), values: values.subarray(0, count) };
    this.#gather(run, records, into);
    return into;
  }

  #gather(task: GeneRun, records: readonly BatchRecord[], into: GatheredGenes): void {
    this.#sorter = undefined;
    this.#indices = new Int32Array(0);
    this.#values = new Float32Array(0);
    const { firstGene, endGene } = task;
    const parts = records.flatMap((record) => {
      const low = Math.max(firstGene, record.firstGene) - record.firstGene;
      const high = Math.min(endGene, record.firstGene + record.geneStart.length - 1) - record.firstGene;
      if (high <= low || record.geneStart[high] === record.geneStart[low]) return [];
      return [{ record, low, high }];
    });
    const geneEnd = new Float64Array(endGene - firstGene);
    let longest = 0;
    for (const { record, low, high } of parts) {
      const { geneStart } = record;
      const shift = record.firstGene - firstGene;
      for (let g = low; g < high; g++) geneEnd[g + shift]! += geneStart[g + 1]! - geneStart[g]!;
      longest = Math.max(longest, geneStart[high]! - geneStart[low]!);
    }
    for (let g = 1; g < geneEnd.length; g++) geneEnd[g]! += geneEnd[g - 1]!;
    const { cells, values } = into;
    const piece = new ArrayBuffer(longest * Math.max(4, values.BYTES_PER_ELEMENT));
    const collect = (target: Int32Array | ValueArray, at: 'cellsAt' | 'valuesAt' | 'countsAt') => {
      const next = new Float64Array(geneEnd.length);
      next.set(geneEnd.subarray(0, -1), 1);
      const width = target.BYTES_PER_ELEMENT;
      for (const { record, low, high } of parts) {
        const { geneStart } = record;
        const from = geneStart[low]!;
        const length = geneStart[high]! - from;
        this.#spills[record.spill]!.read(record[at] + from * width, new Uint8Array(piece, 0, length * width));
        const source = new (target.constructor as Float32ArrayConstructor)(piece, 0, length);
        copyRuns(source, target as Float32Array, geneStart, low, high, next, record.firstGene - firstGene);
      }
    };
    collect(cells, 'cellsAt');
    collect(values, task.values === 'counts' ? 'countsAt' : 'valuesAt');
  }

  #readAgain({ values: what }: GeneRun, task: SortTask): GatheredGenes {
    this.#prepare();
    const { count, rowStart, totals, asStored } = task;
    if (asStored === true && totals === undefined) {
      const end = rowStart[count]! - rowStart[0]!;
      this.#readGenes({ ...task, seen: true });
      return { cells: this.#indices.subarray(0, end), values: this.#values.subarray(0, end) };
    }
    const batch = this.#sorted({ ...task, seen: true });
    if (what === 'expression' && batch.counts !== undefined) this.#sumNormalised(batch);
    const { geneStart, cells, values, counts = values } = batch;
    const end = geneStart[geneStart.length - 1]!;
    return {
      cells: cells.subarray(0, end),
      values: (what === 'counts' ? counts : values).subarray(0, end),
    };
  }

  count(task: CountTask): CountedRows {
    try {
      const counted = this.#genePasses().count(task);
      this.#noteRounding(counted.statistics);
      return counted;
    } catch (error) {
      throw this.#placed(error, 0);
    }
  }

  #sumNormalised({ firstGene, geneStart: starts, cells, values }: SortedBatch): void {
    addGeneSums(this.#setting.sums.normalised, { firstGene, starts, cells, values });
  }

  #noteRounding(statistics: ValueStatistics): void {
    if (this.#reader.rounded) statistics.rounded = 1;
  }

  scatter(task: ScatterTask): void {
    this.#genePasses().scatter(task);
  }

  close(): void {
    this.#file.close();
  }

  #prepare(): void {
    const { layout, normalise, valueType, batchEntries } = this.#setting;
    if (this.#indices.length > 0) return;
    this.#indices = new Int32Array(batchEntries);
    this.#values = valueType === 'float32' ? new Float32Array(batchEntries) : new Float64Array(batchEntries);
    if (layout.format === 'csc') return;
    const { geneCount } = layout;
    this.#sorter = new CellBatchSorter({ geneCount, capacity: batchEntries, normalise, valueType });
  }

  #sorted(task: SortTask): SortedBatch {
    const { layout } = this.#setting;
    const { first, count } = task;
    const indices = this.#indices;
    const values = this.#values;
    const sums = this.#setting.sums.read;
    const start = task.rowStart[0] ?? 0;
    try {
      if (layout.format !== 'csc') {
        const rowStart = this.#readCells(task);
        addCellSums(sums, { firstCell: first, starts: rowStart, genes: indices, values });
        return this.#sorter!.sort({ firstCell: first, rowStart, rowCount: count, indices, values }, sums);
      }
      const rowStart = task.rowStart.map((position) => position - start);
      this.#readGenes(task);
      const seen = task.seen === true;
      if (!seen) addGeneSums(sums, { firstGene: first, starts: rowStart, cells: indices, values });
      const batch = { firstGene: first, geneCount: count, rowStart, indices, values };
      return cleanGeneBatch(batch, {
        cellCount: layout.cellCount,
        totals: task.totals,
        seen,
        ...(!seen && { sums }),
      });
    } catch (error) {
      throw this.#placed(error, start);
    }
  }

  /** Reads the entries of some cells; returns where those of each cell begin. */
  #readCells({ first, count, rowStart }: SortTask): Float64Array {
    if (this.#setting.layout.format === 'dense')
      return this.#reader.denseRows(first, count, this.#indices, this.#values);
    const start = rowStart[0]!;
    this.#reader.entries(start, rowStart[count]!, this.#indices, this.#values);
    return rowStart.map((position) => position - start);
  }

  /** Reads the entries of some genes of a gene-major matrix, and keeps them unpacked at the first read. */
  #readGenes({ kind, first, rowStart, count, seen }: SortTask): void {
    const unpacked = this.#unpacked;
    const again = kind === 'sort' && (seen === true || this.#setting.normalise);
    const reader = again && unpacked ? unpacked.reader : this.#reader;
    reader.geneEntries(first, rowStart, count, this.#indices, this.#values);
    if (again || !unpacked) return;
    const length = rowStart[count]! - rowStart[0]!;
    unpacked.keep(rowStart[0]!, this.#indices.subarray(0, length), this.#values.subarray(0, length));
  }

  #genePasses(): GenePasses {
    const { layout, batchEntries: sliceEntries, sums } = this.#setting;
    return (this.#passes ??= new GenePasses(this.#reader, layout, {
      sliceEntries,
      sums,
      unpacked: this.#unpacked,
    }));
  }

  /** Converts EntryOutOfRange to an error with the position in the file; `start` is the batch's first entry. */
  #placed(error: unknown, start: number): unknown {
    if (!(error instanceof EntryOutOfRange)) return error;
    const { layout, path } = this.#setting;
    const what = layout.format === 'csc' ? 'cell' : 'gene';
    const detail = ` (${what} ${error.index} of ${error.limit})`;
    return indexOutOfRange(path, `${layout.path}/indices`, start + error.position, detail);
  }
}

/** Copies the run of each gene to its place. Short runs are copied in a loop: creating a view costs more. */
function copyRuns(
  source: Float32Array,
  into: Float32Array,
  geneStart: Uint32Array,
  low: number,
  high: number,
  next: Float64Array,
  shift: number,
): void {
  const base = geneStart[low]!;
  for (let gene = low; gene < high; gene++) {
    const from = geneStart[gene]! - base;
    const until = geneStart[gene + 1]! - base;
    let to = next[gene + shift]!;
    if (until - from > 48) {
      into.set(source.subarray(from, until), to);
      to += until - from;
    } else {
      for (let i = from; i < until; i++) into[to++] = source[i]!;
    }
    next[gene + shift] = to;
  }
}
