import { expect, test } from 'vitest';
import { SliceQueue } from './slice-queue.ts';

/** Steps that each take longer than a slice may. */
function* slowSteps(count: number, told: string[], name: string): Generator<void, void> {
  for (let step = 1; step <= count; step++) {
    const end = performance.now() + 10;
    while (performance.now() < end);
    told.push(`${name} ${step}`);
    yield;
  }
}

test('the page has its turn after every slice', async () => {
  const queue = new SliceQueue<string>();
  const told: string[] = [];
  const page = setInterval(() => told.push('page'), 1);
  queue.add('a', slowSteps(4, told, 'a'));
  await queue.idle();
  clearInterval(page);
  for (let step = 1; step < 4; step++)
    expect(told.slice(told.indexOf(`a ${step}`), told.indexOf(`a ${step + 1}`))).toContain('page');
});

test('pieces are done one after the other, and a new one replaces that of its key at any time', async () => {
  const queue = new SliceQueue<string>();
  const told: string[] = [];
  queue.add('a', slowSteps(3, told, 'a'));
  queue.add('b', slowSteps(2, told, 'b'));
  await expect.poll(() => told.length, { interval: 1 }).toBeGreaterThan(0);
  queue.add('a', slowSteps(1, told, 'other a'));
  await queue.idle();
  expect(told).not.toContain('a 3');
  expect(told.slice(-3)).toEqual(['b 1', 'b 2', 'other a 1']);
});

test('what is deleted is not done any more, and nobody waits for it', async () => {
  const queue = new SliceQueue<string>();
  const told: string[] = [];
  queue.add('a', slowSteps(3, told, 'a'));
  queue.add('b', slowSteps(3, told, 'b'));
  const idle = queue.idle();
  queue.delete('a');
  queue.clear();
  await idle;
  queue.add('c', slowSteps(1, told, 'c'));
  await queue.idle();
  expect(told).toEqual(['c 1']);
});
