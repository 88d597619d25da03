import { describe, expect, test } from 'vitest';
import { quantile } from '../measure/statistics.ts';
import { simulateLoad } from './simulate-load.ts';

const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;

describe('the simulation of a load', () => {
  test('alone, a call takes its service time', () => {
    const { latencies, utilisation } = simulateLoad({
      kinds: [{ name: 'plot', share: 1, service: [20] }],
      callsPerSecond: 0.1,
      seconds: 10_000,
      cores: 1,
      seed: 1,
    });
    expect(quantile(latencies.get('plot')!, 0.95)).toBeCloseTo(20, 0);
    expect(utilisation).toBeCloseTo(0.002, 3);
  });

  test('waits as the formula of Pollaczek and Khinchine says, for one core and one service time', () => {
    // M/D/1 at utilisation 0.8: the mean wait is 0.8 / (2 * 0.2) = 2 service times.
    const { latencies } = simulateLoad({
      kinds: [{ name: 'plot', share: 1, service: [10] }],
      callsPerSecond: 80,
      seconds: 5000,
      cores: 1,
      seed: 2,
    });
    expect(mean(latencies.get('plot')!)).toBeGreaterThan(28);
    expect(mean(latencies.get('plot')!)).toBeLessThan(32);
  });

  test('two kinds share the cores as they were said to', () => {
    const { latencies } = simulateLoad({
      kinds: [
        { name: 'plot', share: 0.75, service: [5, 15] },
        { name: 'markers', share: 0.25, service: [100] },
      ],
      callsPerSecond: 10,
      seconds: 1000,
      cores: 2,
      seed: 3,
    });
    const plots = latencies.get('plot')!.length;
    const all = plots + latencies.get('markers')!.length;
    expect(plots / all).toBeGreaterThan(0.73);
    expect(plots / all).toBeLessThan(0.77);
  });

  test('more work than the cores can do says so', () => {
    const { utilisation } = simulateLoad({
      kinds: [{ name: 'plot', share: 1, service: [100] }],
      callsPerSecond: 50,
      seconds: 100,
      cores: 2,
      seed: 4,
    });
    expect(utilisation).toBeGreaterThan(2);
  });
});
