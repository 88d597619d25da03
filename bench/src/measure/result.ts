type Unit = 's' | 'ms' | 'MiB' | 'kB' | 'bytes' | 'reads' | 'ARI' | 'share' | 'calls/s';

/** What the project promises of a quantity. */
type Target =
  /** The peer takes at least so many times what we take. */
  | { readonly kind: 'ratio-at-least'; readonly limit: number }
  /** The median of ours is at most this. */
  | { readonly kind: 'median-at-most'; readonly limit: number }
  /** No single value of ours is above this. */
  | { readonly kind: 'each-at-most'; readonly limit: number }
  /** The median of ours is below the peer's by no more than this. */
  | { readonly kind: 'below-peer-at-most'; readonly limit: number };

/** One measured quantity: every repetition, not only a summary. */
export interface Result {
  readonly quantity: string;
  readonly unit: Unit;
  readonly ours: readonly number[];
  /** Absent: there is no peer for it, or the peer was left out. */
  readonly peer?: readonly number[];
  readonly target?: Target;
}

export type Verdict = 'met' | 'MISSED' | 'not measured' | '';

export function verdictOf({ ours, peer, target }: Result): Verdict {
  if (target === undefined) return '';
  const value =
    target.kind === 'ratio-at-least'
      ? ratioOf(ours, peer ?? [])
      : target.kind === 'median-at-most'
        ? median(ours)
        : target.kind === 'each-at-most'
          ? Math.max(...ours)
          : median(peer ?? []) - median(ours);
  if (!Number.isFinite(value)) return 'not measured';
  const met = target.kind === 'ratio-at-least' ? value >= target.limit : value <= target.limit;
  return met ? 'met' : 'MISSED';
}

/** Middle of the values, or the mean of the two in the middle; NaN where there are none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return NaN;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** How many times the peer takes what we take, by the medians. Above 1: ours is the smaller. */
export function ratioOf(ours: readonly number[], peer: readonly number[]): number {
  return median(peer) / median(ours);
}

/** The value that the given share of all is at most (nearest rank); NaN where there are none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}
