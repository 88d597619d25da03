/** Forward reader of an unpacked R file. Numbers are big-endian, as R writes them. */
export class RBytes {
  readonly #chunks: AsyncGenerator<Buffer>;
  #buffer: Buffer = Buffer.alloc(0);
  #at = 0;
  #passed = 0;
  readonly path: string;

  constructor(path: string, chunks: AsyncGenerator<Buffer>) {
    this.path = path;
    this.#chunks = chunks;
  }

  get position(): number {
    return this.#passed + this.#at;
  }

  has(count: number): boolean {
    return this.#buffer.length - this.#at >= count;
  }

  async fill(count: number): Promise<void> {
    if (this.has(count)) return;
    const pieces = [this.#buffer.subarray(this.#at)];
    let buffered = pieces[0]!.length;
    while (buffered < count) {
      const next = await this.#chunks.next();
      if (next.done === true) throw new EndOfR();
      pieces.push(next.value);
      buffered += next.value.length;
    }
    this.#passed += this.#at;
    this.#buffer = Buffer.concat(pieces);
    this.#at = 0;
  }

  int32(): number {
    const value = this.#buffer.readInt32BE(this.#at);
    this.#at += 4;
    return value;
  }

  /** A view, valid until the next `fill`. */
  take(count: number): Buffer {
    return this.#buffer.subarray(this.#at, (this.#at += count));
  }

  async nextInt32(): Promise<number> {
    if (!this.has(4)) await this.fill(4);
    return this.int32();
  }

  /** Successive views of that many bytes in total; all but the last have a multiple of eight bytes. */
  async *pieces(count: number): AsyncGenerator<Buffer> {
    for (let left = count; left > 0;) {
      if (!this.has(Math.min(left, 8))) await this.fill(Math.min(left, 8));
      const buffered = this.#buffer.length - this.#at;
      const size = Math.min(left, buffered - (buffered % 8) || buffered);
      yield this.take(size);
      left -= size;
    }
  }

  async close(): Promise<void> {
    await this.#chunks.return(undefined);
  }
}

export class EndOfR extends Error {}
