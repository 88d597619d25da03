type Unit = 's' | 'ms' | 'MiB' | 'kB' | 'bytes' | 'reads' | 'ARI' | 'share' | 'genes' | 'calls/s';

type Target =
  /** The peer's value is at least `limit` times ours. */
  | { readonly kind: 'ratio-at-least'; readonly limit: number }
  /** The median of ours is at most this. */
  | { readonly kind: 'median-at-most'; readonly limit: number }
  /** All values of ours are at most this. */
  | { readonly kind: 'each-at-most'; readonly limit: number }
  /** The peer's median minus ours is at most this. */
  | { readonly kind: 'below-peer-at-most'; readonly limit: number };

export interface Result {
  readonly quantity: string;
  readonly unit: Unit;
  readonly ours: readonly number[];
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

/** NaN without values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return NaN;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export function ratioOf(ours: readonly number[], peer: readonly number[]): number {
  return median(peer) / median(ours);
}

/** Quantile by nearest rank; NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}
