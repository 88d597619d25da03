interface RankedCells {
  /** NaN for a cell without a value, which is not ranked. */
  values: Float32Array | Float64Array;
  /** 1 for cells to rank; absent for all. */
  bits?: Uint8Array;
  /** Cells are ranked within each sample; a negative code means no sample. Absent if all cells are of one sample. */
  samples?: { codes: ArrayLike<number>; count: number };
}

interface EndsRequest {
  /** Percentage of a sample's cells in each end, above 0 and at most 50. */
  share: number;
  /** A sample with fewer cells in either end is left out. */
  minCells: number;
}

export interface SampleEnds {
  readonly sample: number;
  readonly cells: number;
  /** Cells per end in the absence of ties. */
  readonly wanted: number;
  readonly high: EndCells;
  readonly low: EndCells;
  /** Absent if the ends of the sample are compared. */
  readonly leftOut?: 'few-cells' | 'no-spread';
}

export interface EndCells {
  cells: number;
  /** Value at which the end begins; NaN for an end without cells. */
  bound: number;
  /** Number of the end's cells with exactly this value. */
  tied: number;
}

export interface ValueEnds {
  /** 0 for a cell of a high end, 1 for one of a low end, 2 for all others. */
  readonly sides: Uint8Array;
  /** Samples with ranked cells, by ascending code. */
  readonly samples: readonly SampleEnds[];
  /** Requested cells without a value, or without a sample. */
  readonly withoutValue: number;
  readonly withoutSample: number;
}

export const highSide = 0;
export const lowSide = 1;
const noSide = 2;

/**
 * Selects the cells with the highest and the lowest values of each sample. Of n ranked cells each end takes floor(n ·
 * share / 100) and all cells tied with the last one taken, so that the choice among equal cells is never arbitrary: the
 * low end of a gene that most cells lack is all cells without it. A value that reaches into both ends belongs to the
 * end whose extreme it is; the other end then has only the cells beyond it, fewer than its share. A value that reaches
 * into both and is neither extreme is in no end. Throws RangeError for arrays that do not match, or a share outside 0
 * to 50.
 */
export function valueEnds(ranked: RankedCells, { share, minCells }: EndsRequest): ValueEnds {
  const { values, bits, samples } = ranked;
  if (!(share > 0 && share <= 50))
    throw new RangeError(`a share of ${share} % is not above 0 and at most 50`);
  const cellCount = values.length;
  for (const perCell of [bits, samples?.codes]) {
    if (perCell && perCell.length !== cellCount) {
      throw new RangeError(`${perCell.length} entries do not fit the values of ${cellCount} cells`);
    }
  }
  const { cellsOf, withoutValue, withoutSample } = cellsBySample(ranked);
  const sides = new Uint8Array(cellCount).fill(noSide);
  const sampleEnds: SampleEnds[] = [];
  cellsOf.forEach((cells, sample) => {
    if (cells.length === 0) return;
    const rising = Float64Array.from(cells, (cell) => values[cell]!).sort();
    // So that rounding of a share such as 0.1 % of 1,000 loses no cell.
    const wanted = Math.floor((cells.length * share) / 100 + 1e-9);
    const { isHigh, isLow, high, low } = endsOf(rising, wanted);
    const leftOut =
      rising[0] === rising.at(-1)
        ? 'no-spread'
        : Math.min(high.cells, low.cells) < Math.max(1, minCells)
          ? 'few-cells'
          : undefined;
    sampleEnds.push({ sample, cells: cells.length, wanted, high, low, ...(leftOut && { leftOut }) });
    if (leftOut) return;
    for (const cell of cells) {
      const value = values[cell]!;
      if (isHigh(value)) sides[cell] = highSide;
      else if (isLow(value)) sides[cell] = lowSide;
    }
  });
  return { sides, samples: sampleEnds, withoutValue, withoutSample };
}

function cellsBySample({ values, bits, samples }: RankedCells) {
  const count = samples?.count ?? 1;
  const sampleOf = (cell: number): number => (samples ? samples.codes[cell]! : 0);
  const sizes = new Float64Array(count);
  let [withoutValue, withoutSample] = [0, 0];
  for (let cell = 0; cell < values.length; cell++) {
    if (bits && bits[cell] !== 1) continue;
    if (Number.isNaN(values[cell]!)) withoutValue++;
    else if (sampleOf(cell) < 0) withoutSample++;
    else sizes[sampleOf(cell)]!++;
  }
  const cellsOf = Array.from(sizes, (size) => new Int32Array(size));
  const at = new Float64Array(count);
  for (let cell = 0; cell < values.length; cell++) {
    if ((bits && bits[cell] !== 1) || Number.isNaN(values[cell]!) || sampleOf(cell) < 0) continue;
    const sample = sampleOf(cell);
    cellsOf[sample]![at[sample]!++] = cell;
  }
  return { cellsOf, withoutValue, withoutSample };
}

function endsOf(rising: Float64Array, endSize: number) {
  const none = () => false;
  const nothing: EndCells = { cells: 0, bound: NaN, tied: 0 };
  if (endSize === 0) return { isHigh: none, isLow: none, high: nothing, low: nothing };
  const [lowest, highest] = [rising[0]!, rising.at(-1)!];
  const [lowBound, highBound] = [rising[endSize - 1]!, rising[rising.length - endSize]!];
  const isShared = lowBound === highBound;
  const takesLow = !isShared || lowBound === lowest;
  const takesHigh = !isShared || highBound === highest;
  const isLow = (value: number) => value < lowBound || (takesLow && value === lowBound);
  const isHigh = (value: number) => value > highBound || (takesHigh && value === highBound);
  return {
    isHigh,
    isLow,
    high: endCells(rising.filter(isHigh), 'first'),
    low: endCells(rising.filter(isLow), 'last'),
  };
}

function endCells(own: Float64Array, at: 'first' | 'last'): EndCells {
  const bound = own.at(at === 'first' ? 0 : -1) ?? NaN;
  return { cells: own.length, bound, tied: own.reduce((count, value) => count + Number(value === bound), 0) };
}
