/** Fewer pairs than this are sorted by insertion straight away. */
const fewPairs = 24;
/** Bits of a digit of the radix sort. */
const digitBits = 11;
/** Pairs that share a bucket, as seen by the average pair, when the radix sort takes over. */
const crowd = 48;

/**
 * Sorts the expression of one gene with the group of each cell beside it. Expression is compared as the integers that
 * its bits are: one pass deals the pairs into about as many buckets as there are pairs, by their leading bits between
 * the least and the greatest, and an insertion sort puts the few of each bucket in order. Values that crowd in few
 * buckets are sorted digit by digit instead, so that the time stays linear in the pairs.
 *
 * Everything lies in one array, used again for gene after gene: the loops then hold one address and one length in
 * registers, which makes them a quarter faster than with an array for each purpose.
 */
export class RankSorter {
  /** Room for the pairs, as much again to sort them into, and the buckets. */
  readonly work: Int32Array;
  readonly #room: number;

  /** `capacity`: pairs of the largest gene. */
  constructor(capacity: number) {
    this.#room = 2 * capacity;
    this.work = new Int32Array(2 * this.#room + Math.max(1 << digitBits, 2 ** bitsOf(capacity)));
  }

  /**
   * Puts the first `count` pairs of `work`, key and slot side by side from 0 on, in rising order of their keys.
   * Returns where in `work` the sorted pairs start.
   */
  sort(count: number): number {
    const { work } = this;
    const to = this.#room;
    const end = 2 * count;
    if (count <= fewPairs) {
      insertionSort(work, 0, end);
      return 0;
    }
    const { least, range } = extent(work, end);
    const shift = Math.max(0, bitsOf(range) - bitsOf(count));
    const deal: Deal = { from: 0, to, end, least, shift, mask: -1, buckets: 2 * to, last: range >>> shift };
    const company = countPairs(work, deal);
    if (shift > 0 && company > crowd * count) return this.#sortDigits(deal, range);
    dealPairs(work, deal);
    if (shift > 0) insertionSort(work, to, to + end);
    return to;
  }

  #sortDigits(deal: Deal, range: number): number {
    const { work } = this;
    const mask = (1 << digitBits) - 1;
    let from = 0;
    for (let shift = 0; shift < bitsOf(range); shift += digitBits) {
      const to = this.#room - from;
      const digit = { ...deal, from, to, end: from + deal.end, shift, mask, last: mask };
      countPairs(work, digit);
      dealPairs(work, digit);
      from = to;
    }
    return from;
  }
}

/** The pairs at [from, end) of the array go to `to`, by the bucket of ((key - least) >>> shift) & mask. */
interface Deal {
  readonly from: number;
  readonly end: number;
  readonly to: number;
  readonly least: number;
  readonly shift: number;
  readonly mask: number;
  /** Where in the array the buckets are, and the number of the last one. */
  readonly buckets: number;
  readonly last: number;
}

/** Sets every bucket to the place of its first pair. Returns the sum of the squares of their pairs. */
function countPairs(work: Int32Array, deal: Deal): number {
  const { from, end, to, least, shift, mask, buckets, last } = deal;
  work.fill(0, buckets, buckets + last + 1);
  for (let i = from; i < end; i += 2) work[buckets + (((work[i]! - least) >>> shift) & mask)]!++;
  let place = to;
  let squares = 0;
  for (let bucket = buckets; bucket <= buckets + last; bucket++) {
    const pairs = work[bucket]!;
    work[bucket] = place;
    place += 2 * pairs;
    squares += pairs * pairs;
  }
  return squares;
}

/** Pairs of one bucket stay in the order that they had. */
function dealPairs(work: Int32Array, deal: Deal): void {
  const { from, end, least, shift, mask, buckets } = deal;
  for (let i = from; i < end; i += 2) {
    const key = work[i]!;
    const bucket = buckets + (((key - least) >>> shift) & mask);
    const place = work[bucket]!;
    work[bucket] = place + 2;
    work[place] = key;
    work[place + 1] = work[i + 1]!;
  }
}

function insertionSort(work: Int32Array, start: number, end: number): void {
  let previous = work[start]!;
  for (let i = start + 2; i < end; i += 2) {
    const key = work[i]!;
    if (previous <= key) {
      previous = key;
      continue;
    }
    const slot = work[i + 1]!;
    let place = i;
    do {
      work[place] = work[place - 2]!;
      work[place + 1] = work[place - 1]!;
      place -= 2;
    } while (place > start && work[place - 2]! > key);
    work[place] = key;
    work[place + 1] = slot;
  }
}

/** The least key of the pairs at [0, end), and how far above it the greatest is: up to 2^32 - 1. */
function extent(work: Int32Array, end: number): { least: number; range: number } {
  let least = work[0]!;
  let greatest = least;
  for (let i = 2; i < end; i += 2) {
    const key = work[i]!;
    if (key < least) least = key;
    if (key > greatest) greatest = key;
  }
  return { least, range: (greatest - least) >>> 0 };
}

/** Bits that a whole number from 0 to 2^32 - 1 takes. */
function bitsOf(value: number): number {
  return 32 - Math.clz32(value);
}
