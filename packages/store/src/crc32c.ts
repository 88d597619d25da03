import { crc32cModule, engine, fixedMemory, type WasmMemory, type WasmModule } from '@cellfolio/kernels';

type Fold = (at: number, end: number, folded: number, out: number, first: number) => void;

/** Maximum folding distance of a byte, in blocks of sixteen bytes: 209 at most. */
const reach = 224;
/** Bytes folded at a time: the result stays in the first-level cache. */
const segment = 16_384;
/** Room that a checksum needs after the bytes, of which a fold may read sixteen more. */
export const scratchBytes = 16 + reach + segment + 3 * reach;

/** Table of the Castagnoli polynomial, reflected (RFC 3720, appendix B.4). */
const table = new Uint32Array(256);
for (let n = 0; n < 256; n++) {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0x82f63b78 : c >>> 1;
  table[n] = c >>> 0;
}

let compiled: WasmModule | undefined;

/** CRC-32C of bytes in WebAssembly memory, without a copy: about as fast as they can be read. */
export class Crc32c {
  readonly #bytes: Uint8Array;
  readonly #fold: Fold;
  readonly #folded: number;
  readonly #rest: number;

  constructor(memory: WasmMemory, scratch: number) {
    compiled ??= new engine.Module(crc32cModule);
    this.#fold = (new engine.Instance(compiled, { env: { memory } }).exports as { fold: Fold }).fold;
    this.#bytes = new Uint8Array(memory.buffer);
    this.#folded = scratch + 16 + reach;
    this.#rest = this.#folded + segment + reach;
  }

  of(at: number, length: number): number {
    const bytes = this.#bytes;
    if (length < 2 * reach) return withTable(bytes, at, at + length, 0xffff_ffff);
    const folded = this.#folded;
    bytes.fill(0, folded - reach, folded);
    // All that can be folded away, in whole blocks: 209 bytes or a few more stay.
    const end = at + Math.floor((length - 209) / 16) * 16;
    let first = -1;
    for (let from = at; from < end; from += segment) {
      const to = Math.min(from + segment, end);
      this.#fold(from, to, folded, folded, first);
      bytes.copyWithin(folded - reach, folded + to - from - reach, folded + to - from);
      first = 0;
    }
    bytes.fill(0, folded, folded + reach + 16);
    this.#fold(end, at + length, folded, this.#rest, 0);
    return withTable(bytes, this.#rest, this.#rest + at + length - end, 0);
  }
}

function withTable(bytes: Uint8Array, from: number, to: number, start: number): number {
  let c = start;
  for (let i = from; i < to; i++) c = table[(c ^ bytes[i]!) & 255]! ^ (c >>> 8);
  return (c ^ 0xffff_ffff) >>> 0;
}

let aside: { bytes: Uint8Array; crc: Crc32c } | undefined;

/** Checksum of any bytes, which are copied first. */
export function crc32c(bytes: Uint8Array): number {
  if (!aside || aside.bytes.length < bytes.length) {
    const size = Math.max(1 << 18, bytes.length);
    const memory = fixedMemory(size + scratchBytes);
    aside = { bytes: new Uint8Array(memory.buffer, 0, size), crc: new Crc32c(memory, size) };
  }
  aside.bytes.set(bytes);
  return aside.crc.of(0, bytes.length);
}
