interface RunningScore {
  /** Enrichment score, from −1 to 1. */
  score: number;
  /** Place in the ranking at which the score is reached; for a negative score, the last one before the leading edge. */
  peak: number;
  /** Places of the set in the ranking, ascending. */
  hits: Int32Array;
  /** Places of the leading edge in the ranking, largest absolute metric first. */
  leadingEdge: Int32Array;
  /** Share of the ranking from its end to the peak, on the side of the score: gseapy's Gene %. */
  geneShare: number;
}

/** |metric| to the power of `weight`: step length at each place. */
export function stepWeights(metric: Float64Array, weight: number): Float64Array {
  return metric.map((value) => Math.abs(value) ** weight);
}

/**
 * Enrichment score of a set (Subramanian and others 2005): walking down the ranking, the score rises at a gene of the
 * set by its share of the set's weights, and falls at any other gene by 1 / (number of these). As in gseapy, if the
 * extremes above and below 0 are equal, the one reached first counts. `weights`: of all places. `hits`: ascending
 * places of the set; neither none nor all.
 */
export function runningScore(weights: Float64Array, hits: Int32Array): RunningScore {
  const count = weights.length;
  const miss = 1 / (count - hits.length);
  const step = 1 / sumAt(weights, hits);
  let [score, current, last] = [0, 0, -1];
  let [peak, lead] = [0, 0];
  for (let i = 0; i < hits.length; i++) {
    const place = hits[i]!;
    current -= miss * (place - last - 1);
    if (Math.abs(current) > Math.abs(score)) [score, peak, lead] = [current, place - 1, i];
    current += step * weights[place]!;
    if (Math.abs(current) > Math.abs(score)) [score, peak, lead] = [current, place, i];
    last = place;
  }
  const leadingEdge = score < 0 ? hits.subarray(lead).toReversed() : hits.slice(0, score > 0 ? lead + 1 : 0);
  const genes = score < 0 ? count - peak : peak + 1;
  return { score, peak, hits, leadingEdge, geneShare: genes / count };
}

/** Corners of the running score, before and after each gene of the set, as places and scores, starting at (0, 0). */
export function scoreCorners(
  weights: Float64Array,
  hits: Int32Array,
): { readonly places: Float64Array; readonly scores: Float64Array } {
  const count = weights.length;
  const places = new Float64Array(2 * hits.length + 2);
  const scores = new Float64Array(2 * hits.length + 2);
  const miss = 1 / (count - hits.length);
  const step = 1 / sumAt(weights, hits);
  let [current, last] = [0, -1];
  for (let i = 0; i < hits.length; i++) {
    const place = hits[i]!;
    current -= miss * (place - last - 1);
    places[2 * i + 1] = place;
    scores[2 * i + 1] = current;
    current += step * weights[place]!;
    places[2 * i + 2] = place + 1;
    scores[2 * i + 2] = current;
    last = place;
  }
  places[places.length - 1] = count;
  return { places, scores };
}

function sumAt(weights: Float64Array, places: Int32Array): number {
  let sum = 0;
  for (let i = 0; i < places.length; i++) sum += weights[places[i]!]!;
  return sum;
}
