import { afterEach, expect, test, vi } from 'vitest';
import { keepPulse } from './pulse.ts';
import type { Run } from './run-record.ts';

afterEach(() => vi.restoreAllMocks());

const hour = 3600_000;

/** A pulse whose wall clock and whose time since the start are the test's. */
function pulseAt(write: () => Promise<boolean>) {
  const began = { wall: Date.now(), running: performance.now() };
  let passed = 0;
  let stepped = 0;
  vi.spyOn(Date, 'now').mockImplementation(() => began.wall + passed + stepped);
  vi.spyOn(performance, 'now').mockImplementation(() => began.running + passed);
  const signOfLife = vi.fn(async () => {});
  const lost = new AbortController();
  const pulse = keepPulse(
    { queue: { heartbeatSeconds: 20, signOfLife } as never, logError: () => {} },
    { job: { id: 'a job' }, claim: {} } as Run,
    { write } as never,
    lost,
  );
  return {
    pulse,
    lost,
    signOfLife,
    pass: (milliseconds: number) => (passed += milliseconds),
    step: (milliseconds: number) => (stepped += milliseconds),
  };
}

test('a process whose clock is set back goes on saying that it lives, so that its job is not given away', async () => {
  const { pulse, signOfLife, pass, step } = pulseAt(async () => true);
  step(-hour);
  pass(6000);
  await pulse.beat();
  expect(signOfLife).toHaveBeenCalled();
  await pulse.stop();
});

test('a clock that jumps ahead while the database is away for a moment costs no job; being away for long does', async () => {
  let away = false;
  const { pulse, lost, pass, step } = pulseAt(async () => {
    if (away) throw new Error('away');
    return true;
  });
  await pulse.beat();
  away = true;
  step(hour);
  await pulse.beat();
  expect(lost.signal.aborted).toBe(false);
  pass(21_000);
  await pulse.beat();
  expect(lost.signal.aborted).toBe(true);
  await pulse.stop();
});
