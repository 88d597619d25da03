import { quantile } from '../measure/result.ts';

/** What is measured of the users who are not attackers. */
export const watchedKinds = ['gene plot', 'sign-in', 'healthz'] as const;
export type WatchedKind = (typeof watchedKinds)[number];

/** While nobody attacks, while somebody does, and when it is over. */
export type Phase = 'before' | 'during' | 'after';

export interface Sample {
  readonly kind: WatchedKind;
  readonly phase: Phase;
  /** From the moment at which the call was due: one that could not be sent yet, because the one before was not answered, waits already. */
  readonly milliseconds: number;
  /** 0 where the connection broke. */
  readonly status: number;
}

export interface Spread {
  readonly half: number;
  readonly most: number;
}

/** The middle and the 95th percentile of the calls of a kind; NaN where there are none. */
export function spreadOf(samples: readonly Sample[], kind: WatchedKind, phase: Phase): Spread {
  const times = samples
    .filter((one) => one.kind === kind && one.phase === phase)
    .map((one) => one.milliseconds);
  return { half: quantile(times, 0.5), most: quantile(times, 0.95) };
}

/** "Never worse than twice", and a quarter of that for the noise of a machine that does other things as well. */
export const worstFactor = 2 * 1.25;
/** Milliseconds that nobody notices, however many times a short call they are. */
export const unnoticed = 25;

/** Whether a call that took `before` may take `during`. */
export function isBearable(before: number, during: number): boolean {
  return during <= worstFactor * before || during - before <= unnoticed;
}

/** Milliseconds of /healthz in the middle, while nobody attacks, above which the machine does too much else to tell. */
const busyHealth = 20;

export interface Verdict {
  readonly outcome: 'held' | 'not held' | 'undecided';
  /** Why it was not held, or cannot be told. */
  readonly reasons: readonly string[];
}

/**
 * Whether an attack was borne: nobody else waited much longer, was refused or got an error, then or afterwards. Times
 * are not judged on a machine that is busy with something else.
 */
export function verdictOn(samples: readonly Sample[]): Verdict {
  const failures = failuresIn(samples);
  if (failures.length > 0) return { outcome: 'not held', reasons: [...failures, ...delaysIn(samples)] };
  const health = spreadOf(samples, 'healthz', 'before').half;
  if (health > busyHealth) {
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
    ...(failed > 0 ? [`${failed} calls of others failed`] : []),
    ...(refused > 0 ? [`${refused} calls of others were refused`] : []),
  ];
}

function delaysIn(samples: readonly Sample[]): string[] {
  const reasons: string[] = [];
  for (const kind of watchedKinds) {
    const before = spreadOf(samples, kind, 'before');
    for (const phase of ['during', 'after'] as const) {
      const then = spreadOf(samples, kind, phase);
      if (Number.isNaN(before.half) || Number.isNaN(then.half)) {
        reasons.push(`${kind} not measured ${phase}`);
        continue;
      }
      const tell = (name: string, quiet: number, busy: number): void => {
        if (isBearable(quiet, busy)) return;
        reasons.push(`${kind} ${name} ${(busy / quiet).toFixed(1)} times as long ${phase}`);
      };
      tell('p50', before.half, then.half);
      tell('p95', before.most, then.most);
    }
  }
  return reasons;
}

/** Resident memory of a server, in MiB. */
export interface MemoryCurve {
  readonly before: number;
  readonly peak: number;
  /** When it was left alone after the attack. */
  readonly after: number;
}

/** What is held after the quiet is at most a quarter more than before. */
export const isGivenBack = ({ before, after }: MemoryCurve): boolean => after <= 1.25 * before;
