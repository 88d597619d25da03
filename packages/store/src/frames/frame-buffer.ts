import { engine, fixedMemory, type WasmModule } from '../wasm/engine.ts';
import { xxh64Module } from './xxh64-module.ts';

let compiled: WasmModule | undefined;

/**
 * Memory that frames are read into and checked in, without a copy between the two: it belongs to WebAssembly, which
 * sums up a frame about as fast as it can be read.
 */
export class FrameBuffer {
  readonly bytes: Uint8Array;
  readonly #checksum: (at: number, length: number) => number;

  /** Holds at least so many bytes. Memory that is not written to is not taken. */
  constructor(size: number) {
    const memory = fixedMemory(size);
    compiled ??= new engine.Module(xxh64Module);
    const { exports } = new engine.Instance(compiled, { env: { memory } });
    this.#checksum = (exports as { checksum: (at: number, length: number) => number }).checksum;
    this.bytes = new Uint8Array(memory.buffer);
  }

  /** Low 32 bits of XXH64 with seed 0 of the bytes [at, at + length). Throws RangeError outside the buffer. */
  checksum(at: number, length: number): number {
    if (!(at >= 0 && length >= 0 && at + length <= this.bytes.length)) {
      throw new RangeError(`bytes ${at} to ${at + length} are outside a buffer of ${this.bytes.length}`);
    }
    return this.#checksum(at, length) >>> 0;
  }
}
