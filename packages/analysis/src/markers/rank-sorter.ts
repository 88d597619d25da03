/** Fewer entries than this are sorted by insertion straight away. */
const fewEntries = 24;
/** Buckets of a digit when the radix sort takes over. */
const digitBits = 11;
/** Steps of the insertion sort that are accepted for each entry before the radix sort takes over. */
const mostSteps = 12;

/**
 * Sorts the expression of one gene with the group of each cell beside it. Expression is compared as the integers that
 * its bits are: one pass deals the entries into about as many buckets as there are entries, by their leading bits
 * between the least and the greatest, and an insertion sort puts the few of each bucket in order. Values that crowd
 * in few buckets are sorted by digits instead, so that the time stays linear in the entries. The arrays are used
 * again for gene after gene.
 */
export class RankSorter {
  /** Sorted, after `sort`. */
  keys: Int32Array;
  slots: Uint16Array;
  #otherKeys: Int32Array;
  #otherSlots: Uint16Array;
  #buckets: Int32Array;

  /** `capacity`: entries of the largest gene. */
  constructor(capacity: number) {
    this.keys = new Int32Array(capacity);
    this.slots = new Uint16Array(capacity);
    this.#otherKeys = new Int32Array(capacity);
    this.#otherSlots = new Uint16Array(capacity);
    this.#buckets = new Int32Array(Math.max(1 << digitBits, 2 ** bitsOf(capacity)) + 1);
  }

  /** Puts the first `count` keys in rising order, and the slots with them. */
  sort(count: number): void {
    if (count <= fewEntries) {
      insertionSort(this.keys, this.slots, count);
      return;
    }
    const { keys } = this;
    let least = keys[0]!;
    let greatest = least;
    for (let i = 1; i < count; i++) {
      const key = keys[i]!;
      if (key < least) least = key;
      if (key > greatest) greatest = key;
    }
    const range = (greatest - least) >>> 0;
    if (range === 0) return;
    const shift = Math.max(0, bitsOf(range) - bitsOf(count));
    if (this.#crowd(count, least, shift, range >>> shift)) {
      for (let at = 0; at < bitsOf(range); at += digitBits)
        this.#deal(count, least, at, (1 << digitBits) - 1);
      return;
    }
    this.#deal(count, least, shift, 0xffff_ffff, true);
    if (shift > 0) insertionSort(this.keys, this.slots, count);
  }

  /** Counts the entries of each bucket, and tells whether so many share one that sorting inside it would be slow. */
  #crowd(count: number, least: number, shift: number, last: number): boolean {
    const { keys } = this;
    const buckets = this.#buckets;
    buckets.fill(0, 0, last + 1);
    for (let i = 0; i < count; i++) buckets[(keys[i]! - least) >>> shift]!++;
    let sum = 0;
    let steps = 0;
    for (let bucket = 0; bucket <= last; bucket++) {
      const size = buckets[bucket]!;
      buckets[bucket] = sum;
      sum += size;
      steps += size * size;
    }
    // On average an entry passes a quarter of those in its bucket.
    return shift > 0 && steps > 4 * mostSteps * count;
  }

  /** Deals all entries into buckets, those of a bucket in the order they had. */
  #deal(count: number, least: number, shift: number, mask: number, counted = false): void {
    const { keys, slots } = this;
    const buckets = this.#buckets;
    if (!counted) {
      buckets.fill(0, 0, mask + 1);
      for (let i = 0; i < count; i++) buckets[((keys[i]! - least) >>> shift) & mask]!++;
      let sum = 0;
      for (let bucket = 0; bucket <= mask; bucket++) {
        const size = buckets[bucket]!;
        buckets[bucket] = sum;
        sum += size;
      }
    }
    const intoKeys = this.#otherKeys;
    const intoSlots = this.#otherSlots;
    for (let i = 0; i < count; i++) {
      const key = keys[i]!;
      const at = buckets[((key - least) >>> shift) & mask]!++;
      intoKeys[at] = key;
      intoSlots[at] = slots[i]!;
    }
    this.#otherKeys = keys;
    this.#otherSlots = slots;
    this.keys = intoKeys;
    this.slots = intoSlots;
  }
}

function insertionSort(keys: Int32Array, slots: Uint16Array, count: number): void {
  for (let i = 1; i < count; i++) {
    const key = keys[i]!;
    if (keys[i - 1]! <= key) continue;
    const slot = slots[i]!;
    let at = i;
    do {
      keys[at] = keys[at - 1]!;
      slots[at] = slots[at - 1]!;
      at--;
    } while (at > 0 && keys[at - 1]! > key);
    keys[at] = key;
    slots[at] = slot;
  }
}

/** Bits that a whole number from 0 to 2^32 - 1 takes. */
function bitsOf(value: number): number {
  return 32 - Math.clz32(value);
}
