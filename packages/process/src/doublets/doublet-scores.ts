/** Prior doublet rate, scanpy's default. */
const expectedRate = 0.05;

/**
 * Probability of being a doublet, from the share of simulated doublets among each cell's nearest neighbours and the
 * expected rate (Wolock et al. 2019, doi:10.1016/j.cels.2018.11.005, as in scanpy's `pp.scrublet`).
 * `simulatedNeighbours`: number of simulated ones among the `neighbours` nearest, which include the cell itself.
 * `ratio`: simulated doublets per cell.
 */
export function doubletScores(
  simulatedNeighbours: ArrayLike<number>,
  { neighbours, ratio }: { neighbours: number; ratio: number },
): Float64Array {
  return Float64Array.from(simulatedNeighbours, (simulated) => {
    // The mean of a beta distribution over the share, after a uniform one.
    const share = (simulated + 1) / (neighbours + 2);
    return (
      (share * expectedRate) / ratio / (1 - expectedRate - share * (1 - expectedRate - expectedRate / ratio))
    );
  });
}

/** Number of neighbours to search: half the square root of the number of cells, scaled up by the simulated doublets. */
export function neighboursFor(cells: number, ratio: number): number {
  return roundHalfEven(roundHalfEven(0.5 * Math.sqrt(cells)) * (1 + ratio));
}

/** Rounds like Python. */
function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  return rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor;
}
