export interface PermutationTests {
  /** Score divided by the mean of the permuted scores with its sign; 1 or −1 if none has its sign. */
  readonly normalised: Float64Array;
  /** Share of the permuted scores of the same sign that are at least as extreme; 1 if none has its sign. */
  readonly pValues: Float64Array;
  readonly falseDiscoveryRates: Float64Array;
  /**
   * Share of the permutations in which any set is as extreme; NaN for a negative score if no permuted one is negative.
   */
  readonly familyWise: Float64Array;
  readonly sameSign: Int32Array;
  readonly asExtreme: Int32Array;
}

/**
 * Subramanian and others 2005 as in gseapy 1.3's `prerank`, which also omits the step that makes rates monotonic in the
 * score. `permuted`: blocks of sets × permutations, in the order of the sets; normalised in place.
 */
export function permutationTests(
  scores: Float64Array,
  permuted: readonly Float64Array[],
  permutations: number,
): PermutationTests {
  const sets = scores.length;
  const columns = {
    normalised: new Float64Array(sets),
    pValues: new Float64Array(sets),
    sameSign: new Int32Array(sets),
    asExtreme: new Int32Array(sets),
  };
  let set = 0;
  for (const block of permuted) {
    for (let start = 0; start < block.length; start += permutations, set++) {
      normalise(scores[set]!, set, block.subarray(start, start + permutations), columns);
    }
  }
  return {
    ...columns,
    falseDiscoveryRates: falseDiscoveryRates(columns.normalised, permuted),
    familyWise: familyWise(columns.normalised, permuted, permutations),
  };
}

type Columns = Pick<PermutationTests, 'normalised' | 'pValues' | 'sameSign' | 'asExtreme'>;

function normalise(score: number, set: number, permuted: Float64Array, columns: Columns): void {
  let [positive, above, negative, below] = [0, 0, 0, 0];
  let [asHigh, asLow] = [0, 0];
  for (let p = 0; p < permuted.length; p++) {
    const value = permuted[p]!;
    if (value >= 0) {
      positive++;
      above += value;
    } else {
      negative++;
      below += value;
    }
    if (value >= score) asHigh++;
    if (value <= score) asLow++;
  }
  const meanAbove = positive > 0 ? above / positive : score;
  const meanBelow = Math.abs(negative > 0 ? below / negative : score);
  const isNegative = score < 0;
  const sameSign = isNegative ? negative : positive;
  const asExtreme = isNegative ? asLow : asHigh;
  columns.normalised[set] = score / (isNegative ? meanBelow : meanAbove);
  columns.sameSign[set] = sameSign;
  columns.asExtreme[set] = asExtreme;
  columns.pValues[set] = sameSign === 0 ? 1 : asExtreme / sameSign;
  for (let p = 0; p < permuted.length; p++) permuted[p]! /= permuted[p]! >= 0 ? meanAbove : meanBelow;
}

/**
 * Per sign: share of permuted scores as extreme, divided by the share of observed ones. Permuted scores are counted
 * into the gaps between the few observed ones, so none has to be sorted or kept.
 */
function falseDiscoveryRates(normalised: Float64Array, permuted: readonly Float64Array[]): Float64Array {
  const sorted = normalised.slice().sort();
  const count = sorted.length;
  // gaps[i]: permuted scores of which just i observed ones are at most as large.
  const atMost = new Float64Array(count + 1);
  // Likewise of which just i observed ones are smaller.
  const below = new Float64Array(count + 1);
  let [total, negative] = [0, 0];
  for (const block of permuted) {
    for (let i = 0; i < block.length; i++) {
      const value = block[i]!;
      atMost[countUpTo(sorted, value)]!++;
      below[countBelow(sorted, value)]!++;
      if (value < 0) negative++;
    }
    total += block.length;
  }
  // Permuted scores at least as large as observed i, and at most as large.
  const asHigh = new Float64Array(count);
  for (let i = count - 1, sum = 0; i >= 0; i--) asHigh[i] = sum += atMost[i + 1]!;
  const asLow = new Float64Array(count);
  for (let i = 0, sum = 0; i < count; i++) asLow[i] = sum += below[i]!;
  const negativeSets = countBelow(sorted, 0);
  return normalised.map((score) => {
    const isNegative = score < 0;
    const first = countBelow(sorted, score);
    const last = countUpTo(sorted, score) - 1;
    const ofPermuted = isNegative ? share(asLow[last]!, negative) : share(asHigh[first]!, total - negative);
    const ofObserved = isNegative
      ? share(last + 1, negativeSets)
      : share(count - first, count - negativeSets);
    return ofObserved === 0 ? 1 : Math.min(1, ofPermuted / ofObserved);
  });
}

function share(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}

function familyWise(
  normalised: Float64Array,
  permuted: readonly Float64Array[],
  permutations: number,
): Float64Array {
  const greatest = new Float64Array(permutations);
  const lowest = new Float64Array(permutations);
  for (const block of permuted) {
    for (let i = 0; i < block.length; i++) {
      const [value, p] = [block[i]!, i % permutations];
      if (value > greatest[p]!) greatest[p] = value;
      if (value < lowest[p]!) lowest[p] = value;
    }
  }
  greatest.sort();
  lowest.sort();
  const negative = countBelow(lowest, 0);
  return normalised.map((score) =>
    score < 0
      ? countBelow(lowest, score) / negative
      : (permutations - countBelow(greatest, score)) / permutations,
  );
}

function countBelow(rising: Float64Array, value: number): number {
  let [low, high] = [0, rising.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rising[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function countUpTo(rising: Float64Array, value: number): number {
  let [low, high] = [0, rising.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rising[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
