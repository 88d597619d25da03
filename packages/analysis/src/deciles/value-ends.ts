/** What is ranked: a value for each cell, and which sample a cell is from. */
interface RankedCells {
  /** NaN for a cell without a value, which is not ranked. */
  readonly values: Float32Array | Float64Array;
  /** 1 for cells that are ranked; absent for all. */
  readonly bits?: Uint8Array;
  /** Cells are ranked within each sample; negative codes are of none. Absent where all cells are of one. */
  readonly samples?: { readonly codes: ArrayLike<number>; readonly count: number };
}

interface EndsRequest {
  /** Percent of the cells of a sample in each end, above 0 and at most 50. */
  readonly share: number;
  /** A sample with fewer cells in either end is left out. */
  readonly minCells: number;
}

/** The two ends of one sample. */
export interface SampleEnds {
  readonly sample: number;
  /** Cells that were ranked. */
  readonly cells: number;
  /** Cells that each end would have without ties. */
  readonly wanted: number;
  readonly high: EndCells;
  readonly low: EndCells;
  /** Absent where its ends are compared. */
  readonly leftOut?: 'few-cells' | 'no-spread';
}

export interface EndCells {
  readonly cells: number;
  /** The value that the end begins at; NaN of an end without cells. */
  readonly bound: number;
  /** Cells of the end with this very value. */
  readonly tied: number;
}

export interface ValueEnds {
  /** 0 for a cell of a high end, 1 for one of a low end, 2 for all others. */
  readonly sides: Uint8Array;
  /** Those that have ranked cells, by rising code. */
  readonly samples: readonly SampleEnds[];
  /** Cells asked for that have no value, and cells with a value that are of no sample. */
  readonly withoutValue: number;
  readonly withoutSample: number;
}

export const highSide = 0;
export const lowSide = 1;
const noSide = 2;

/**
 * The cells with the highest and the lowest values of each sample. Of n ranked cells the ends take the first and the last
 * floor(n · share / 100), and with them all cells tied with the last one taken, so that which of equal cells is chosen is
 * never left to chance: the low end of a gene that most cells lack is all cells without it. Where one value reaches into
 * both ends it belongs to the end whose extreme it is: the other end then has the cells beyond it alone, and fewer than
 * its share. A value that reaches into both and is neither extreme is in no end. Throws RangeError for arrays that do not
 * fit, or a share outside of 0 to 50.
 */
export function valueEnds(ranked: RankedCells, { share, minCells }: EndsRequest): ValueEnds {
  const { values, bits, samples } = ranked;
  if (!(share > 0 && share <= 50))
    throw new RangeError(`a share of ${share} % is not above 0 and at most 50`);
  const cellCount = values.length;
  for (const given of [bits, samples?.codes]) {
    if (given && given.length !== cellCount) {
      throw new RangeError(`${given.length} entries do not fit the values of ${cellCount} cells`);
    }
  }
  const { cellsOf, withoutValue, withoutSample } = cellsBySample(ranked);
  const sides = new Uint8Array(cellCount).fill(noSide);
  const found: SampleEnds[] = [];
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
    found.push({ sample, cells: cells.length, wanted, high, low, ...(leftOut && { leftOut }) });
    if (leftOut) return;
    for (const cell of cells) {
      const value = values[cell]!;
      if (isHigh(value)) sides[cell] = highSide;
      else if (isLow(value)) sides[cell] = lowSide;
    }
  });
  return { sides, samples: found, withoutValue, withoutSample };
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

/** Which values of one sample are in its ends. */
function endsOf(rising: Float64Array, wanted: number) {
  const none = () => false;
  const nothing: EndCells = { cells: 0, bound: NaN, tied: 0 };
  if (wanted === 0) return { isHigh: none, isLow: none, high: nothing, low: nothing };
  const [least, most] = [rising[0]!, rising.at(-1)!];
  const [lowBound, highBound] = [rising[wanted - 1]!, rising[rising.length - wanted]!];
  const isShared = lowBound === highBound;
  const takesLow = !isShared || lowBound === least;
  const takesHigh = !isShared || highBound === most;
  const isLow = (value: number) => value < lowBound || (takesLow && value === lowBound);
  const isHigh = (value: number) => value > highBound || (takesHigh && value === highBound);
  return {
    isHigh,
    isLow,
    high: endCells(rising.filter(isHigh), 'first'),
    low: endCells(rising.filter(isLow), 'last'),
  };
}

/** @param at where of its rising values the end begins */
function endCells(own: Float64Array, at: 'first' | 'last'): EndCells {
  const bound = own.at(at === 'first' ? 0 : -1) ?? NaN;
  return { cells: own.length, bound, tied: own.reduce((count, value) => count + Number(value === bound), 0) };
}
