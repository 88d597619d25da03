import { cbind, initializeSparseMatrixFromSparseArrays, rbind, type ScranMatrix } from 'scran.js';
import { type CountBlock, ProcessError } from './process-input.ts';

interface CountsShape {
  readonly cellCount: number;
  readonly geneCount: number;
  readonly by: 'cell' | 'gene';
}

/** Gathers blocks into one matrix of genes x cells in the library's memory, checked entry by entry. */
export class CountsLoader {
  readonly #shape: CountsShape;
  readonly #parts: ScranMatrix[] = [];
  #vectors = 0;

  constructor(shape: CountsShape) {
    this.#shape = shape;
  }

  /** Cells or genes so far. */
  get loaded(): number {
    return this.#vectors;
  }

  /** Throws ProcessError `not-counts` or `malformed-counts`. */
  add(block: CountBlock): void {
    const count = block.pointers.length - 1;
    const { cellCount, geneCount, by } = this.#shape;
    const [length, vectors] = by === 'cell' ? [geneCount, cellCount] : [cellCount, geneCount];
    if (this.#vectors + count > vectors)
      throw new ProcessError('malformed-counts', `There are more than the declared ${vectors} ${by}s.`);
    const counts = checkedCounts(block, { length, by, first: this.#vectors });
    this.#parts.push(
      initializeSparseMatrixFromSparseArrays(
        by === 'cell' ? geneCount : count,
        by === 'cell' ? count : cellCount,
        counts,
        block.indices,
        Float64Array.from(block.pointers),
        { byRow: by === 'gene', forceInteger: true, layered: true },
      ),
    );
    this.#vectors += count;
  }

  /** Throws ProcessError `malformed-counts` where blocks are missing. */
  finish(): ScranMatrix {
    const { cellCount, geneCount, by } = this.#shape;
    const vectors = by === 'cell' ? cellCount : geneCount;
    if (this.#vectors !== vectors) {
      throw new ProcessError(
        'malformed-counts',
        `Counts of ${this.#vectors} ${by}s came where ${vectors} were declared.`,
      );
    }
    const [only] = this.#parts;
    if (this.#parts.length === 1 && only !== undefined) return only;
    const whole = by === 'cell' ? cbind(this.#parts) : rbind(this.#parts);
    // The whole keeps what it is made of.
    for (const part of this.#parts.splice(0)) part.free();
    return whole;
  }
}

/** The counts of a block as integers, after a look at every entry. */
function checkedCounts(
  { pointers, indices, counts }: CountBlock,
  { length, by, first }: { length: number; by: 'cell' | 'gene'; first: number },
): Int32Array {
  const vectors = pointers.length - 1;
  const entries = pointers[vectors] ?? 0;
  if (pointers[0] !== 0 || entries !== indices.length || entries !== counts.length)
    throw new ProcessError('malformed-counts', `A block of ${by}s does not fit its own pointers.`);
  const checked = new Int32Array(entries);
  for (let vector = 0; vector < vectors; vector++) {
    let before = -1;
    for (let at = pointers[vector]!; at < pointers[vector + 1]!; at++) {
      const index = indices[at]!;
      if (index <= before || index >= length) {
        throw new ProcessError(
          'malformed-counts',
          `${name(by, first + vector)} has an entry at position ${index}, which is out of order or out of range.`,
        );
      }
      before = index;
      const count = counts[at]!;
      if (!Number.isInteger(count) || count < 0 || count > 2_147_483_647) {
        throw new ProcessError(
          'not-counts',
          `${name(by, first + vector)} holds ${count}, which is not a count. Processing starts from raw counts: whole numbers, none negative.`,
        );
      }
      checked[at] = count;
    }
  }
  return checked;
}

function name(by: 'cell' | 'gene', position: number): string {
  return `${by === 'cell' ? 'Cell' : 'Gene'} ${position + 1}`;
}
