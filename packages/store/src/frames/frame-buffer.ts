import { engine, fixedMemory, type WasmMemory, type WasmModule } from '../wasm/engine.ts';
import { xxh64Module } from './xxh64-module.ts';

type Checksum = (at: number, length: number) => number;

let compiled: WasmModule | undefined;
/** For buffers outside of WebAssembly: content is copied here to be summed up. Of the largest block of a frame. */
let aside: { readonly bytes: Uint8Array; readonly checksum: Checksum } | undefined;
const largestContent = 131_072;
/** The engine had none to give: each time it says so takes it a tenth of a second. */
let isScarce = false;

function scarceMemory(size: number): WasmMemory {
  if (isScarce) throw new RangeError('there was no memory for WebAssembly before');
  try {
    return fixedMemory(size);
  } catch (error) {
    isScarce = true;
    throw error;
  }
}

function checksumOf(memory: WasmMemory): Checksum {
  compiled ??= new engine.Module(xxh64Module);
  const { exports } = new engine.Instance(compiled, { env: { memory } });
  return (exports as { checksum: Checksum }).checksum;
}

/**
 * Memory that frames are read into and checked in, without a copy between the two: it belongs to WebAssembly, which
 * sums up a frame about as fast as it can be read. The engine keeps gigabytes of addresses free around each; where they
 * are limited (`ulimit -v`), plain memory serves, and what is checked is copied.
 */
export class FrameBuffer {
  readonly bytes: Uint8Array;
  readonly #checksum: Checksum | undefined;

  /** Holds at least so many bytes. Memory that is not written to is not taken. */
  constructor(size: number, memoryOf = scarceMemory) {
    try {
      const memory = memoryOf(size);
      this.#checksum = checksumOf(memory);
      this.bytes = new Uint8Array(memory.buffer);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.bytes = new Uint8Array(size);
    }
  }

  /**
   * Low 32 bits of XXH64 with seed 0 of the bytes [at, at + length), at most 128 KiB. Throws RangeError outside the
   * buffer.
   */
  checksum(at: number, length: number): number {
    if (!(at >= 0 && length >= 0 && length <= largestContent && at + length <= this.bytes.length)) {
      throw new RangeError(`bytes ${at} to ${at + length} are outside a buffer of ${this.bytes.length}`);
    }
    if (this.#checksum) return this.#checksum(at, length) >>> 0;
    if (!aside) {
      const memory = fixedMemory(largestContent);
      aside = { bytes: new Uint8Array(memory.buffer), checksum: checksumOf(memory) };
    }
    aside.bytes.set(this.bytes.subarray(at, at + length));
    return aside.checksum(0, length) >>> 0;
  }
}
