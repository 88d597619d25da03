import type { Counts } from '../load-counts.ts';
import { type CountBlock, type CountMatrix, ProcessError } from '../process-input.ts';
import { haemoglobinGenes, mitochondrialGenes, ribosomalGenes, type GeneFacts } from '@cellfolio/model';

/** Genes whose share of the counts is measured: per gene 1 for members. */
interface GeneKinds {
  mitochondrial: Uint8Array;
  ribosomal: Uint8Array;
  haemoglobin: Uint8Array;
}

/** Measures of each cell's counts, as in scanpy's `calculate_qc_metrics`. */
export interface CellMeasures {
  readonly counts: Float64Array;
  /** Per cell: genes with at least one count. */
  readonly genes: Int32Array;
  /** Per cell: shares of its counts from genes of each kind, from 0 to 1; NaN in a cell without counts. */
  readonly mitochondrial: Float64Array;
  readonly ribosomal: Float64Array;
  readonly haemoglobin: Float64Array;
  /** Number of genes of each kind; with none, the shares are meaningless. */
  readonly geneCounts: { readonly [kind in keyof GeneKinds]: number };
}

export function geneKinds(genes: GeneFacts): GeneKinds {
  return {
    mitochondrial: mitochondrialGenes(genes),
    ribosomal: ribosomalGenes(genes),
    haemoglobin: haemoglobinGenes(genes),
  };
}

export function measuresOf(counts: Counts, kinds: GeneKinds): CellMeasures {
  const measurer = new CellMeasurer(counts, kinds);
  for (const part of counts.parts) measurer.add(part);
  return measurer.finish();
}

interface Entries extends Pick<CountBlock, 'pointers' | 'counts'> {
  indices: ArrayLike<number>;
}

/** Measures cells in one pass over blocks of counts, with 44 bytes per cell. */
class CellMeasurer {
  readonly #by: CountMatrix['by'];
  readonly #kinds: GeneKinds;
  readonly #ofKind: Uint8Array;
  readonly #counts: Float64Array;
  readonly #genes: Int32Array;
  readonly #sums: { readonly [kind in keyof GeneKinds]: Float64Array };
  #vectors = 0;

  constructor({ cellCount, by }: Pick<CountMatrix, 'cellCount' | 'by'>, kinds: GeneKinds) {
    this.#by = by;
    this.#kinds = kinds;
    this.#ofKind = kinds.mitochondrial.map(
      (is, gene) => is | kinds.ribosomal[gene]! | kinds.haemoglobin[gene]!,
    );
    this.#counts = new Float64Array(cellCount);
    this.#genes = new Int32Array(cellCount);
    const sums = () => new Float64Array(cellCount);
    this.#sums = { mitochondrial: sums(), ribosomal: sums(), haemoglobin: sums() };
  }

  /** Blocks must come in order. Throws ProcessError `not-counts`. */
  add({ pointers, indices, counts }: Entries): void {
    const byCell = this.#by === 'cell';
    const ofKind = this.#ofKind;
    const sums = this.#counts;
    const genes = this.#genes;
    for (let vector = 0; vector + 1 < pointers.length; vector++, this.#vectors++) {
      const own = this.#vectors;
      const end = pointers[vector + 1]!;
      // A local sum per cell: a sum in memory waits for each addition.
      let sum = 0;
      let present = 0;
      for (let at = pointers[vector]!; at < end; at++) {
        const count = counts[at]!;
        if (count === 0) continue;
        if (!(count > 0) || !Number.isInteger(count)) throw notCounts(count);
        const cell = byCell ? own : indices[at]!;
        const gene = byCell ? indices[at]! : own;
        sum += count;
        present += 1;
        if (!byCell) {
          sums[cell]! += count;
          genes[cell]! += 1;
        }
        if (ofKind[gene] === 1) this.#addKind(cell, gene, count);
      }
      if (byCell) {
        sums[own] = sum;
        genes[own] = present;
      }
    }
  }

  #addKind(cell: number, gene: number, count: number): void {
    for (const kind of ['mitochondrial', 'ribosomal', 'haemoglobin'] as const)
      if (this.#kinds[kind][gene] === 1) this.#sums[kind][cell]! += count;
  }

  finish(): CellMeasures {
    const share = (sums: Float64Array) => sums.map((sum, cell) => sum / this.#counts[cell]!);
    return {
      counts: this.#counts,
      genes: this.#genes,
      mitochondrial: share(this.#sums.mitochondrial),
      ribosomal: share(this.#sums.ribosomal),
      haemoglobin: share(this.#sums.haemoglobin),
      geneCounts: geneCountsOf(this.#kinds),
    };
  }
}

function notCounts(value: number): ProcessError {
  return new ProcessError(
    'not-counts',
    `The matrix holds ${value}, which is not a count. Quality control starts from raw counts: whole numbers, none negative.`,
  );
}

function geneCountsOf(kinds: GeneKinds): CellMeasures['geneCounts'] {
  const count = (marks: Uint8Array) => marks.reduce((sum, is) => sum + is, 0);
  return {
    mitochondrial: count(kinds.mitochondrial),
    ribosomal: count(kinds.ribosomal),
    haemoglobin: count(kinds.haemoglobin),
  };
}

/**
 * Reads counts once and measures each cell. Throws ProcessError `not-counts`; the errors of `blocks`; the signal's
 * reason.
 */
export async function measureCounts(
  counts: CountMatrix,
  { signal, onProgress }: { signal?: AbortSignal; onProgress?: (fraction: number) => void } = {},
): Promise<CellMeasures> {
  const measurer = new CellMeasurer(counts, geneKinds(counts));
  const all = counts.by === 'cell' ? counts.cellCount : counts.geneNames.length;
  let read = 0;
  for await (const block of counts.blocks) {
    signal?.throwIfAborted();
    measurer.add(block);
    read += block.pointers.length - 1;
    onProgress?.(Math.min(1, read / Math.max(1, all)));
  }
  return measurer.finish();
}
