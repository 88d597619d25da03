import type { PackedStrings } from '@cellfolio/model';

/**
 * HDF5 stores variable-length strings as references into global heaps. Here each heap holds the strings of 4,096 rows,
 * the last one fewer, so that each can be built on its own.
 */
export const rowsPerHeap = 4096;

/** Length of the string, address of its heap, place in it. */
const referenceBytes = 16;

const heapHead = 16;
const objectHead = 16;
/** Minimum heap size of the HDF5 library. */
const smallestHeap = 4096;

/** Size of each heap in bytes; the first row must begin a heap. */
export function heapSizes(strings: PackedStrings): Float64Array {
  const rows = strings.offsets.length - 1;
  return Float64Array.from({ length: Math.ceil(rows / rowsPerHeap) }, (_, heap) => {
    let size = heapHead;
    const end = Math.min(rows, (heap + 1) * rowsPerHeap);
    for (let row = heap * rowsPerHeap; row < end; row++) size += objectHead + whole8(lengthAt(strings, row));
    return Math.max(smallestHeap, size);
  });
}

/** References of the strings; the first row must begin the first of these heaps. */
export function stringReferences(strings: PackedStrings, heapAddresses: ArrayLike<number>): Uint8Array {
  const rows = strings.offsets.length - 1;
  const bytes = new Uint8Array(rows * referenceBytes);
  const view = new DataView(bytes.buffer);
  for (let row = 0; row < rows; row++) {
    const at = row * referenceBytes;
    view.setUint32(at, lengthAt(strings, row), true);
    view.setBigUint64(at + 4, BigInt(heapAddresses[Math.floor(row / rowsPerHeap)]!), true);
    view.setUint32(at + 12, (row % rowsPerHeap) + 1, true);
  }
  return bytes;
}

export function stringHeaps(strings: PackedStrings): Uint8Array {
  const sizes = heapSizes(strings);
  const bytes = new Uint8Array(sizes.reduce((sum, size) => sum + size, 0));
  const rows = strings.offsets.length - 1;
  let start = 0;
  for (const [heap, size] of sizes.entries()) {
    const from = heap * rowsPerHeap;
    writeHeap(bytes.subarray(start, start + size), strings, from, Math.min(rows, from + rowsPerHeap));
    start += size;
  }
  return bytes;
}

function writeHeap(bytes: Uint8Array, strings: PackedStrings, from: number, to: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  bytes.set([71, 67, 79, 76, 1]); // GCOL, version 1
  view.setBigUint64(8, BigInt(bytes.length), true);
  let at = heapHead;
  for (let row = from; row < to; row++) {
    const length = lengthAt(strings, row);
    view.setUint16(at, row - from + 1, true);
    view.setUint32(at + 8, length, true);
    const text = strings.bytes.subarray(strings.offsets[row], strings.offsets[row + 1]);
    at += objectHead;
    bytes.set(text, at);
    // Readers take a NUL for the end of a string, and would cut it there.
    for (let i = text.indexOf(0); i >= 0; i = text.indexOf(0, i + 1)) bytes[at + i] = replacement;
    at += whole8(length);
  }
  // What is left over is the object 0, whose size includes its head.
  if (bytes.length - at >= objectHead) view.setUint32(at + 8, bytes.length - at, true);
}

/** `?`: one byte, like the NUL it replaces. */
const replacement = 63;

/** An empty string is stored as one NUL: some readers take a reference of length zero for a missing value. */
function lengthAt({ offsets }: PackedStrings, row: number): number {
  return Math.max(1, offsets[row + 1]! - offsets[row]!);
}

function whole8(length: number): number {
  return Math.ceil(length / 8) * 8;
}
