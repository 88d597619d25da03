import { benjaminiHochberg } from '../statistics/benjamini-hochberg.ts';
import { fisherExact } from '../statistics/fisher-exact.ts';
import { studentTwoSidedTail } from '../statistics/tails.ts';

export interface ProfileSet {
  readonly places: Int32Array;
  /** Weight per index in `places`; genes outside the set weigh 0. */
  readonly weights: Float64Array;
}

export interface SetScores {
  scores: Float64Array;
  pValues: Float64Array;
  /** Benjamini-Hochberg over the sets of one profile. */
  adjustedPs: Float64Array;
}

/**
 * Univariate linear models (decoupler's `ulm`; Badia-i-Mompel et al. 2022, Bioinformatics Advances 2:vbac016): per set,
 * regresses the values of all genes on their weights. The score is t of the slope, p is two-sided. If all values or all
 * weights are equal, the score is 0 and p is 1. `values`: of all genes of a profile.
 */
export function univariateLinearModels(values: Float64Array, sets: readonly ProfileSet[]): SetScores {
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const spread = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const degrees = count - 2;
  const scores = Float64Array.from(sets, ({ places, weights }) => {
    let [shared, sum, squares] = [0, 0, 0];
    for (let i = 0; i < places.length; i++) {
      const weight = weights[i]!;
      shared += weight * (values[places[i]!]! - mean);
      sum += weight;
      squares += weight * weight;
    }
    const r = shared / Math.sqrt(spread * (squares - (sum * sum) / count));
    // The products of rounding may leave r a little beyond 1.
    const t = r * Math.sqrt(degrees / (Math.max(1 - r, 2.2e-16) * Math.max(1 + r, 2.2e-16)));
    return Number.isFinite(t) ? t : 0;
  });
  return adjusted(
    scores,
    scores.map((t) => studentTwoSidedTail(t, degrees)),
  );
}

/** Share of a profile's genes that count as its top, as in decoupler. */
const topShare = 0.05;

/** Number of top genes of a profile: 5%, at least two. */
function topCount(genes: number): number {
  return Math.max(2, Math.ceil(topShare * genes));
}

/**
 * Over-representation of sets among the top genes of a profile (decoupler's `ora` with `n_bg=None`: all genes of the
 * profile are the background). The score is the logarithm of the odds ratio with 0.5 added to each count, p that of
 * Fisher's exact test, two-sided.
 */
export function overRepresentationInTop(values: Float64Array, sets: readonly ProfileSet[]): SetScores {
  const count = values.length;
  const top = topCount(count);
  // Among equal values, later ones rank higher, as in ordinal ranks.
  const order = Uint32Array.from(values.keys()).sort((a, b) => values[a]! - values[b]! || a - b);
  const isTop = new Uint8Array(count);
  for (const place of order.subarray(count - top)) isTop[place] = 1;
  const tables = sets.map(({ places }) => {
    const both = places.reduce((sum, place) => sum + isTop[place]!, 0);
    const [setOnly, topOnly] = [places.length - both, top - both];
    return { both, setOnly, topOnly, neither: count - both - setOnly - topOnly };
  });
  return adjusted(
    Float64Array.from(tables, ({ both, setOnly, topOnly, neither }) =>
      Math.log(((both + 0.5) * (neither + 0.5)) / ((setOnly + 0.5) * (topOnly + 0.5))),
    ),
    Float64Array.from(tables, fisherExact),
  );
}

function adjusted(scores: Float64Array, pValues: Float64Array): SetScores {
  return { scores, pValues, adjustedPs: benjaminiHochberg(pValues) };
}
