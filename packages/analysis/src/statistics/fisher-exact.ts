import { logGamma } from './log-gamma.ts';

interface FourfoldTable {
  both: number;
  setOnly: number;
  topOnly: number;
  neither: number;
}

/** Relative tolerance for tables as probable as the observed one; scipy and R use 1e-7 too. */
const rounding = 1e-7;

/**
 * Two-sided p-value of Fisher's exact test: total probability, with fixed margins, of the tables that are no more
 * probable than this one.
 */
export function fisherExact({ both, setOnly, topOnly, neither }: FourfoldTable): number {
  const [row, column] = [both + setOnly, both + topOnly];
  const all = row + topOnly + neither;
  const logs = [row, column, all - row, all - column].map((count) => logGamma(count + 1));
  const inside = [all, both, setOnly, topOnly, neither].map((count) => logGamma(count + 1));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const observed = Math.exp(sum(logs) - sum(inside));
  const limit = observed * (1 + rounding);
  // From the observed table on, each probability is that of its neighbor times a ratio: a logarithm for each is slow.
  let p = observed;
  let term = observed;
  for (let at = both; at > Math.max(0, row + column - all); at--) {
    term *= (at * (all - row - column + at)) / ((row - at + 1) * (column - at + 1));
    if (term <= limit) p += term;
  }
  term = observed;
  for (let at = both; at < Math.min(row, column); at++) {
    term *= ((row - at) * (column - at)) / ((at + 1) * (all - row - column + at + 1));
    if (term <= limit) p += term;
  }
  return Math.min(1, p);
}
