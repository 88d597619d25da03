/** What is known of doublets before a look at the data, as scanpy has it. */
const expectedRate = 0.05;

/**
 * The chance of being a doublet, by the share of simulated doublets among the nearest neighbours of each cell and what
 * is expected of it (Wolock et al. 2019, doi:10.1016/j.cels.2018.11.005, as scanpy's `pp.scrublet`).
 *
 * `simulatedNeighbours`: how many of the `neighbours` nearest, of which the cell itself is one, are simulated. `ratio`:
 * simulated doublets for each cell.
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

/** Neighbours that are looked at: half the square root of the cells, and as many more as there are simulated doublets. */
export function neighboursFor(cells: number, ratio: number): number {
  return roundHalfEven(roundHalfEven(0.5 * Math.sqrt(cells)) * (1 + ratio));
}

/** As Python rounds. */
function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  return rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor;
}
