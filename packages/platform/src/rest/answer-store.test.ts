import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AnswerStore } from './answer-store.ts';

const mebibyte = 1024 * 1024;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'answers-'));
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

const open = (more: object = {}) =>
  new AnswerStore({
    folder: join(folder, 'made'),
    ownerBytes: 100 * mebibyte,
    totalBytes: 200 * mebibyte,
    ...more,
  });

const letters = (bytes: number, seed: number) =>
  Array.from({ length: bytes / 8 }, (_, place) => String(place * 7 + seed).padStart(8, '0')).join('');

test('a short body is returned as a string and no longer held', async () => {
  const store = open();
  const answer = store.begin('ada', 10);
  await answer.write('[1,');
  await answer.write('"é"]');
  expect(answer.length).toBe(8);
  expect(answer.takeShort()).toBe('[1,"é"]');
  expect(store.heldBytes).toBe(0);
});

test.each([
  ['memory', 512 * 1024],
  ['a file', 3 * mebibyte],
])('a longer body comes back in its order, from %s, which leaves nothing behind', async (_where, bytes) => {
  const store = open();
  const answer = store.begin('ada', 1);
  const parts = Array.from({ length: 4 }, (_, place) => letters(bytes / 4, place));
  for (const part of parts) await answer.write(part);
  expect(answer.takeShort()).toBeUndefined();
  expect(store.heldBytes).toBe(bytes);
  // The folder is made for a file, which has no name.
  expect(readdirSync(folder, { recursive: true })).toEqual(bytes > mebibyte ? ['made'] : []);
  const pieces: Buffer[] = [];
  for await (const piece of answer.read()) pieces.push(piece as Buffer);
  expect(Buffer.concat(pieces).toString() === parts.join('')).toBe(true);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(64 * 1024);
  expect(store.heldBytes).toBe(0);
});

test('short bodies that are held together fill no more than their part of the memory: the rest is in files', async () => {
  const store = open();
  const part = 'x'.repeat(mebibyte);
  const answers = Array.from({ length: 65 }, () => store.begin('ada', mebibyte));
  for (const answer of answers.slice(1)) await answer.write(part);
  // The folder is made for the first file.
  expect(readdirSync(folder)).toEqual([]);
  await answers[0]!.write(part);
  expect(readdirSync(folder)).toEqual(['made']);
  for (const answer of answers) answer.release();
  expect(store.heldBytes).toBe(0);
});

test('one caller holds no more than their share, all together no more than everything, and what is released is free', async () => {
  const store = open({ ownerBytes: 100, totalBytes: 150 });
  const first = store.begin('ada', 60);
  expect(() => store.begin('ada', 60)).toThrowError(
    expect.objectContaining({ status: 429, headers: { 'retry-after': '2' } }),
  );
  const second = store.begin('bob', 90);
  expect(() => store.begin('cy', 10)).toThrowError(expect.objectContaining({ status: 503, code: '53000' }));
  // A body longer than measured needs space too.
  await expect(first.write('x'.repeat(61))).rejects.toMatchObject({ status: 503 });
  second.release();
  second.release();
  await first.write('x'.repeat(30));
  expect(store.heldBytes).toBe(60);
  first.release();
  expect(store.heldBytes).toBe(0);
  store.begin('ada', 100).release();
});

test('a client that reads nothing for half a minute is dropped', async () => {
  const store = open();
  const answer = store.begin('ada', 1);
  await answer.write('x'.repeat(3 * mebibyte));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const body = answer.read();
  const failed = new Promise((resolve) => body.once('error', resolve));
  // The timeout restarts with each chunk read.
  for (let n = 0; n < 3; n += 1) {
    await once(body, 'readable');
    vi.advanceTimersByTime(29_000);
    expect(body.read()).not.toBeNull();
  }
  await once(body, 'readable');
  expect(body.destroyed).toBe(false);
  vi.advanceTimersByTime(30_001);
  expect(await failed).toMatchObject({ message: expect.stringContaining('stalled') });
  expect(store.heldBytes).toBe(0);
});
