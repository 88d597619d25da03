import { expect, test } from 'vitest';
import { ChunkBuffer, checksumBytes } from './chunk-buffer.ts';
import { crc32c } from './crc32c.ts';

const size = 70_000;
const content = Uint8Array.from({ length: size }, (_, i) => Math.imul(i, 2_654_435_761) >>> 24);
const chunk = Buffer.concat([content, new Uint8Array(checksumBytes)]);
chunk.writeUInt32LE(crc32c(content), size);

const buffers = {
  'of WebAssembly': () => new ChunkBuffer(2 * chunk.length),
  'of plain memory, where WebAssembly gets none': () =>
    new ChunkBuffer(2 * chunk.length, () => {
      throw new RangeError('could not allocate memory');
    }),
};

test.each(Object.entries(buffers))('a chunk is checked where it was read to in a buffer %s', (_, open) => {
  const buffer = open();
  for (const at of [0, 8, 1001, chunk.length]) {
    buffer.bytes.set(chunk, at);
    const found = buffer.content(at, size);
    expect(found.byteOffset).toBe(buffer.bytes.byteOffset + at);
    expect(Buffer.compare(found, content)).toBe(0);
  }
});

test.each(Object.entries(buffers))('a flipped byte is noticed wherever it is in a buffer %s', (_, open) => {
  const buffer = open();
  for (let at = 0; at < chunk.length; at += at < size - 300 ? 97 : 1) {
    buffer.bytes.set(chunk);
    buffer.bytes[at]! ^= 1 << (at & 7);
    expect(() => buffer.content(0, size)).toThrow('its checksum does not fit');
  }
});

test('nothing is read outside the buffer', () => {
  const buffer = new ChunkBuffer(100);
  for (const [at, length] of [
    [0, 97],
    [-1, 10],
    [90, 10],
    [0, -1],
  ] as const) {
    expect(() => buffer.content(at, length)).toThrow(RangeError);
  }
});
