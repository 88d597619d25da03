import { type CountBlock, ProcessError } from './process-input.ts';

interface CountsShape {
  cellCount: number;
  geneCount: number;
  by: 'cell' | 'gene';
}

/** Consecutive cells (or genes) of counts, with 4 bytes per entry if both numbers fit 16 bits, as nearly all do. */
interface CountPart {
  /** As in a `CountBlock`. */
  pointers: Int32Array;
  indices: Uint16Array | Int32Array;
  /** Never 0. */
  counts: Uint16Array | Int32Array;
}

export interface Counts extends CountsShape {
  parts: readonly CountPart[];
}

type TakeVector = (
  vector: number,
  { indices, counts }: Omit<CountPart, 'pointers'>,
  from: number,
  to: number,
) => void;

/** Visits counts vector by vector, in input order: `takes` has the callbacks for cells and for genes. */
export function eachVector({ by, parts }: Counts, takes: { cell: TakeVector; gene: TakeVector }): void {
  const take = takes[by];
  let vector = 0;
  for (const part of parts) {
    for (let at = 0; at + 1 < part.pointers.length; at++)
      take(vector++, part, part.pointers[at]!, part.pointers[at + 1]!);
  }
}

export class CountsLoader {
  readonly #shape: CountsShape;
  readonly #parts: CountPart[] = [];
  #vectors = 0;

  constructor({ cellCount, geneCount, by }: CountsShape) {
    this.#shape = { cellCount, geneCount, by };
  }

  /** Throws ProcessError `not-counts` or `malformed-counts`. */
  add(block: CountBlock): void {
    const count = block.pointers.length - 1;
    const { cellCount, geneCount, by } = this.#shape;
    const [length, vectors] = by === 'cell' ? [geneCount, cellCount] : [cellCount, geneCount];
    if (this.#vectors + count > vectors)
      throw new ProcessError('malformed-counts', `There are more than the declared ${vectors} ${by}s.`);
    this.#parts.push(checkedPart(block, { length, by, first: this.#vectors }));
    this.#vectors += count;
  }

  /** Throws ProcessError `malformed-counts` if blocks are missing. */
  finish(): Counts {
    const { cellCount, geneCount, by } = this.#shape;
    const vectors = by === 'cell' ? cellCount : geneCount;
    if (this.#vectors !== vectors) {
      throw new ProcessError(
        'malformed-counts',
        `Counts of ${this.#vectors} ${by}s came where ${vectors} were declared.`,
      );
    }
    return { ...this.#shape, parts: this.#parts };
  }
}

const short = 65_535;

/** A block in the least memory that holds it, after checking every entry. */
function checkedPart(
  { pointers, indices, counts }: CountBlock,
  { length, by, first }: { length: number; by: 'cell' | 'gene'; first: number },
): CountPart {
  const vectors = pointers.length - 1;
  const entries = pointers[vectors] ?? 0;
  if (pointers[0] !== 0 || entries !== indices.length || entries !== counts.length)
    throw new ProcessError('malformed-counts', `A block of ${by}s does not fit its own pointers.`);
  const ends = new Int32Array(vectors + 1);
  const places = length <= short + 1 ? new Uint16Array(entries) : new Int32Array(entries);
  const shorts = new Uint16Array(entries);
  let allBits = 0;
  let keptCount = 0;
  for (let vector = 0; vector < vectors; vector++) {
    let before = -1;
    const end = pointers[vector + 1]!;
    for (let at = pointers[vector]!; at < end; at++) {
      const index = indices[at]!;
      const count = counts[at]!;
      // What is no whole number of 32 bits is another one as such.
      const whole = count | 0;
      if (index <= before || index >= length) throw misplaced(by, first + vector, index);
      if (whole !== count || whole < 0) throw notCount(by, first + vector, count);
      before = index;
      allBits |= whole;
      places[keptCount] = index;
      shorts[keptCount] = whole;
      if (whole !== 0) keptCount++;
    }
    ends[vector + 1] = keptCount;
  }
  const packed = allBits <= short ? shorts : Int32Array.from(counts).filter((count) => count !== 0);
  return keptCount === entries
    ? { pointers: ends, indices: places, counts: packed }
    : { pointers: ends, indices: places.slice(0, keptCount), counts: packed.slice(0, keptCount) };
}

function misplaced(by: 'cell' | 'gene', vector: number, index: number): ProcessError {
  return new ProcessError(
    'malformed-counts',
    `${name(by, vector)} has an entry at position ${index}, which is out of order or out of range.`,
  );
}

function notCount(by: 'cell' | 'gene', vector: number, count: number): ProcessError {
  return new ProcessError(
    'not-counts',
    `${name(by, vector)} holds ${count}, which is not a count. Processing starts from raw counts: whole numbers, none negative.`,
  );
}

function name(by: 'cell' | 'gene', position: number): string {
  return `${by === 'cell' ? 'Cell' : 'Gene'} ${position + 1}`;
}
