import { fisherExact } from '../statistics/fisher-exact.ts';

/** With fewer expressing cells expected on the smaller side, the normal approximation of a test fails in its tail. */
export const minExpected = 10;
/** Genes that more cells express are ranked by their values more than by their zeros. */
const maxShare = 0.5;
/** Larger p-values pass no limit after adjustment, and stay. */
const looked = 0.01;

/** Cells of a side of a test, and how many of them express each gene. */
export interface ExpressingCells {
  readonly size: number;
  readonly expressing: Float64Array;
}

/**
 * P-values of a test of a few cells against many, whose normal approximation makes genes that few cells express far too
 * significant: for these, that of Fisher’s exact test of expressing cells where it is larger. In place; returns how many
 * genes have another p-value.
 */
export function correctSparse(pvals: Float64Array, one: ExpressingCells, other: ExpressingCells): number {
  const all = one.size + other.size;
  const part = Math.min(one.size, other.size) / all;
  let corrected = 0;
  for (let gene = 0; gene < pvals.length; gene++) {
    if (pvals[gene]! >= looked) continue;
    const [own, others] = [one.expressing[gene]!, other.expressing[gene]!];
    const expressing = own + others;
    if (part * expressing >= minExpected || expressing >= maxShare * all) continue;
    const exact = fisherExact({
      both: own,
      setOnly: one.size - own,
      topOnly: others,
      neither: other.size - others,
    });
    if (exact <= pvals[gene]!) continue;
    pvals[gene] = exact;
    corrected++;
  }
  return corrected;
}
