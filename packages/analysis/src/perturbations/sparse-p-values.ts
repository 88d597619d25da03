import { fisherExact } from '../statistics/fisher-exact.ts';

/** With fewer expressing cells expected on the smaller side, the normal approximation of a rank test fails in its tail. */
export const minExpected = 10;
/** Larger p-values pass no limit after adjustment, and stay. */
const looked = 0.01;

/** Cells of a side of a test, and how many of them express each gene. */
export interface ExpressingCells {
  readonly size: number;
  expressing(gene: number): number;
}

/**
 * P-values of a rank test of a few cells against many, whose normal approximation makes genes that few cells express far
 * too significant: for these, that of Fisher’s exact test of expressing cells where it is larger. In place.
 */
export function correctSparse(pvals: Float64Array, one: ExpressingCells, other: ExpressingCells): void {
  const all = one.size + other.size;
  const part = Math.min(one.size, other.size) / all;
  for (let gene = 0; gene < pvals.length; gene++) {
    if (pvals[gene]! >= looked) continue;
    const [own, others] = [one.expressing(gene), other.expressing(gene)];
    if (part * (own + others) >= minExpected) continue;
    const exact = fisherExact({
      both: own,
      setOnly: one.size - own,
      topOnly: others,
      neither: other.size - others,
    });
    pvals[gene] = Math.max(pvals[gene]!, exact);
  }
}
