import { zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decompressedHere, fastZstdParameters } from '../zstd.ts';
import { FrameBuffer } from './frame-buffer.ts';
import { rawContentAt } from './raw-frame.ts';

/** Bytes that do not compress. */
function noise(length: number): Uint8Array {
  let state = 1;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 24;
  });
}

const frameOf = (bytes: Uint8Array) =>
  zstdCompressSync(bytes, { params: fastZstdParameters, pledgedSrcSize: bytes.length });

test('the checksum is that of the published vectors, and of frames with every length of tail', () => {
  const buffer = new FrameBuffer(1000);
  const checksumOf = (bytes: Uint8Array, at: number) => {
    buffer.bytes.set(bytes, at);
    return buffer.checksum(at, bytes.length);
  };
  expect(checksumOf(new Uint8Array(), 0)).toBe(0x51d8e999);
  expect(checksumOf(new TextEncoder().encode('abc'), 3)).toBe(0xad770999);
  for (let length = 0; length < 140; length++) {
    const frame = frameOf(noise(length));
    expect(checksumOf(noise(length), length % 9)).toBe(frame.readUInt32LE(frame.length - 4));
  }
  expect(() => buffer.checksum(0, 65_537)).toThrow(RangeError);
});

const size = 70_000;
const content = noise(size);
const frame = frameOf(content);

test('the content of a frame of one raw block is where it was read to, wherever that is', () => {
  const buffer = new FrameBuffer(2 * frame.length);
  for (const at of [0, 8, 1001]) {
    buffer.bytes.set(frame, at);
    const found = rawContentAt(buffer, at, frame.length, size);
    expect(found).toBe(at + 12);
    expect(Buffer.compare(buffer.bytes.subarray(found, found! + size), content)).toBe(0);
  }
});

/** All bytes around the content, and every 97th of it. */
const flipped = Array.from({ length: frame.length }, (_, at) => at).filter(
  (at) => at < 12 || at >= 12 + size || at % 97 === 0,
);

test('frames are checked also where WebAssembly gets no memory for them', () => {
  const buffer = new FrameBuffer(frame.length, () => {
    throw new RangeError('could not allocate memory');
  });
  buffer.bytes.set(frame);
  expect(rawContentAt(buffer, 0, frame.length, size)).toBe(12);
  buffer.bytes[5000]! ^= 8;
  expect(() => rawContentAt(buffer, 0, frame.length, size)).toThrow('the checksum of the frame');
  expect(() => buffer.checksum(1, frame.length)).toThrow(RangeError);
});

test('a flipped byte of a raw frame is noticed wherever it is, here or by zlib', () => {
  const buffer = new FrameBuffer(frame.length);
  const outcome = (at: number) => {
    const bent = Buffer.from(frame);
    bent[at]! ^= 1 << (at & 7);
    buffer.bytes.set(bent);
    try {
      if (rawContentAt(buffer, 0, bent.length, size) !== undefined) return 'went by';
    } catch (error) {
      return (error as Error).message;
    }
    try {
      return Buffer.compare(decompressedHere(bent, size), content) === 0 ? 'still right' : 'went by zlib';
    } catch {
      return 'noticed by zlib';
    }
  };
  const outcomes = new Map<string, number[]>();
  for (const at of flipped) {
    const found = outcome(at);
    outcomes.set(found, [...(outcomes.get(found) ?? []), at]);
  }
  expect([...outcomes.keys()].sort()).toEqual([
    'noticed by zlib',
    'still right',
    'the checksum of the frame does not fit',
  ]);
  // Bit 4 of the descriptor means nothing: whoever reads the frame ignores it.
  expect(outcomes.get('still right')).toEqual([4]);
  expect(outcomes.get('noticed by zlib')!.every((at) => at < 12)).toBe(true);
});

test.each([
  ['cut short', frame.subarray(0, -1), size],
  ['of another size', frame, size - 4],
  ['compressed', frameOf(new Uint8Array(size)), size],
  ['of two blocks', frameOf(noise(140_000)), 140_000],
  ['of few bytes', frameOf(noise(100)), 100],
])('a frame %s is left to zlib', (_, bytes, expected) => {
  const buffer = new FrameBuffer(bytes.length);
  buffer.bytes.set(bytes);
  expect(rawContentAt(buffer, 0, bytes.length, expected)).toBeUndefined();
});
