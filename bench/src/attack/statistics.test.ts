import { describe, expect, test } from 'vitest';
import {
  isBearable,
  isGivenBack,
  type Phase,
  type Sample,
  spreadOf,
  verdictOn,
  type WatchedKind,
} from './statistics.ts';

const samples = (kind: WatchedKind, phase: Phase, times: readonly number[], status = 200): Sample[] =>
  times.map((milliseconds) => ({ kind, phase, milliseconds, status }));

/** What computes took so long in each phase; whether the server lives was told in so many milliseconds. */
const even = (before: number, during: number, after = before, health = 2): Sample[] => [
  ...samples('gene plot', 'before', [before]),
  ...samples('gene plot', 'during', [during]),
  ...samples('gene plot', 'after', [after]),
  ...samples('sign-in', 'before', [before]),
  ...samples('sign-in', 'during', [during]),
  ...samples('sign-in', 'after', [after]),
  ...samples('healthz', 'before', [health]),
  ...samples('healthz', 'during', [health]),
  ...samples('healthz', 'after', [health]),
];

test('the middle and the slowest twentieth are those of the kind and the phase asked for', () => {
  const mixed = [
    ...samples(
      'gene plot',
      'before',
      Array.from({ length: 100 }, (_, i) => i + 1),
    ),
    ...samples('gene plot', 'during', [5000]),
    ...samples('sign-in', 'before', [7000]),
  ];
  expect(spreadOf(mixed, 'gene plot', 'before')).toEqual({ half: 50, most: 95 });
  expect(spreadOf(mixed, 'healthz', 'before').half).toBeNaN();
});

test('twice as long is bearable with its tolerance, more is not unless nobody notices', () => {
  expect([isBearable(100, 250), isBearable(100, 251)]).toEqual([true, false]);
  expect([isBearable(1, 26), isBearable(1, 27)]).toEqual([true, false]);
});

describe('the verdict on an attack', () => {
  test('is that it was held where others were as well off as before', () => {
    expect(verdictOn(even(100, 200))).toEqual({ outcome: 'held', reasons: [] });
  });

  test('names what took too long, during the attack and afterwards', () => {
    const { outcome, reasons } = verdictOn([...even(100, 120), ...samples('sign-in', 'during', [900, 900])]);
    expect([outcome, reasons]).toEqual([
      'not held',
      ['sign-in p50 9.0 times as long during', 'sign-in p95 9.0 times as long during'],
    ]);
    expect(verdictOn(even(100, 100, 300)).reasons).toContain('gene plot p50 3.0 times as long after');
  });

  test('is that it was not held where another user got an error, a broken connection or a refusal', () => {
    const fine = even(100, 100);
    for (const [status, reason] of [
      [503, '1 calls of others failed'],
      [0, '1 calls of others failed'],
      [429, '1 calls of others were refused'],
    ] as const) {
      expect(verdictOn([...fine, ...samples('healthz', 'during', [2], status)])).toEqual({
        outcome: 'not held',
        reasons: [reason],
      });
    }
  });

  test('is left open where the machine was busy before, but for errors', () => {
    const busy = even(100, 100, 100, 21);
    expect(verdictOn(busy)).toEqual({
      outcome: 'undecided',
      reasons: ['the machine was busy before: /healthz took 21 ms'],
    });
    expect(verdictOn([...busy, ...samples('sign-in', 'during', [100], 500)]).outcome).toBe('not held');
  });

  test('is that it was not held where nothing was measured', () => {
    expect(verdictOn(samples('gene plot', 'before', [1])).outcome).toBe('not held');
  });
});

test('memory is given back when at most a quarter more is held than before, whatever the peak', () => {
  expect(isGivenBack({ before: 400, peak: 2000, after: 500 })).toBe(true);
  expect(isGivenBack({ before: 400, peak: 600, after: 501 })).toBe(false);
});
