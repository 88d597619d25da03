/** Numbers of the same cells, in pairs; pairs of two zeros are only counted. */
export interface Pairs {
  x: Float64Array;
  y: Float64Array;
  zeroPairs: number;
}

export interface Correlations {
  readonly pearson: number;
  readonly spearman: number;
}

/**
 * Correlations of all pairs, as in `scipy.stats.pearsonr` and `spearmanr` (ties share their mean rank). NaN with fewer
 * than two cells or if one of the two does not vary.
 */
export function correlationsOf(pairs: Pairs): Correlations {
  return {
    pearson: pearson(pairs.x, pairs.y, pairs.zeroPairs, 0, 0),
    spearman: spearman(pairs),
  };
}

/** Includes `further` pairs of the same two values. */
function pearson(x: Float64Array, y: Float64Array, further: number, atX: number, atY: number): number {
  const count = x.length + further;
  if (count < 2) return NaN;
  let [sumX, sumY] = [further * atX, further * atY];
  for (let i = 0; i < x.length; i++) {
    sumX += x[i]!;
    sumY += y[i]!;
  }
  const [meanX, meanY] = [sumX / count, sumY / count];
  let xx = further * (atX - meanX) ** 2;
  let yy = further * (atY - meanY) ** 2;
  let xy = further * (atX - meanX) * (atY - meanY);
  for (let i = 0; i < x.length; i++) {
    const [dx, dy] = [x[i]! - meanX, y[i]! - meanY];
    xx += dx * dx;
    yy += dy * dy;
    xy += dx * dy;
  }
  return xx > 0 && yy > 0 ? Math.max(-1, Math.min(1, xy / Math.sqrt(xx * yy))) : NaN;
}

function spearman({ x, y, zeroPairs }: Pairs): number {
  const ofX = ranked(x, zeroPairs);
  const ofY = ranked(y, zeroPairs);
  // Without further zeros, as of scores, there may be no zero that has a rank.
  const [atX, atY] = zeroPairs > 0 ? [ofX.zeroRank, ofY.zeroRank] : [0, 0];
  return pearson(ofX.ranks, ofY.ranks, zeroPairs, atX, atY);
}

/** Mean ranks among the values and further zeros, and the rank of a zero. */
function ranked(values: Float64Array, zeros: number): { ranks: Float64Array; zeroRank: number } {
  const sorted = values.slice().sort();
  const rankOf = new Map<number, number>();
  let zeroRank = NaN;
  let before = 0;
  let hasZeros = zeros > 0;
  const takeZeros = (own: number): void => {
    zeroRank = before + (own + zeros + 1) / 2;
    rankOf.set(0, zeroRank);
    before += own + zeros;
    hasZeros = false;
  };
  for (let i = 0; i < sorted.length;) {
    const value = sorted[i]!;
    if (hasZeros && value > 0) takeZeros(0);
    let end = i + 1;
    while (end < sorted.length && sorted[end] === value) end++;
    if (value === 0) takeZeros(end - i);
    else {
      rankOf.set(value, before + (end - i + 1) / 2);
      before += end - i;
    }
    i = end;
  }
  if (hasZeros) takeZeros(0);
  return { ranks: values.map((value) => rankOf.get(value)!), zeroRank };
}
