const encoder = new TextEncoder();

export class ByteWriter {
  #bytes = new Uint8Array(256);
  #view = new DataView(this.#bytes.buffer);
  #end = 0;

  get length(): number {
    return this.#end;
  }

  /** Writes numbers of `size` bytes each; 8-byte numbers are exact up to 2^53. */
  put(size: 1 | 2 | 4 | 8, ...values: readonly number[]): this {
    for (const value of values) {
      this.#room(size);
      if (size === 1) this.#view.setUint8(this.#end, value);
      else if (size === 2) this.#view.setUint16(this.#end, value, true);
      else if (size === 4) this.#view.setUint32(this.#end, value, true);
      else this.#view.setBigUint64(this.#end, BigInt(value), true);
      this.#end += size;
    }
    return this;
  }

  /** Writes HDF5's undefined address. */
  putNoAddress(): this {
    return this.put(4, 0xffff_ffff, 0xffff_ffff);
  }

  putBytes(bytes: Uint8Array): this {
    this.#room(bytes.length);
    this.#bytes.set(bytes, this.#end);
    this.#end += bytes.length;
    return this;
  }

  putText(text: string): this {
    return this.putBytes(encoder.encode(text));
  }

  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#end);
  }

  #room(more: number): void {
    if (this.#end + more <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#end + more, this.#bytes.length * 2));
    larger.set(this.#bytes);
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}
