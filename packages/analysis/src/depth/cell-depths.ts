/** Sets of cells that are compared with each other. Plain arrays, fit to be sent to a thread. */
export interface DepthSets {
  /** The set of each cell, from 0; those from `setCount` on are of none. */
  readonly codes: Uint16Array;
  readonly setCount: number;
  /** Where codes are those of several parts: the part of each cell, and the one that is looked at. */
  readonly within?: { readonly partOf: Uint16Array; readonly part: number };
}

/** How many counts cells of each set have: geometric means, which few cells of very many counts hardly change. */
export interface SetDepths {
  /** Cells with counts. */
  readonly cells: Float64Array;
  /** Counts per cell; NaN without cells. */
  readonly counts: Float64Array;
  /** The same of the cells of all other sets together. */
  readonly others: Float64Array;
}

/** A set of fewer cells does not decide to which depth the others are thinned, where another does. */
const leastCells = 10;

/** @param totals counts of each cell; cells without, or with a missing number, are looked over */
export function setDepths(totals: ArrayLike<number>, sets: DepthSets): SetDepths {
  const { setCount } = sets;
  const cells = new Float64Array(setCount);
  const logs = new Float64Array(setCount);
  forEachCell(sets, (cell, set) => {
    if (!(totals[cell]! > 0)) return;
    cells[set]!++;
    logs[set]! += Math.log(totals[cell]!);
  });
  const sum = (values: Float64Array) => values.reduce((all, value) => all + value, 0);
  const [allCells, allLogs] = [sum(cells), sum(logs)];
  return {
    cells,
    counts: logs.map((log, set) => Math.exp(log / cells[set]!)),
    others: logs.map((log, set) => Math.exp((allLogs - log) / (allCells - cells[set]!))),
  };
}

/** The share of its counts that a cell of each set keeps, so that all have as many as the set with the fewest. */
export function keptShares({ cells, counts }: Pick<SetDepths, 'cells' | 'counts'>): Float64Array {
  const deciding = counts.filter((_, set) => cells[set]! >= leastCells);
  const fewest = Math.min(...(deciding.length > 0 ? deciding : counts.filter((_, set) => cells[set]! > 0)));
  return counts.map((own) => (own > fewest ? fewest / own : 1));
}

/** Writes the share of each cell of the sets into its place. */
export function writeKept(shares: Float64Array, sets: DepthSets, into: Float64Array): void {
  forEachCell(sets, (cell, set) => (into[cell] = shares[set]!));
}

function forEachCell({ codes, setCount, within }: DepthSets, use: (cell: number, set: number) => void): void {
  for (let cell = 0; cell < codes.length; cell++) {
    const set = codes[cell]!;
    if (set < setCount && (!within || within.partOf[cell] === within.part)) use(cell, set);
  }
}
