import { quantile } from '../measure/statistics.ts';

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

export interface Verdict {
  readonly held: boolean;
  /** Why not, in the order of how bad it is. */
  readonly reasons: readonly string[];
}

/** Whether an attack was borne: nobody else waited much longer, was refused or got an error, then or afterwards. */
export function verdictOn(samples: readonly Sample[]): Verdict {
  const reasons: string[] = [];
  const errors = samples.filter(({ status }) => status >= 500 || status === 0).length;
  if (errors > 0) reasons.push(`${errors} calls of others failed`);
  const refused = samples.filter(({ status }) => status >= 400 && status < 500).length;
  if (refused > 0) reasons.push(`${refused} calls of others were refused`);
  for (const kind of watchedKinds) {
    const before = spreadOf(samples, kind, 'before');
    for (const phase of ['during', 'after'] as const) {
      const then = spreadOf(samples, kind, phase);
      for (const [name, of] of [
        ['p50', 'half'],
        ['p95', 'most'],
      ] as const) {
        // name-dictionary: two names of our own
        const [quiet, busy] = [before[of], then[of]];
        if (Number.isNaN(quiet) || Number.isNaN(busy)) reasons.push(`${kind} not measured ${phase}`);
        else if (!isBearable(quiet, busy))
          reasons.push(`${kind} ${name} ${(busy / quiet).toFixed(1)} times as long ${phase}`);
      }
    }
  }
  return { held: reasons.length === 0, reasons: [...new Set(reasons)] };
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
