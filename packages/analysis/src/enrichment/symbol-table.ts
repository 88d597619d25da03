const decoder = new TextDecoder();

/**
 * Genes of a text, numbered in order of occurrence. A library repeats the same few thousand genes a million times:
 * comparing bytes in place takes a tenth of the time of creating strings.
 */
export class SymbolTable {
  readonly #bytes: Uint8Array;
  #count = 0;
  #starts = new Int32Array(1 << 11);
  #ends = new Int32Array(1 << 11);
  #hashes = new Int32Array(1 << 11);
  /** Hash table of gene numbers plus one, 0 for empty; its length is a power of two, and at most half is used. */
  #slots = new Int32Array(1 << 12);

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Number of the gene with the bytes from `start` to `end`; `hash` is their value of {@link hashed}. */
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

export function hashed(hash: number, byte: number): number {
  return (Math.imul(hash, 31) + byte) | 0;
}

export function grown(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * array.length);
  larger.set(array);
  return larger;
}

/** Spreads the hash: names that differ only in their last letters differ only in the last bits of their hashes. */
function spread(hash: number): number {
  return Math.imul(hash, 0x9e37_79b1) >>> 7;
}
