import type { MatrixWriter } from '@cellfolio/store';
import type { Hdf5File } from '../hdf5/hdf5-file.ts';
import { denseCellsAtOnce, type MatrixLayout } from '../layout/matrix-layout.ts';
import type { GeneMajorMatrix, ReadOptions, WriteOptions } from './gene-major-matrix.ts';
import { assertCounts, mergedStatistics, type ValueStatistics } from './value-statistics.ts';
import { longestRow, rowPositions } from './matrix-reader.ts';
import { SpillFiles } from './spill.ts';
import { storeRuns } from './store-genes.ts';
import { threadSums, totalSums } from './thread-sums.ts';
import type {
  BatchRecord,
  GatheredGenes,
  GeneRun,
  JobSetting,
  SortTask,
  ThreadSums,
} from './transpose-tasks.ts';
import { cutRows, gathersAhead, planTranspose, type TransposePlan } from './transpose-plan.ts';
import { shareTasks, inlineThread, workerThread, type TransposeThread } from './transpose-threads.ts';
import { isPacked, isStored } from './unpacked-entries.ts';

const rereadEntries = 131_072;

/** A whole matrix, read once and sorted into gene-major pieces that `write` assembles. */
export class TransposedMatrix implements GeneMajorMatrix {
  readonly plan: TransposePlan;
  readonly statistics: ValueStatistics;
  readonly indptr: Float64Array;
  readonly wide: boolean;
  readonly #threads: readonly TransposeThread[];
  readonly #spill: SpillFiles | undefined;
  readonly #normalised: boolean;
  readonly #again: readonly SortTask[] | undefined;
  readonly #sums: readonly ThreadSums[];
  #closed = false;

  private constructor(
    plan: TransposePlan,
    records: readonly BatchRecord[],
    geneCount: number,
    threads: readonly TransposeThread[],
    spill: SpillFiles | undefined,
    { valueType, normalise }: ReadOptions,
    again: readonly SortTask[] | undefined,
    sums: readonly ThreadSums[],
  ) {
    this.#again = again;
    this.#sums = sums;
    this.wide = valueType === 'float64';
    this.#normalised = normalise;
    this.plan = plan;
    this.statistics = mergedStatistics(records.map((record) => record.statistics));
    this.indptr = genePositions(records, geneCount);
    this.#threads = threads;
    this.#spill = spill;
  }

  /**
   * Reads the matrix once, in batches, in as many threads as planned. Throws H5adError, NotCounts, the reason of the
   * signal, or the file system's error for a full disk.
   */
  static async read(file: Hdf5File, layout: MatrixLayout, options: ReadOptions): Promise<TransposedMatrix> {
    const { normalise, valueType } = options;
    const positions = layout.format === 'dense' ? new Float64Array(0) : rowPositions(file, layout);
    const plan = planTranspose({
      geneCount: layout.geneCount,
      entryCount: entryCount(layout),
      longestRow:
        layout.format === 'dense' ? layout.geneCount * denseCellsAtOnce(layout) : longestRow(positions),
      normalise,
      valueBytes: valueType === 'float32' ? 4 : 8,
      memoryBudget: options.memoryBudget,
      threads: options.threads,
      inlineEntries: options.inlineEntries,
    });
    const jobs = Math.max(1, plan.threads);
    const sums = Array.from({ length: jobs }, () => threadSums(layout.geneCount));
    // Bytes that lie in the file as they are cost less to read twice than to keep elsewhere, and those that were unpacked too.
    const stored = layout.format === 'csc' && isStored(layout);
    const unpack = stored && isPacked(layout) && plan.spill === 'file';
    const again = stored && (unpack || !isPacked(layout));
    const spill =
      plan.spill === 'file' && (unpack || !again)
        ? await SpillFiles.create(options.spillFolder, unpack ? 1 : jobs)
        : undefined;
    // Few enough at a time that the caches of the processor hold them, as nothing is sorted.
    const longest = layout.format === 'dense' ? 0 : longestRow(positions);
    const batchEntries = again
      ? Math.min(plan.batchEntries, Math.max(rereadEntries, longest))
      : plan.batchEntries;
    const threads: TransposeThread[] = [];
    try {
      for (let i = 0; i < jobs; i++) {
        const setting: JobSetting = {
          path: file.path,
          layout,
          normalise,
          valueType,
          batchEntries,
          spill: i,
          again,
          sums: sums[i]!,
          unpackTo: unpack ? spill?.descriptors[0] : undefined,
        };
        const descriptors = unpack ? [] : (spill?.descriptors ?? []);
        threads.push(
          plan.threads === 0 ? await inlineThread(setting, descriptors) : workerThread(setting, descriptors),
        );
      }
      const tasks = sortTasks(layout, positions, batchEntries);
      if (normalise && layout.format === 'csc') await addTotals(file, layout, threads, tasks, options);
      const records = await sortAll(file, layout, threads, tasks, options);
      file.assertUnchanged();
      tasks.forEach((task, i) => (tasks[i] = { ...task, asStored: records[i]!.asStored === true }));
      const matrix = new TransposedMatrix(
        plan,
        records,
        layout.geneCount,
        threads,
        spill,
        options,
        again ? tasks : undefined,
        sums,
      );
      if (normalise) assertCounts(matrix.statistics, options);
      await Promise.all(threads.map((thread) => thread.records(records)));
      return matrix;
    } catch (error) {
      await Promise.all(threads.map((thread) => thread.close()));
      spill?.close();
      throw error;
    }
  }

  /**
   * Passes all genes to the writer; the counts are the values themselves unless normalised. The threads write them if
   * they can, else they assemble the next ones meanwhile.
   */
  async write(values: 'expression' | 'counts', writer: MatrixWriter, options: WriteOptions): Promise<void> {
    const runs = this.#runs(this.#normalised && values === 'counts' ? 'counts' : 'expression');
    const asRead = values === 'counts' || !this.#normalised;
    // Genes that are read again are normalised as they are written.
    if (!asRead && this.#again) for (const { normalised } of this.#sums) normalised.fill(0);
    if (writer.parts) {
      const { indptr } = this;
      const stored = runs.map((from) => {
        const position = indptr[from.firstGene]!;
        return { position, count: indptr[from.endGene]! - position, from };
      });
      const { target } = writer.parts;
      await Promise.all(this.#threads.map((thread) => thread.target(target)));
      await storeRuns(this.#threads, stored, writer.parts, options);
    } else await this.#handOver(runs, writer, options);
    const sums = totalSums(this.#sums, asRead ? 'read' : 'normalised');
    await writer.close({ sums, wide: asRead && this.wide });
  }

  async #handOver(runs: readonly GeneRun[], writer: MatrixWriter, options: WriteOptions): Promise<void> {
    const counts = runs[0]?.values === 'counts';
    const depth = Math.min(runs.length, this.plan.threads === 0 ? 1 : this.plan.threads * gathersAhead);
    const blocks = this.#blocks(runs, depth, this.wide && (counts || !this.#normalised));
    const ahead: Promise<GatheredGenes>[] = [];
    const start = (run: number) => {
      const next = runs[run];
      if (next === undefined) return;
      const count = this.indptr[next.endGene]! - this.indptr[next.firstGene]!;
      const block = blocks[run % depth]!;
      const into = { cells: block.cells.subarray(0, count), values: block.values.subarray(0, count) };
      const thread = this.#threads[run % this.#threads.length]!;
      const task = { kind: 'gather', into, ...next } as const;
      const gathered = thread.gather(task).then(() => into);
      // Reported when its turn comes.
      gathered.catch(() => undefined);
      ahead.push(gathered);
    };
    for (let run = 0; run < depth; run++) start(run);
    for (let run = 0; run < runs.length; run++) {
      options.signal?.throwIfAborted();
      const genes = await ahead.shift()!;
      await writer.write(genes.cells, genes.values);
      start(run + depth);
      options.onWritten?.(this.indptr[runs[run]!.endGene]!);
    }
  }

  /** Memory for the runs that are gathered ahead, reused for later ones: new memory costs as much as filling it. */
  #blocks(runs: readonly GeneRun[], count: number, wide: boolean): GatheredGenes[] {
    let maxEntries = 0;
    for (const { firstGene, endGene } of runs)
      maxEntries = Math.max(maxEntries, this.indptr[endGene]! - this.indptr[firstGene]!);
    return Array.from({ length: count }, () => ({
      cells: new Int32Array(new SharedArrayBuffer(4 * maxEntries)),
      values: wide
        ? new Float64Array(new SharedArrayBuffer(8 * maxEntries))
        : new Float32Array(new SharedArrayBuffer(4 * maxEntries)),
    }));
  }

  #runs(values: GeneRun['values']): GeneRun[] {
    if (this.#again) {
      const runs: { firstGene: number; endGene: number; values: GeneRun['values']; again: SortTask[] }[] = [];
      let room = 0;
      for (const task of this.#again) {
        const entries = task.rowStart[task.count]! - task.rowStart[0]!;
        const endGene = task.first + task.count;
        const last = runs.at(-1);
        if (last && entries <= room) {
          last.again.push(task);
          last.endGene = endGene;
        } else {
          runs.push({ firstGene: task.first, endGene, values, again: [task] });
          room = this.plan.gatherEntries;
        }
        room -= entries;
      }
      return runs;
    }
    const cuts = cutRows(this.indptr, this.plan.gatherEntries, this.indptr.length - 1);
    return cuts.slice(0, -1).map((firstGene, i) => ({ firstGene, endGene: cuts[i + 1]!, values }));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await Promise.all(this.#threads.map((thread) => thread.close()));
    this.#spill?.close();
  }
}

/** Upper bound of the number of entries. */
function entryCount(layout: MatrixLayout): number {
  return layout.format === 'dense' ? layout.cellCount * layout.geneCount : layout.entryCount;
}

function sortTasks(layout: MatrixLayout, positions: Float64Array, batchEntries: number): SortTask[] {
  // The sorter keeps the row of an entry within its batch in 16 bits.
  const maxRows = 65_536;
  if (layout.format === 'dense') {
    const atOnce = denseCellsAtOnce(layout);
    const fit = Math.min(maxRows, Math.floor(batchEntries / layout.geneCount));
    const rows = fit >= atOnce ? fit - (fit % atOnce) : fit;
    const tasks: SortTask[] = [];
    for (let first = 0; first < layout.cellCount; first += rows) {
      const count = Math.min(rows, layout.cellCount - first);
      tasks.push({ kind: 'sort', first, count, rowStart: new Float64Array(0) });
    }
    return tasks;
  }
  const cuts = cutRows(positions, batchEntries, maxRows);
  return cuts.slice(0, -1).flatMap((first, i) => {
    const end = cuts[i + 1]!;
    // Genes of a gene-major matrix that are all no genes need not be read.
    const { dropped } = layout;
    if (layout.format === 'csc' && dropped?.subarray(first, end).every((is) => is === 1)) return [];
    return [{ kind: 'sort', first, count: end - first, rowStart: positions.slice(first, end + 1) } as const];
  });
}

/** Computes the cell totals of a gene-major matrix in a separate pass. */
async function addTotals(
  file: Hdf5File,
  layout: MatrixLayout,
  threads: readonly TransposeThread[],
  tasks: SortTask[],
  options: Pick<ReadOptions, 'signal' | 'fractions'>,
): Promise<void> {
  const { signal } = options;
  const shared = () => new Float64Array(new SharedArrayBuffer(layout.cellCount * 8));
  const ofThreads = new Map(threads.map((thread) => [thread, shared()]));
  const statistics: ValueStatistics[] = [];
  await shareTasks(threads, tasks, async (thread, task) => {
    signal?.throwIfAborted();
    file.assertUnchanged();
    statistics.push(await thread.sum({ ...task, kind: 'sum', totals: ofThreads.get(thread) }));
  });
  const totals = shared();
  for (const own of ofThreads.values())
    for (let cell = 0; cell < totals.length; cell++) totals[cell]! += own[cell]!;
  assertCounts(mergedStatistics(statistics), options);
  tasks.forEach((task, i) => (tasks[i] = { ...task, totals }));
}

async function sortAll(
  file: Hdf5File,
  layout: MatrixLayout,
  threads: readonly TransposeThread[],
  tasks: readonly SortTask[],
  options: ReadOptions,
): Promise<BatchRecord[]> {
  const { signal, onRead, normalise } = options;
  const records = new Array<BatchRecord>(tasks.length);
  const total = entryCount(layout);
  let done = 0;
  await shareTasks(threads, tasks, async (thread, task, i) => {
    signal?.throwIfAborted();
    file.assertUnchanged();
    const record = await thread.sort(task);
    records[i] = record;
    // Once one value says that these are no counts, the rest of the pass would be wasted.
    if (normalise && record.statistics.entries > 0) assertCounts(record.statistics, options);
    done +=
      layout.format === 'dense'
        ? task.count * layout.geneCount
        : task.rowStart[task.count]! - task.rowStart[0]!;
    onRead?.(done, total);
  });
  return records;
}

function genePositions(records: readonly BatchRecord[], geneCount: number): Float64Array {
  const indptr = new Float64Array(geneCount + 1);
  for (const { firstGene, geneStart } of records) {
    for (let g = 0; g + 1 < geneStart.length; g++)
      indptr[firstGene + g + 1]! += geneStart[g + 1]! - geneStart[g]!;
  }
  for (let gene = 0; gene < geneCount; gene++) indptr[gene + 1]! += indptr[gene]!;
  return indptr;
}
