const decoder = new TextDecoder();

/**
 * The genes that a text names, numbered as they come. A library names the same few thousand genes a million times:
 * bytes are compared where they stand, which takes a tenth of the time of making a string of each.
 */
export class SymbolTable {
  readonly #bytes: Uint8Array;
  #count = 0;
  /** Of each gene where in the bytes it came first, and its hash. */
  #starts = new Int32Array(1 << 11);
  #ends = new Int32Array(1 << 11);
  #hashes = new Int32Array(1 << 11);
  /** Numbers of genes plus one, 0 for none, by hash; a power of two in length and never more than half full. */
  #slots = new Int32Array(1 << 12);

  /** @param bytes a text in UTF-8 */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** The number of the gene that has the bytes from `start` to `end`, of which `hash` is the `hashed`. */
  numberOf(start: number, end: number, hash: number): number {
    const bytes = this.#bytes;
    const slots = this.#slots;
    const starts = this.#starts;
    const mask = slots.length - 1;
    let slot = spread(hash) & mask;
    for (; slots[slot]! > 0; slot = (slot + 1) & mask) {
      const number = slots[slot]! - 1;
      const first = starts[number]!;
      if (this.#hashes[number] !== hash || this.#ends[number]! - first !== end - start) continue;
      let i = start;
      for (let other = first; i < end && bytes[i] === bytes[other]; other++) i++;
      if (i === end) return number;
    }
    const number = this.#count++;
    slots[slot] = number + 1;
    this.#starts[number] = start;
    this.#ends[number] = end;
    this.#hashes[number] = hash;
    if (this.#count === starts.length) this.#grow();
    return number;
  }

  /** The genes in the order of their numbers. */
  symbols(): string[] {
    return Array.from({ length: this.#count }, (_, number) =>
      decoder.decode(this.#bytes.subarray(this.#starts[number], this.#ends[number])),
    );
  }

  #grow(): void {
    this.#starts = grown(this.#starts);
    this.#ends = grown(this.#ends);
    this.#hashes = grown(this.#hashes);
    const slots = new Int32Array(2 * this.#slots.length);
    const mask = slots.length - 1;
    for (let number = 0; number < this.#count; number++) {
      let slot = spread(this.#hashes[number]!) & mask;
      while (slots[slot]! > 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
    this.#slots = slots;
  }
}

/** The hash of some bytes and one more, from that of those before, which is 0 at first. */
export function hashed(hash: number, byte: number): number {
  return (Math.imul(hash, 31) + byte) | 0;
}

/** Twice as long. */
export function grown(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * array.length);
  larger.set(array);
  return larger;
}

/** Names that differ in their last letters have hashes that do so only in their last bits. */
function spread(hash: number): number {
  return Math.imul(hash, 0x9e37_79b1) >>> 7;
}
