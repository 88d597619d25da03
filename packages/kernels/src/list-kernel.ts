import { kernelOf } from './engine.ts';
import { listsModule } from './modules.ts';

export const groupSize = 8;
export const chunkSize = 2048;
/** Groups and rows whose scores are in memory at a time: what the first-level cache holds. */
const [blockGroups, batch] = [64, 32];
/** Fewer rows at a time, because scores of a row by all centroids take more memory. */
const centreBatch = 8;
const steps = 1024;
/** Greater than every score. */
export const farthest = 0x7fff_ffff;

interface ListsKernel {
  scores(
    start: number,
    end: number,
    rows: number,
    size: number,
    points: number,
    last: number,
    out: number,
    stride: number,
  ): void;
  keep(
    start: number,
    end: number,
    scores: number,
    stride: number,
    nearest: number,
    size: number,
    first: number,
    self: number,
  ): void;
  choose(
    start: number,
    end: number,
    scores: number,
    stride: number,
    sizes: number,
    wanted: number,
    sums: number,
    counts: number,
    queues: number,
    room: number,
  ): void;
}

const listsKernel = kernelOf<ListsKernel>(listsModule);

type Part =
  | 'rows'
  | 'all'
  | 'nearest'
  | 'block'
  | 'scores'
  | 'centres'
  | 'sizes'
  | 'sums'
  | 'counts'
  | 'queues';

/** Points with integer coordinates, in groups of eight as `lists.wat` expects. */
export interface Groups {
  /**
   * Per group: half the sum of squares of each point, then pairs of coordinates, `width / 2` times one of each point.
   */
  words: Int32Array;
  /** Dimensions, a multiple of four. */
  width: number;
}

export function groupWords(width: number): number {
  return groupSize * (1 + width / 2);
}

/** Up to `chunkSize` rows and the k nearest points of each, in the kernel's memory. A thread can use one at a time. */
export class ListKernel {
  /** `width / 2` pairs of coordinates per row. */
  readonly rows: Int32Array;
  readonly counts: Int32Array;
  readonly k: number;
  readonly #kernel: ListsKernel;
  readonly #width: number;
  readonly #words: Int32Array;
  readonly #at: Readonly<Record<Part, number>>;

  /** `lists`: number of centroids that rows choose from, a multiple of eight; 0 if they do not choose. */
  constructor(width: number, k: number, lists = 0) {
    this.k = k;
    this.#width = width;
    let end = 0;
    const room = (words: number) => {
      const at = end;
      end += 4 * words;
      return at;
    };
    this.#at = {
      rows: room((chunkSize * width) / 2),
      // Three more are read than are asked for.
      all: room(chunkSize + 3),
      nearest: room(chunkSize * 2 * k),
      block: room(blockGroups * groupWords(width)),
      scores: room(Math.max((batch + 3) * blockGroups * groupSize, (centreBatch + 3) * lists)),
      centres: room((lists / groupSize) * groupWords(width)),
      sizes: room(lists),
      sums: room(steps),
      counts: room(lists),
      queues: room(lists * (chunkSize + 3)),
    };
    const { kernel, memory } = listsKernel(end);
    this.#kernel = kernel;
    this.#words = new Int32Array(memory.buffer);
    this.rows = this.#part('rows', (chunkSize * width) / 2);
    this.counts = this.#part('counts', lists);
    this.#part('all', chunkSize).forEach((_, row, all) => (all[row] = row));
  }

  #part(name: Part, length: number): Int32Array {
    return this.#words.subarray(this.#at[name] / 4, this.#at[name] / 4 + length);
  }

  setLists(centres: Groups, sizes: Int32Array): void {
    this.#part('centres', centres.words.length).set(centres.words);
    this.#part('sizes', sizes.length).set(sizes);
  }

  clear(): void {
    this.#part('nearest', chunkSize * 2 * this.k).fill(farthest);
    this.counts.fill(0);
  }

  /** Queues the first `count` rows at their nearest lists, which together hold `minPoints` points. */
  choose(count: number, minPoints: number): void {
    const { all, rows, centres, scores, sizes, sums, counts, queues } = this.#at;
    const lists = this.counts.length;
    const last = centres + 4 * (lists / groupSize) * groupWords(this.#width);
    for (let from = 0; from < count; from += centreBatch) {
      const queries = all + 4 * from;
      const end = all + 4 * Math.min(count, from + centreBatch);
      this.#kernel.scores(queries, end, rows, 2 * this.#width, centres, last, scores, 4 * lists);
      this.#kernel.choose(
        queries,
        end,
        scores,
        4 * lists,
        sizes,
        minPoints,
        sums,
        counts,
        queues,
        4 * (chunkSize + 3),
      );
    }
  }

  /** Scores of a row by the centroids; overwritten by the next call. */
  centreScores(row: number): Int32Array {
    const { all, rows, centres, scores } = this.#at;
    const lists = this.counts.length;
    const last = centres + 4 * (lists / groupSize) * groupWords(this.#width);
    const query = all + 4 * row;
    this.#kernel.scores(query, query + 4, rows, 2 * this.#width, centres, last, scores, 4 * lists);
    return this.#part('scores', lists);
  }

  lookInList(list: number, words: Int32Array, numbers: { first: number; self: number }): void {
    this.#look(this.#at.queues + 4 * list * (chunkSize + 3), this.counts[list]!, words, numbers);
  }

  /** Searches points for the first `count` rows. Row r is itself the point `self` + r; points count from `first`. */
  look(count: number, words: Int32Array, numbers: { first: number; self: number }): void {
    this.#look(this.#at.all, count, words, numbers);
  }

  #look(
    queries: number,
    count: number,
    words: Int32Array,
    { first, self }: { first: number; self: number },
  ): void {
    const { rows, block, scores, nearest } = this.#at;
    const size = blockGroups * groupWords(this.#width);
    if (queries !== this.#at.all) this.#words.fill(0, queries / 4 + count, queries / 4 + count + 3);
    for (let at = 0; at < words.length; at += size) {
      const part = words.subarray(at, at + size);
      this.#words.set(part, block / 4);
      const groups = part.length / groupWords(this.#width);
      const stride = 4 * groupSize * groups;
      for (let from = 0; from < count; from += batch) {
        const start = queries + 4 * from;
        const end = queries + 4 * Math.min(count, from + batch);
        this.#kernel.scores(
          start,
          end,
          rows,
          2 * this.#width,
          block,
          block + 4 * part.length,
          scores,
          stride,
        );
        const number = first + (at / groupWords(this.#width)) * groupSize;
        this.#kernel.keep(start, end, scores, stride, nearest, 4 * this.k, number, self);
      }
    }
  }

  /** Indices of the nearest points of a row, nearest first; `farthest` if there are fewer. */
  nearestOf(row: number): Int32Array {
    const start = this.#at.nearest / 4 + row * 2 * this.k + this.k;
    return this.#words.subarray(start, start + this.k);
  }
}
