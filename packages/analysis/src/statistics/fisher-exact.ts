import { logGamma } from './log-gamma.ts';

/** How many things have both of two properties, one of them, and neither: whole numbers. */
interface FourfoldTable {
  readonly both: number;
  readonly setOnly: number;
  readonly topOnly: number;
  readonly neither: number;
}

/** Tables as probable as the observed one but for rounding count as equally probable; scipy takes 1e-7, R 1e-7. */
const rounding = 1e-7;

/**
 * Two-sided p-value of Fisher's exact test: the probability, with all margins fixed, of the tables that are no more
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
