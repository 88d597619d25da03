import { describe, expect, test } from 'vitest';
import { quantile } from '../measure/statistics.ts';
import { type SimulatedCall, simulateLoad, type SimulatedSystem, type Stage } from './simulate-load.ts';

const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;

const work = (milliseconds: number, at = 'threads'): Stage => ({ kind: 'work', at, milliseconds });

function machine(cores: number, threads = cores): SimulatedSystem {
  return {
    machines: [{ name: 'server', cores }],
    stations: [{ name: 'threads', machine: 'server', threads }],
    admitted: Infinity,
  };
}

const plot = (milliseconds: number): SimulatedCall => ({ name: 'plot', stages: [work(milliseconds)] });

describe('calls at random moments', () => {
  test('alone, a call takes the time of its stages', () => {
    const { latencies, utilisation } = simulateLoad({
      system: machine(1),
      callers: {
        kind: 'random',
        callsPerSecond: 0.1,
        call: () => ({ name: 'plot', stages: [work(12), { kind: 'pause', milliseconds: 5 }, work(8)] }),
      },
      seconds: 10_000,
      seed: 1,
    });
    expect(quantile(latencies.get('plot')!, 0.5)).toBeCloseTo(25, 3);
    expect(utilisation.get('server')).toBeCloseTo(0.002, 3);
  });

  test('wait as the formula of Pollaczek and Khinchine says, for one core and one service time', () => {
    // M/D/1 at utilisation 0.8: the mean wait is 0.8 / (2 * 0.2) = 2 service times.
    const { latencies } = simulateLoad({
      system: machine(1),
      callers: { kind: 'random', callsPerSecond: 80, call: () => plot(10) },
      seconds: 5000,
      seed: 2,
    });
    expect(mean(latencies.get('plot')!)).toBeGreaterThan(28);
    expect(mean(latencies.get('plot')!)).toBeLessThan(32);
  });

  test('share one core among many threads as the formula of processor sharing says', () => {
    // M/G/1-PS at utilisation 0.5: the mean answer takes service / (1 - 0.5), however services are spread.
    const { latencies } = simulateLoad({
      system: machine(1, 1000),
      callers: {
        kind: 'random',
        callsPerSecond: 25,
        call: (random) => plot(random() < 0.9 ? 10 : 110),
      },
      seconds: 10_000,
      seed: 3,
    });
    expect(mean(latencies.get('plot')!)).toBeGreaterThan(37);
    expect(mean(latencies.get('plot')!)).toBeLessThan(43);
  });

  test('more work than the cores can do takes all of them, and the queue grows', () => {
    const { answered, utilisation } = simulateLoad({
      system: machine(2),
      callers: { kind: 'random', callsPerSecond: 50, call: () => plot(100) },
      seconds: 100,
      seed: 4,
    });
    expect(utilisation.get('server')).toBeGreaterThan(0.99);
    expect(answered).toBeLessThan(2100);
  });
});

describe('users who call every second', () => {
  const together = (users: number, call: SimulatedCall, system: SimulatedSystem, seconds = 10) =>
    simulateLoad({
      system,
      callers: { kind: 'every-second', beginnings: Array(users).fill(0), call: () => call },
      seconds,
      seed: 5,
    });

  test('wait in line behind each other where they call at one moment', () => {
    const { latencies, answered, utilisation } = together(10, plot(20), machine(1, 1));
    // 20, 40, … 200 ms in each of ten seconds.
    expect(answered).toBe(100);
    expect(quantile(latencies.get('plot')!, 0.5)).toBeCloseTo(100, 3);
    expect(quantile(latencies.get('plot')!, 1)).toBeCloseTo(200, 3);
    expect(utilisation.get('server')).toBeCloseTo(0.2, 6);
  });

  test('wait for nobody where each has a moment of their own', () => {
    const { latencies } = simulateLoad({
      system: machine(1, 1),
      callers: { kind: 'every-second', beginnings: [0, 20, 540], call: () => plot(20) },
      seconds: 3,
      seed: 5,
    });
    expect(latencies.get('plot')!.map(Math.round)).toEqual(Array(9).fill(20));
  });

  test('call again as soon as they are answered where that takes longer than a second', () => {
    const { answered } = together(1, plot(1500), machine(1), 15);
    expect(answered).toBe(10);
  });

  test('are held up at a station that does one at a time, while the cores are free', () => {
    const system: SimulatedSystem = {
      machines: [{ name: 'server', cores: 4 }],
      stations: [
        { name: 'loop', machine: 'server', threads: 1 },
        { name: 'threads', machine: 'server', threads: 4 },
      ],
      admitted: Infinity,
    };
    const { latencies } = together(4, { name: 'plot', stages: [work(10, 'loop'), work(10)] }, system, 1);
    expect([...latencies.get('plot')!].map(Math.round)).toEqual([20, 30, 40, 50]);
  });

  test('are let in so many at a time, in the order they came', () => {
    const stages: Stage[] = [{ kind: 'enter' }, { kind: 'pause', milliseconds: 10 }, { kind: 'leave' }];
    const { latencies } = together(4, { name: 'plot', stages }, { ...machine(4), admitted: 2 }, 1);
    expect(latencies.get('plot')).toEqual([10, 10, 20, 20]);
  });

  test('whose work is cut into pieces let others come in between', () => {
    const test: Stage = { kind: 'spread', at: 'threads', milliseconds: 40, pieces: 4 };
    const calls = [{ name: 'test', stages: [test] }, plot(10)];
    const { latencies } = simulateLoad({
      system: machine(1, 1),
      callers: { kind: 'every-second', beginnings: [0, 0], call: (user) => calls[user]! },
      seconds: 1,
      seed: 6,
    });
    expect([...latencies]).toEqual([
      ['plot', [20]],
      ['test', [50]],
    ]);
    const { latencies: alone } = together(1, calls[0]!, machine(2), 1);
    expect(alone.get('test')).toEqual([20]);
  });

  test('are slowed by what is done beside them', () => {
    const beside: Stage = { kind: 'aside', machine: 'server', milliseconds: 10 };
    const { latencies } = together(1, { name: 'plot', stages: [beside, work(10)] }, machine(1), 1);
    expect(latencies.get('plot')).toEqual([20]);
  });
});
