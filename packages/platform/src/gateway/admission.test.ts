import { describe, expect, test, vi } from 'vitest';
import { Admission, type AdmissionLimits, RecentUsers } from './admission.ts';

const limits: AdmissionLimits = {
  running: 3,
  runningPerUser: 2,
  waiting: 4,
  waitingPerUser: 2,
  queueTimeoutMilliseconds: 60_000,
};
const never = new AbortController().signal;

describe('letting calls to their work', () => {
  test('as many as the limit run; the next waits for one to end', async () => {
    const admission = new Admission(limits);
    const [first] = await Promise.all(['a', 'b', 'c'].map((user) => admission.enter(user, never)));
    const fourth = admission.enter('d', never);
    expect([admission.running, admission.waiting]).toEqual([3, 1]);
    first!();
    first!();
    const end = await fourth;
    expect([admission.running, admission.waiting]).toEqual([3, 0]);
    end();
    expect(admission.running).toBe(2);
  });

  test('one user has no more than a few at a time, and others pass by the rest', async () => {
    const admission = new Admission(limits);
    const mine = [await admission.enter('a', never), await admission.enter('a', never)];
    const third = admission.enter('a', never);
    const other = await admission.enter('b', never);
    expect([admission.running, admission.waiting]).toEqual([3, 1]);
    other();
    expect(admission.waiting).toBe(1);
    mine[0]!();
    (await third)();
    mine[1]!();
    expect([admission.running, admission.waiting]).toEqual([0, 0]);
  });

  test('users take turns, regardless of how many calls each has sent', async () => {
    const admission = new Admission({ ...limits, running: 2, waiting: 20, waitingPerUser: 10 });
    const order: string[] = [];
    const ends: (() => void)[] = [];
    const ask = async (name: string) => {
      const end = await admission.enter(name[0]!, never);
      order.push(name);
      ends.push(end);
    };
    const calls = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'c1', 'c2'].map((name) => ask(name));
    for (let ended = 0; ended < 9; ended++) {
      await Promise.resolve();
      await expect.poll(() => ends.length).toBeGreaterThan(ended);
      ends[ended]!();
    }
    await Promise.all(calls);
    expect(order.join(' ')).toBe('a1 a2 b1 c1 a3 b2 c2 a4 a5');
  });

  test('a user with too many waiting calls is refused, and so is every user when all places are taken', async () => {
    const admission = new Admission(limits);
    for (const user of ['a', 'a', 'b']) await admission.enter(user, never);
    const controller = new AbortController();
    const queued = ['a', 'a', 'b', 'b'].map((user) => admission.enter(user, controller.signal));
    await expect(admission.enter('a', never)).rejects.toMatchObject({ name: 'NotAdmitted', whose: 'user' });
    await expect(admission.enter('c', never)).rejects.toMatchObject({
      whose: 'server',
      retryAfterSeconds: 2,
    });
    expect(admission.waiting).toBe(queued.length);
    controller.abort(new Error('gone'));
    await Promise.all(queued.map((call) => expect(call).rejects.toThrow('gone')));
  });

  test('a call whose caller goes away leaves its place', async () => {
    const admission = new Admission({ ...limits, running: 1 });
    const end = await admission.enter('a', never);
    const controller = new AbortController();
    const leaving = admission.enter('b', controller.signal);
    controller.abort(new Error('gone'));
    await expect(leaving).rejects.toThrow('gone');
    expect(admission.waiting).toBe(0);
    end();
    expect(admission.running).toBe(0);
  });

  test('no caller waits longer than the limit', async () => {
    const admission = new Admission({ ...limits, running: 1, queueTimeoutMilliseconds: 1 });
    await admission.enter('a', never);
    await expect(admission.enter('b', never)).rejects.toMatchObject({
      whose: 'server',
      retryAfterSeconds: 5,
    });
    expect(admission.waiting).toBe(0);
  });

  test('nothing is let in while memory is short', async () => {
    let short = true;
    const admission = new Admission(limits, { memoryShort: () => short });
    await expect(admission.enter('a', never)).rejects.toMatchObject({ whose: 'server' });
    short = false;
    expect(await admission.enter('a', never)).toBeTypeOf('function');
  });

  test('who has used up a budget waits for it while others are here, and others do not', async () => {
    vi.useFakeTimers();
    try {
      const budget = { milliseconds: 100, share: 0.1, costOf: (ms: number) => Math.max(0, ms - 20) };
      const admission = new Admission({ ...limits, budget }, { now: () => Date.now() });
      const call = async (user: string, milliseconds: number) => {
        const begun = Date.now();
        const end = await admission.enter(user, never);
        const waited = Date.now() - begun;
        await vi.advanceTimersByTimeAsync(milliseconds);
        end();
        return waited;
      };
      // Alone, there is nobody to wait for.
      expect([await call('a', 170), await call('a', 170)]).toEqual([0, 0]);
      // What nobody notices costs nothing.
      for (let i = 0; i < 20; i += 1) expect(await call('b', 20)).toBe(0);
      const queued = call('a', 10);
      await vi.advanceTimersByTimeAsync(500);
      expect([admission.waiting, await call('b', 20)]).toEqual([1, 0]);
      await vi.advanceTimersByTimeAsync(1000);
      // 200 ms at most are kept of what was taken, and a tenth of the time makes up for it: 400 ms have passed before.
      expect(await queued).toBe(600);
    } finally {
      vi.useRealTimers();
    }
  });

  test('a budget that recovers in the very moment of a call does not leave it waiting', async () => {
    for (let tick = 0.1; tick < 1; tick += 0.05) {
      let now = 0;
      const budget = { milliseconds: 1, share: 1, costOf: () => 2 };
      const recent = new RecentUsers();
      const admission = new Admission({ ...limits, budget }, { recent, now: () => (now += tick) });
      recent.note('b', undefined, 0);
      (await admission.enter('a', never))();
      expect(await admission.enter('a', AbortSignal.timeout(1000))).toBeTypeOf('function');
    }
  });

  test('a user who calls any other service counts as present for a while', async () => {
    const recent = new RecentUsers();
    const budget = { milliseconds: 10, share: 0.01, costOf: (ms: number) => ms };
    let now = 0;
    const admission = new Admission({ ...limits, budget }, { recent, now: () => now });
    const end = await admission.enter('a', never);
    now += 40;
    end();
    recent.note('b', undefined, now);
    const controller = new AbortController();
    const queued = admission.enter('a', controller.signal);
    expect(admission.waiting).toBe(1);
    controller.abort(new Error('gone'));
    await expect(queued).rejects.toThrow('gone');
    now += 6_000;
    expect(await admission.enter('a', never)).toBeTypeOf('function');
  });

  test('a user who signs in and then calls is one person, and two accounts of one network are two', () => {
    const recent = new RecentUsers();
    recent.note('192.0.2.1', '192.0.2.1', 0);
    recent.note('ann', '192.0.2.1', 100);
    expect([recent.untilAlone('ann', 100), recent.untilAlone('192.0.2.1', 100)]).toEqual([0, 0]);
    recent.note('bob', '192.0.2.1', 200);
    expect([recent.untilAlone('ann', 300), recent.untilAlone('192.0.2.1', 300)]).toEqual([4900, 0]);
    recent.note('192.0.2.2', '192.0.2.2', 400);
    expect([recent.untilAlone('ann', 400), recent.untilAlone('192.0.2.1', 400)]).toEqual([5000, 5000]);
  });

  test('a thousand calls of a hundred users all come to their turn, never more than allowed at once', async () => {
    const admission = new Admission({ ...limits, running: 8, waiting: 1000, waitingPerUser: 1000 });
    let maxRunning = 0;
    const calls = Array.from({ length: 1000 }, async (_, call) => {
      const end = await admission.enter(`user ${call % 100}`, never);
      maxRunning = Math.max(maxRunning, admission.running);
      await Promise.resolve();
      end();
    });
    await Promise.all(calls);
    expect([maxRunning, admission.running, admission.waiting]).toEqual([8, 0, 0]);
  });
});
