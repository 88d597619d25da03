import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { sumOfTimes, threadTimes } from './thread-times.ts';
import { takeTurns } from './turns.ts';

/** Keeps this thread from hearing its timers. */
function keepBusy(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

it('programs run in their turns alone, and all of them afterwards', async () => {
  const busy = [0, 1].map(() => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
  const pids = busy.map(({ pid }) => pid!);
  const taken = () => pids.map((pid) => sumOfTimes(threadTimes(pid, 'apart')));
  try {
    await Promise.all(busy.map((child) => once(child, 'spawn')));
    const turns = takeTurns(pids, 2);
    const before = taken();
    const began = performance.now();
    await sleep(1000);
    const during = taken().map((time, i) => time - before[i]!);
    const passed = performance.now() - began;
    turns.end();
    // One core between them, however many there are; what is late may let one run a little longer.
    expect(during[0]! + during[1]!).toBeLessThan(1.2 * passed);
    for (const time of during) expect(time).toBeGreaterThan(0);
    const [after] = taken();
    await expect.poll(() => taken()[0]).toBeGreaterThan(after! + 10);
  } finally {
    for (const child of busy) child.kill('SIGKILL');
  }
});

it('a program whose turns end late has no more of the time', async () => {
  const began = performance.now();
  let since = 0;
  let had = 0;
  const turns = takeTurns([1], 2, (_pid, name) => {
    const now = performance.now();
    if (name === 'SIGSTOP') return void (had += now - since);
    since = now;
    // As callers are while they are answered, and not while nobody answers.
    setTimeout(keepBusy, 15, 15);
  });
  await sleep(1000);
  turns.end();
  const share = had / (performance.now() - began);
  expect(share).toBeGreaterThan(0.42);
  expect(share).toBeLessThan(0.58);
});
