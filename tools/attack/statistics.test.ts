import { describe, expect, test } from 'vitest';
import {
  isAcceptable,
  isReleased,
  type Phase,
  type Sample,
  spreadOf,
  verdictOn,
  type WatchedKind,
} from './statistics.ts';

const samples = (kind: WatchedKind, phase: Phase, times: readonly number[], status = 200): Sample[] =>
  times.map((milliseconds) => ({ kind, phase, milliseconds, status }));

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

test('median and 95th percentile are those of the kind and the phase', () => {
  const mixed = [
    ...samples(
      'gene plot',
      'before',
      Array.from({ length: 100 }, (_, i) => i + 1),
    ),
    ...samples('gene plot', 'during', [5000]),
    ...samples('sign-in', 'before', [7000]),
  ];
  expect(spreadOf(mixed, 'gene plot', 'before')).toEqual({ median: 50, p95: 95 });
  expect(spreadOf(mixed, 'healthz', 'before').median).toBeNaN();
});

test('twice as long with a tolerance is acceptable, more only if it is negligible', () => {
  expect([isAcceptable(100, 250), isAcceptable(100, 251)]).toEqual([true, false]);
  expect([isAcceptable(1, 26), isAcceptable(1, 27)]).toEqual([true, false]);
});

describe('the verdict on an attack', () => {
  test('is held when other users are not affected', () => {
    expect(verdictOn(even(100, 200))).toEqual({ outcome: 'held', reasons: [] });
  });

  test('has the delays during and after the attack', () => {
    const { outcome, reasons } = verdictOn([...even(100, 120), ...samples('sign-in', 'during', [900, 900])]);
    expect([outcome, reasons]).toEqual([
      'not held',
      ['sign-in p50 9.0 times as long during', 'sign-in p95 9.0 times as long during'],
    ]);
    expect(verdictOn(even(100, 100, 300)).reasons).toContain('gene plot p50 3.0 times as long after');
  });

  test('is held when others waited as long for the same work requested normally', () => {
    const slow = [...even(100, 120), ...samples('sign-in', 'during', [900, 900])];
    expect(verdictOn([...slow, ...samples('sign-in', 'control', [720])]).outcome).toBe('held');
    expect(verdictOn([...slow, ...samples('sign-in', 'control', [700])]).outcome).toBe('not held');
    expect(verdictOn([...even(100, 100, 300), ...samples('gene plot', 'control', [300])]).outcome).toBe(
      'not held',
    );
  });

  test('is not held when another user got an error, a broken connection or a refusal', () => {
    const fine = even(100, 100);
    for (const [status, reason] of [
      [503, '1 calls of other users failed'],
      [0, '1 calls of other users failed'],
      [429, '1 calls of other users were refused'],
    ] as const) {
      expect(verdictOn([...fine, ...samples('healthz', 'during', [2], status)])).toEqual({
        outcome: 'not held',
        reasons: [reason],
      });
    }
  });

  test('is undecided when the machine was busy before, except after errors', () => {
    const busy = even(100, 100, 100, 21);
    expect(verdictOn(busy)).toEqual({
      outcome: 'undecided',
      reasons: ['the machine was busy before: /healthz took 21 ms'],
    });
    expect(verdictOn([...busy, ...samples('sign-in', 'during', [100], 500)]).outcome).toBe('not held');
  });

  test('is not held without measurements', () => {
    expect(verdictOn(samples('gene plot', 'before', [1])).outcome).toBe('not held');
  });
});

test('memory is released when there is at most 25 % more than before, whatever the peak', () => {
  expect(isReleased({ before: 400, peak: 2000, after: 500 })).toBe(true);
  expect(isReleased({ before: 400, peak: 600, after: 501 })).toBe(false);
});
