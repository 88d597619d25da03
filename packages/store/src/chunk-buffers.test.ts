import { expect, test } from 'vitest';
import { checksumBytes, ChunkBuffer, ChunkBuffers } from './chunk-buffers.ts';
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
    const view = buffer.content(at, size);
    expect(view.byteOffset).toBe(buffer.bytes.byteOffset + at);
    expect(Buffer.compare(view, content)).toBe(0);
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

const kilobyte = 1024;

test('a buffer is used again by the next that needs about as much, and by no other meanwhile', async () => {
  const buffers = new ChunkBuffers(4096 * kilobyte);
  const usedBuffers: ChunkBuffer[] = [];
  const note = async (buffer: ChunkBuffer) => {
    usedBuffers.push(buffer);
    await Promise.resolve();
  };
  await buffers.using(300 * kilobyte, note);
  await buffers.using(500 * kilobyte, note);
  await Promise.all([buffers.using(400 * kilobyte, note), buffers.using(400 * kilobyte, note)]);
  expect(usedBuffers[1]).toBe(usedBuffers[0]);
  expect(usedBuffers[2]).toBe(usedBuffers[0]);
  expect(usedBuffers[3]).not.toBe(usedBuffers[0]);
  expect(usedBuffers[0]!.bytes.length).toBe(512 * kilobyte);
});

test('what is kept is bounded, and what was used last stays', async () => {
  const buffers = new ChunkBuffers(1024 * kilobyte);
  const bytesOf = (size: number) => buffers.using(size, ({ bytes }) => Promise.resolve(bytes));
  const small = await bytesOf(256 * kilobyte);
  const large = await bytesOf(1024 * kilobyte);
  expect(buffers.idleBytes).toBe(1024 * kilobyte);
  expect(await bytesOf(1024 * kilobyte)).toBe(large);
  expect(await bytesOf(256 * kilobyte)).not.toBe(small);
  await bytesOf(8192 * kilobyte);
  expect(buffers.idleBytes).toBe(0);
});

test('a buffer comes back also where its use fails', async () => {
  const buffers = new ChunkBuffers(1024 * kilobyte);
  const failing = buffers.using(1, () => Promise.reject(new Error('no disk')));
  await expect(failing).rejects.toThrow('no disk');
  expect(buffers.idleBytes).toBe(256 * kilobyte);
});
