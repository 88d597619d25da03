import { maxDenseGenes } from './components/principal-components.ts';
import { batchMethods } from './integration/batch-methods.ts';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import {
  type CombineOptions,
  type CountBlock,
  type CountMatrix,
  ProcessError,
  type ProcessSettings,
  type Samples,
} from './process-input.ts';
import {
  readingShare,
  type ProcessPart,
  type ProcessProgress,
  type ProcessResult,
} from './process-result.ts';
import { leidenVariant } from './leiden-clusters.ts';
import { seeds } from './random.ts';
import { variableGenesFlavour } from './variable-genes.ts';
import type { ProcessJob, ProcessReply, ProcessTask } from './process-worker.ts';
import { readFile } from 'node:fs/promises';

export interface ProcessOptions {
  readonly settings: ProcessSettings;
  /** Sample of each cell, each with separate thresholds; default all cells together. */
  readonly samples?: Samples;
  /** Sample of each cell, or -1: their mixing among neighbours is measured. */
  readonly mixing?: ArrayLike<number>;
  readonly combine?: CombineOptions;
  /** Results to derive from the principal components, which are always computed; default both. */
  readonly parts?: readonly ProcessPart[];
  /** Number of computing threads; the result is the same with any number. */
  readonly threads?: number;
  /** Maximum bytes by `memoryNeeded`; larger inputs are refused. */
  readonly memoryBytes?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ProcessProgress) => void;
}

/**
 * From raw counts to a dataset: quality control, principal components and, if requested, Leiden clusters and a UMAP.
 * Runs in separate threads, which end with it and release their memory. The same counts and settings give the same
 * result. The arrays of `counts.blocks` are transferred. Throws ProcessError; the errors of `counts.blocks`; the
 * signal's reason when aborted.
 */
export async function processCounts(counts: CountMatrix, options: ProcessOptions): Promise<ProcessResult> {
  const { settings, combine = {}, memoryBytes = Infinity, signal, onProgress } = options;
  signal?.throwIfAborted();
  const size = { cellCount: counts.cellCount, geneCount: counts.geneNames.length };
  const assertFits = (entryCount: number) => {
    const needed = memoryNeeded({ ...size, entryCount }, settings, combine);
    if (needed > memoryBytes) throw tooLarge(counts.cellCount, needed, memoryBytes);
  };
  assertFits(counts.entryCount ?? 0);
  const computedBy = `Cellfolio ${await ownVersion()}`;
  const job: ProcessJob = {
    cellCount: counts.cellCount,
    by: counts.by,
    genes: {
      geneNames: counts.geneNames,
      ...(counts.geneIds !== undefined && { geneIds: counts.geneIds }),
      ...(counts.chromosomes !== undefined && { chromosomes: counts.chromosomes }),
    },
    ...(options.samples !== undefined && { samples: options.samples }),
    settings,
    combine,
    parts: options.parts ?? ['clusters', 'umap'],
    threads: options.threads ?? Math.min(4, availableParallelism()),
  };
  // Memory of a kernel never shrinks: what comes after the counts is done in a thread without them.
  const inThread = async <T>(work: (thread: ProcessThread) => Promise<T>): Promise<T> => {
    signal?.throwIfAborted();
    const thread = new ProcessThread(job, signal, onProgress);
    try {
      return await work(thread);
    } finally {
      await thread.close();
    }
  };
  const { coordinates, ...reduced } = await inThread(async (thread) => {
    const all = counts.by === 'cell' ? counts.cellCount : counts.geneNames.length;
    let read = 0;
    let entries = 0;
    // While the thread checks a block the next one is read.
    let checked: Promise<unknown> = Promise.resolve();
    for await (const block of counts.blocks) {
      entries += block.indices.length;
      assertFits(entries);
      await checked;
      read += block.pointers.length - 1;
      checked = thread.call({ kind: 'block', block }, buffersOf(block));
      // Where reading fails first, nothing waits for it.
      checked.catch(() => undefined);
      onProgress?.({
        step: 'Reading counts',
        fraction: readingShare * Math.min(1, read / Math.max(1, all)),
      });
    }
    await checked;
    const reply = await thread.call({ kind: 'components' });
    if (reply.kind !== 'components') throw new TypeError(`Components were expected, not ${reply.kind}.`);
    return reply.components;
  });
  const pca = Float32Array.from(coordinates);
  if (job.parts.length === 0) return { ...reduced, pca, clusterCount: 0, settings, computedBy };
  const map = await inThread(async (thread) => {
    const { components, keptCells } = reduced;
    const { mixing } = options;
    const ofKept = (codes: ArrayLike<number>) => keptCells.map((cell) => codes[cell]!);
    const { integrate, batches, types } = combine;
    const of = {
      coordinates,
      components,
      ...(mixing && { samples: ofKept(mixing) }),
      ...(integrate &&
        batches && { batches: { ...batches, codes: ofKept(batches.codes), method: integrate } }),
      ...(types && { types: { ...types, codes: ofKept(types.codes) } }),
    };
    const reply = await thread.call({ kind: 'map', of });
    if (reply.kind !== 'map') throw new TypeError(`Clusters or a map were expected, not ${reply.kind}.`);
    return reply.map;
  });
  return { ...reduced, pca, ...map, settings, computedBy };
}

function buffersOf({ indices, counts }: CountBlock): ArrayBuffer[] {
  const buffers = [indices, counts].map((array) => (ArrayBuffer.isView(array) ? array.buffer : undefined));
  return [...new Set(buffers)].filter((buffer) => buffer instanceof ArrayBuffer);
}

class ProcessThread {
  readonly #worker: Worker;
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort: () => void;
  #waiting: PromiseWithResolvers<ProcessReply> | null = null;
  #ended: Error | null = null;

  constructor(
    job: ProcessJob,
    signal: AbortSignal | undefined,
    onProgress: ((progress: ProcessProgress) => void) | undefined,
  ) {
    this.#worker = new Worker(new URL('./process-worker.ts', import.meta.url), { workerData: job });
    this.#worker.on('message', (reply: ProcessReply) => {
      if (reply.kind === 'progress') onProgress?.(reply.progress);
      else if (reply.kind === 'failed') this.#waiting?.reject(failureOf(reply));
      else this.#waiting?.resolve(reply);
    });
    this.#worker.on('error', (cause) => this.#end(died(cause)));
    this.#worker.on('exit', () => this.#end(died()));
    this.#signal = signal;
    this.#onAbort = () => this.#end(signal?.reason as Error);
    signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  call(task: ProcessTask, transfer: readonly ArrayBuffer[] = []): Promise<ProcessReply> {
    if (this.#ended !== null) return Promise.reject(this.#ended);
    this.#waiting = Promise.withResolvers();
    this.#worker.postMessage(task, transfer);
    return this.#waiting.promise;
  }

  async close(): Promise<void> {
    this.#signal?.removeEventListener('abort', this.#onAbort);
    await this.#worker.terminate();
  }

  #end(reason: Error): void {
    this.#ended ??= reason;
    this.#waiting?.reject(this.#ended);
  }
}

function failureOf({ message, code }: Extract<ProcessReply, { kind: 'failed' }>): Error {
  return code === undefined ? new Error(`Processing failed: ${message}`) : new ProcessError(code, message);
}

function tooLarge(cells: number, needed: number, allowed: number): ProcessError {
  const mebibytes = (bytes: number) => `${Math.ceil(bytes / 2 ** 20).toLocaleString('en')} MiB`;
  return new ProcessError(
    'too-large',
    `Processing these ${cells.toLocaleString('en')} cells takes about ${mebibytes(needed)} of memory, and ${mebibytes(allowed)} may be used. Take fewer cells, or compute the UMAP and clusters with scanpy and upload the finished file.`,
  );
}

function died(cause?: unknown): ProcessError {
  return new ProcessError(
    'worker-died',
    'Processing stopped before it was done, most likely because memory ran out. Try fewer cells, or give the server more memory.',
    { cause },
  );
}

/**
 * Upper estimate of the peak bytes of processing. Counts take 4 to 6 bytes per entry, and the variable genes once more,
 * with their covariances. After these are released, each cell costs its neighbours and the graph, of which clusters and
 * UMAP each have a separate form. Measured on simulated counts of 20,000 genes: 25,806 cells (496 MB), 68,937 (805 MB),
 * 173,954 (1,640 MB).
 */
export function memoryNeeded(
  { cellCount, geneCount, entryCount }: { cellCount: number; geneCount: number; entryCount: number },
  {
    variableGenes,
    neighbours,
    components,
  }: { variableGenes: number; neighbours: number; components: number },
  { doublets, integrate, batches }: CombineOptions = {},
): number {
  const base = 320 * 2 ** 20;
  // Each gene has its sums in each batch, and its mean and variance.
  const matrix = entryCount * 6 + geneCount * 32 * (2 + (batches?.names.length ?? 0));
  const chosen = Math.min(variableGenes, geneCount);
  // Genes that vary are more often expressed than others.
  const variable =
    entryCount * Math.min(1, chosen / Math.max(1, geneCount)) * 8 * 2 +
    Math.min(chosen, maxDenseGenes) ** 2 * 8 * 2;
  const ofCell = components * 8 * 3;
  // Cells of one sample, perhaps of all, twice more, and the neighbours of three times as many.
  const scrublet =
    doublets === undefined ? 0 : entryCount * 24 + cellCount * 3 * 1.5 * Math.sqrt(cellCount) * 28;
  // A second search and a second UMAP come after it.
  const integration =
    integrate === undefined ? 0 : batchMethods[integrate].bytesOfCell(components) + neighbours * 192;
  const counts = matrix + variable + scrublet + cellCount * (ofCell + 400);
  const map = cellCount * (ofCell + neighbours * 192 + 3584 + integration);
  return Math.ceil(base + Math.max(counts, map));
}

export const processingMethods = {
  variableGenes: variableGenesFlavour,
  clusters: leidenVariant,
  seeds: Object.entries(seeds)
    .map(([step, seed]) => `${step} ${seed}`)
    .join(', '),
} as const;

/** Recorded because numbers can differ between versions. */
async function ownVersion(): Promise<string> {
  const file = new URL('../package.json', import.meta.url);
  const { version } = JSON.parse(await readFile(file, 'utf8')) as { version: string };
  return version;
}
