import { expect, test } from 'vitest';
import type { ChunkBuffer } from './chunk-buffer.ts';
import { ChunkBuffers } from './chunk-buffers.ts';

const kilobyte = 1024;

test('a buffer is used again by the next that needs about as much, and by nobody else meanwhile', async () => {
  const buffers = new ChunkBuffers(4096 * kilobyte);
  const seen: ChunkBuffer[] = [];
  const note = async (buffer: ChunkBuffer) => {
    seen.push(buffer);
    await Promise.resolve();
  };
  await buffers.using(300 * kilobyte, note);
  await buffers.using(500 * kilobyte, note);
  await Promise.all([buffers.using(400 * kilobyte, note), buffers.using(400 * kilobyte, note)]);
  expect(seen[1]).toBe(seen[0]);
  expect(seen[2]).toBe(seen[0]);
  expect(seen[3]).not.toBe(seen[0]);
  expect(seen[0]!.bytes.length).toBe(512 * kilobyte);
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
