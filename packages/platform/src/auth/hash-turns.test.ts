import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { HashTurns } from './hash-turns.ts';

function hashes() {
  const turns = new HashTurns(1);
  const order: string[] = [];
  const hash = (name: string, by: readonly string[]) =>
    turns.run(by, async () => {
      await sleep(5);
      order.push(name);
    });
  return { turns, order, hash };
}

test('an account that signs in again and again lets others go first, from whatever address it comes', async () => {
  const { order, hash } = hashes();
  const many = Array.from({ length: 4 }, (_, i) => hash(`many ${i}`, ['many', `network ${i}`]));
  const others = ['one', 'two'].map((name) => hash(name, [name, `of ${name}`]));
  await Promise.all([...many, ...others]);
  expect(order).toEqual(['many 0', 'one', 'two', 'many 1', 'many 2', 'many 3']);
});

test('an address that tries many accounts lets others go first', async () => {
  const { order, hash } = hashes();
  const many = Array.from({ length: 3 }, (_, i) => hash(`many ${i}`, [`account ${i}`, 'network']));
  await Promise.all([...many, hash('other', ['other', 'elsewhere'])]);
  expect(order).toEqual(['many 0', 'other', 'many 1', 'many 2']);
});

test('who hashes without end leaves half of the time to others', async () => {
  const turns = new HashTurns(1);
  let busy = 0;
  const begun = performance.now();
  for (let i = 0; i < 5; i++) {
    await turns.run(['many'], async () => {
      const start = performance.now();
      await sleep(10);
      busy += performance.now() - start;
    });
  }
  await turns.run(['many'], () => Promise.resolve());
  expect(performance.now() - begun).toBeGreaterThanOrEqual(2 * busy - 1);
});

test('a hash that fails ends its turn, and no more run at once than may', async () => {
  const turns = new HashTurns(2);
  let [running, maxRunning] = [0, 0];
  const hash = async (fails: boolean) => {
    maxRunning = Math.max(maxRunning, ++running);
    await sleep(2);
    running--;
    if (fails) throw new Error('no');
  };
  const ends = await Promise.allSettled(
    Array.from({ length: 6 }, (_, i) => turns.run([`${i}`], () => hash(i % 2 === 0))),
  );
  expect(ends.map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'rejected',
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
  expect(maxRunning).toBe(2);
});
