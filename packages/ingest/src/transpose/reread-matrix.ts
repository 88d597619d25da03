import type { MatrixWriter } from '@cellfolio/store';
import type { Hdf5File } from '../hdf5/hdf5-file.ts';
import type { MatrixLayout } from '../layout/matrix-layout.ts';
import type { GeneMajorMatrix, ReadOptions, WriteOptions } from './gene-major-matrix.ts';
import type { RowPart, ScatterTask } from './gene-passes.ts';
import { type StoredRun, storeRuns } from './store-genes.ts';
import { assertCounts, mergedStatistics, type ValueStatistics } from './value-statistics.ts';
import {
  maxSliceRows,
  partCount,
  planReread,
  type RereadPlan,
  cutRows,
  inlineEntries,
} from './transpose-plan.ts';
import { longestRow, rowPositions } from './matrix-reader.ts';
import { SpillFiles } from './spill.ts';
import { threadSums, totalSums } from './thread-sums.ts';
import type { ThreadSums } from './transpose-tasks.ts';
import { shareTasks, workerThread, type TransposeThread } from './transpose-threads.ts';
import { isPacked, isStored } from './unpacked-entries.ts';

/** Entries passed to the writer at once: few enough that the compressing threads never wait for long. */
const pieceEntries = 524_288;

/** Share of the budget for a compressed matrix: inflated data waits in memory until it is collected. */
const unpackingShare = 0.8;

interface CountedPart extends RowPart {
  counts: Uint32Array;
}

interface Block {
  cells: Int32Array;
  values: Float32Array;
  valueBits: Int32Array;
}

/**
 * A matrix whose genes are assembled by rereading the file for each block of genes that fits in memory. If the system
 * caches the file, that is several times faster than sorting through a temporary file.
 */
export class RereadMatrix implements GeneMajorMatrix {
  readonly statistics: ValueStatistics;
  readonly indptr: Float64Array;
  readonly wide = false;
  readonly plan: RereadPlan;
  readonly #file: Hdf5File;
  readonly #threads: readonly TransposeThread[];
  readonly #parts: readonly CountedPart[];
  readonly #normalised: boolean;
  readonly #spill: SpillFiles | undefined;
  readonly #sums: readonly ThreadSums[];
  #block: Block | undefined;
  #closed = false;

  private constructor(
    file: Hdf5File,
    plan: RereadPlan,
    threads: readonly TransposeThread[],
    parts: readonly CountedPart[],
    statistics: ValueStatistics,
    {
      normalised,
      spill,
      sums,
    }: { normalised: boolean; spill: SpillFiles | undefined; sums: readonly ThreadSums[] },
  ) {
    this.#sums = sums;
    this.#file = file;
    this.#spill = spill;
    this.plan = plan;
    this.#threads = threads;
    this.#parts = parts;
    this.statistics = statistics;
    this.#normalised = normalised;
    const geneCount = parts[0]!.counts.length;
    this.indptr = new Float64Array(geneCount + 1);
    for (let gene = 0; gene < geneCount; gene++) {
      let end = this.indptr[gene]!;
      for (const { counts } of parts) end += counts[gene]!;
      this.indptr[gene + 1] = end;
    }
  }

  /**
   * Counts the entries of each gene, and keeps those of a compressed matrix as they are read. Undefined if sorting
   * suits the matrix better: small, compressed by a filter that only the library decodes, not cell-major, too large for
   * the memory, or with genes that do not rise in its rows. Throws as TransposedMatrix.read does.
   */
  static async read(
    file: Hdf5File,
    layout: MatrixLayout,
    options: ReadOptions,
  ): Promise<RereadMatrix | undefined> {
    if (layout.format !== 'csr' || options.valueType !== 'float32') return undefined;
    if (layout.entryCount <= (options.inlineEntries ?? inlineEntries)) return undefined;
    // Sums of several columns do not rise in their rows.
    if (layout.geneOf !== undefined) return undefined;
    const packed = isPacked(layout);
    if (packed && !isStored(layout)) return undefined;
    const { geneCount, cellCount, entryCount, data, indices } = layout;
    const { normalise, signal, threads: threadCount } = options;
    const positions = shared(rowPositions(file, layout));
    const plan = planReread({
      geneCount,
      cellCount,
      entryCount,
      longestRow: longestRow(positions),
      memoryBudget: packed ? options.memoryBudget * unpackingShare : options.memoryBudget,
      storedBytes: entryCount * (packed ? 8 : data.type.size + indices.type.size),
      availableMemory: options.availableMemory ?? process.availableMemory(),
      threads: threadCount,
    });
    if (plan === undefined) return undefined;
    const parts = cutParts(positions, geneCount, { parts: partCount(threadCount), ...plan });
    const spill = packed ? await SpillFiles.create(options.spillFolder, 1) : undefined;
    const unpackTo = spill?.descriptors[0];
    const setting = { path: file.path, layout, normalise, valueType: 'float32', spill: 0, unpackTo } as const;
    const sums = Array.from({ length: threadCount }, () => threadSums(geneCount));
    const threads = sums.map((own) =>
      workerThread({ ...setting, batchEntries: plan.sliceEntries, sums: own }, []),
    );
    try {
      const partStatistics: ValueStatistics[] = [];
      let rising = true;
      let done = 0;
      await shareTasks(threads, parts, async (thread, part) => {
        signal?.throwIfAborted();
        file.assertUnchanged();
        const counted = await thread.count({ kind: 'count', normalise, ...part });
        // Once one value says that these are no counts, the rest of the pass would be wasted.
        if (normalise && counted.statistics.entries > 0) assertCounts(counted.statistics, options);
        partStatistics.push(counted.statistics);
        rising &&= counted.rising;
        done += positions[part.endCell]! - positions[part.firstCell]!;
        options.onRead?.(done, entryCount);
      });
      file.assertUnchanged();
      const statistics = mergedStatistics(partStatistics);
      if (normalise) assertCounts(statistics, options);
      if (rising) {
        const readState = { normalised: normalise, spill, sums };
        return new RereadMatrix(file, plan, threads, parts, statistics, readState);
      }
    } catch (error) {
      await closeAll(threads, spill);
      throw error;
    }
    await closeAll(threads, spill);
    return undefined;
  }

  /** See TransposedMatrix.write. All threads assemble a block together, then write it together. */
  async write(
    values: 'expression' | 'counts',
    writer: MatrixWriter,
    { signal, onWritten }: WriteOptions,
  ): Promise<void> {
    const { indptr } = this;
    const geneCount = indptr.length - 1;
    const normalise = this.#normalised && values === 'expression';
    // They are normalised each time that they are written.
    for (const { normalised } of this.#sums) normalised.fill(0);
    const cuts = cutRows(indptr, this.plan.blockEntries, geneCount);
    const block = this.#ownBlock(cuts);
    const starts = this.#parts.map(() => shared(new Uint32Array(geneCount)));
    const { parts } = writer;
    if (parts) await Promise.all(this.#threads.map((thread) => thread.target(parts.target)));
    for (let run = 0; run + 1 < cuts.length; run++) {
      const [firstGene, endGene] = [cuts[run]!, cuts[run + 1]!];
      await this.#fill({ kind: 'scatter', firstGene, endGene, normalise, ...block }, starts, signal);
      const start = indptr[firstGene]!;
      const length = indptr[endGene]! - start;
      if (parts) {
        const stored = this.#storedRuns(firstGene, endGene, block);
        const written = (done: number) => onWritten?.(start + done);
        await storeRuns(this.#threads, stored, parts, { signal, onWritten: written });
        continue;
      }
      for (let at = 0; at < length; at += pieceEntries) {
        signal?.throwIfAborted();
        const end = Math.min(at + pieceEntries, length);
        await writer.write(block.cells.subarray(at, end), block.values.subarray(at, end));
        onWritten?.(start + end);
      }
    }
    await writer.close({ sums: totalSums(this.#sums, normalise ? 'normalised' : 'read'), wide: false });
  }

  async #fill(
    task: Pick<ScatterTask, 'kind' | 'firstGene' | 'endGene' | 'normalise' | 'cells' | 'valueBits'>,
    starts: readonly Uint32Array[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    this.#place(task.firstGene, task.endGene, starts);
    await shareTasks(this.#threads, this.#parts, async (thread, part, i) => {
      signal?.throwIfAborted();
      await thread.scatter({ ...part, ...task, starts: starts[i]! });
    });
    // Another file under this name would have other counts than those the places come from.
    this.#file.assertUnchanged();
  }

  /** Splits a block's genes into enough runs that no thread is idle for long at the end. */
  #storedRuns(firstGene: number, endGene: number, { cells, values }: Block): StoredRun[] {
    const positions = this.indptr.subarray(firstGene, endGene + 1);
    const start = positions[0]!;
    const maxEntries = Math.ceil(
      (positions[positions.length - 1]! - start) / partCount(this.#threads.length),
    );
    const cuts = cutRows(positions, maxEntries, positions.length);
    return cuts.slice(0, -1).map((gene, i) => {
      const [from, to] = [positions[gene]! - start, positions[cuts[i + 1]!]! - start];
      const genes = { cells: cells.subarray(from, to), values: values.subarray(from, to) };
      return { position: start + from, count: to - from, from: genes };
    });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#block = undefined;
    await closeAll(this.#threads, this.#spill);
  }

  /** Reuses the same memory for every pass: new memory costs as much as filling it. */
  #ownBlock(cuts: readonly number[]): Block {
    if (this.#block) return this.#block;
    let maxEntries = 0;
    for (let i = 0; i + 1 < cuts.length; i++)
      maxEntries = Math.max(maxEntries, this.indptr[cuts[i + 1]!]! - this.indptr[cuts[i]!]!);
    const values = new SharedArrayBuffer(maxEntries * 4);
    return (this.#block = {
      cells: new Int32Array(new SharedArrayBuffer(maxEntries * 4)),
      values: new Float32Array(values),
      valueBits: new Int32Array(values),
    });
  }

  /** Offsets of the genes' entries inside their block: part after part, so that cells rise. */
  #place(firstGene: number, endGene: number, starts: readonly Uint32Array[]): void {
    for (let gene = firstGene; gene < endGene; gene++) {
      let at = this.indptr[gene]! - this.indptr[firstGene]!;
      this.#parts.forEach(({ counts }, i) => {
        starts[i]![gene] = at;
        at += counts[gene]!;
      });
    }
  }
}

async function closeAll(threads: readonly TransposeThread[], spill: SpillFiles | undefined): Promise<void> {
  await Promise.all(threads.map((thread) => thread.close()));
  spill?.close();
}

function cutParts(
  positions: Float64Array,
  geneCount: number,
  { parts, sliceEntries }: { parts: number; sliceEntries: number },
): CountedPart[] {
  const maxEntries = Math.ceil(positions[positions.length - 1]! / parts);
  const totals = shared(new Float64Array(positions.length - 1));
  const cuts = cutRows(positions, maxEntries, positions.length);
  return cuts.slice(0, -1).map((firstCell, i) => {
    const endCell = cuts[i + 1]!;
    const rows = positions.subarray(firstCell, endCell + 1);
    const slices = cutRows(rows, sliceEntries, maxSliceRows).map((row) => firstCell + row);
    return {
      firstCell,
      endCell,
      positions,
      totals,
      cuts: slices,
      counts: shared(new Uint32Array(geneCount)),
      sliceCounts: new Uint16Array(new SharedArrayBuffer(2 * geneCount * (slices.length - 1))),
    };
  });
}

function shared<T extends Float64Array | Uint32Array>(array: T): T {
  const copy = new (array.constructor as new (buffer: SharedArrayBuffer) => T)(
    new SharedArrayBuffer(array.byteLength),
  );
  copy.set(array);
  return copy;
}
