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
  const logOf = (at: number) =>
    -(
      logGamma(at + 1) +
      logGamma(row - at + 1) +
      logGamma(column - at + 1) +
      logGamma(all - row - column + at + 1)
    );
  const common =
    logGamma(row + 1) +
    logGamma(column + 1) +
    logGamma(all - row + 1) +
    logGamma(all - column + 1) -
    logGamma(all + 1);
  const observed = logOf(both);
  let p = 0;
  for (let at = Math.max(0, row + column - all); at <= Math.min(row, column); at++) {
    const log = logOf(at);
    if (log <= observed + rounding) p += Math.exp(common + log);
  }
  return Math.min(1, p);
}
