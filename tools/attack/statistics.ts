import { quantile } from '../../bench/src/measure/result.ts';

export const watchedKinds = ['gene plot', 'sign-in', 'healthz'] as const;
export type WatchedKind = (typeof watchedKinds)[number];

export const phases = ['before', 'control', 'during', 'after'] as const;
export type Phase = (typeof phases)[number];

export interface Sample {
  kind: WatchedKind;
  phase: Phase;
  /** From the moment the call was due, which includes waiting for the previous response. */
  milliseconds: number;
  status: number;
}

export interface Spread {
  median: number;
  p95: number;
}

/** Times of the calls of a kind; NaN without calls. */
export function spreadOf(samples: readonly Sample[], kind: WatchedKind, phase: Phase): Spread {
  const times = samples
    .filter((one) => one.kind === kind && one.phase === phase)
    .map((one) => one.milliseconds);
  return { median: quantile(times, 0.5), p95: quantile(times, 0.95) };
}

/** At most twice as long, plus 25 % for noise. */
export const maxFactor = 2 * 1.25;
/** Delays up to this are not noticeable, whatever the factor. */
export const negligibleMilliseconds = 25;

export function isAcceptable(before: number, during: number): boolean {
  return during <= maxFactor * before || during - before <= negligibleMilliseconds;
}

/** Noise between two phases of the same work. */
const maxControlFactor = 1.25;

/** With a longer median of /healthz before the attack, the machine is too busy to measure. */
const maxHealthMilliseconds = 20;

interface Verdict {
  outcome: 'held' | 'not held' | 'undecided';
  reasons: readonly string[];
}

/**
 * Held: during and after the attack no other user was refused, got an error, or waited much longer than before (during
 * the attack: than while the same work was requested normally, where that was measured). Undecided on a busy machine
 * without failures.
 */
export function verdictOn(samples: readonly Sample[]): Verdict {
  const failures = failuresIn(samples);
  if (failures.length > 0) return { outcome: 'not held', reasons: [...failures, ...delaysIn(samples)] };
  const health = spreadOf(samples, 'healthz', 'before').median;
  if (health > maxHealthMilliseconds) {
    const reason = `the machine was busy before: /healthz took ${health.toFixed(0)} ms`;
    return { outcome: 'undecided', reasons: [reason, ...delaysIn(samples)] };
  }
  const reasons = delaysIn(samples);
  return { outcome: reasons.length === 0 ? 'held' : 'not held', reasons };
}

function failuresIn(samples: readonly Sample[]): string[] {
  const failed = samples.filter(({ status }) => status >= 500 || status === 0).length;
  const refused = samples.filter(({ status }) => status >= 400 && status < 500).length;
  return [
    ...(failed > 0 ? [`${failed} calls of other users failed`] : []),
    ...(refused > 0 ? [`${refused} calls of other users were refused`] : []),
  ];
}

function delaysIn(samples: readonly Sample[]): string[] {
  const reasons: string[] = [];
  for (const kind of watchedKinds) {
    const before = spreadOf(samples, kind, 'before');
    for (const phase of ['during', 'after'] as const) {
      const then = spreadOf(samples, kind, phase);
      if (Number.isNaN(before.median) || Number.isNaN(then.median)) {
        reasons.push(`${kind} not measured ${phase}`);
        continue;
      }
      const control = phase === 'during' ? spreadOf(samples, kind, 'control') : undefined;
      const compare = (name: 'p50' | 'p95', quiet: number, busy: number): void => {
        if (isAcceptable(quiet, busy)) return;
        if (control && busy <= maxControlFactor * control[name === 'p50' ? 'median' : 'p95']) return;
        reasons.push(`${kind} ${name} ${(busy / quiet).toFixed(1)} times as long ${phase}`);
      };
      compare('p50', before.median, then.median);
      compare('p95', before.p95, then.p95);
    }
  }
  return reasons;
}

export interface MemoryCurve {
  before: number;
  peak: number;
  after: number;
}

/** Whether the server has at most 25 % more memory than before. */
export const isReleased = ({ before, after }: MemoryCurve): boolean => after <= 1.25 * before;
