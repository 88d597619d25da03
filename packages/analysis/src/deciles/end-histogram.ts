import { highSide, lowSide, type ValueEnds } from './value-ends.ts';

export interface EndHistogram {
  /** The minimum, if at least a fifth of the cells have it, such as 0 for a gene; these cells are in no bin. */
  readonly floor?: { readonly value: number; readonly counts: EndCounts };
  /** Start of the first and end of the last bin; equal if all cells are at the floor. */
  readonly range: readonly [number, number];
  readonly bins: readonly EndCounts[];
}

export interface EndCounts {
  readonly high: number;
  readonly low: number;
  /** In neither end, including cells of omitted samples. */
  readonly other: number;
}

const binCount = 40;
const floorShare = 0.2;

/** Bins the ranked cells with finite values; `bits` marks the ranked cells, all if absent. */
export function endHistogram(
  values: Float32Array | Float64Array,
  { sides }: Pick<ValueEnds, 'sides'>,
  bits?: Uint8Array,
): EndHistogram {
  const isRanked = (cell: number) => (!bits || bits[cell] === 1) && Number.isFinite(values[cell]!);
  let [minimum, maximum, next, atLeast, all] = [Infinity, -Infinity, Infinity, 0, 0];
  for (let cell = 0; cell < values.length; cell++) {
    if (!isRanked(cell)) continue;
    const value = values[cell]!;
    all++;
    if (value < minimum) [next, minimum, atLeast] = [minimum, value, 1];
    else if (value === minimum) atLeast++;
    else if (value < next) next = value;
    if (value > maximum) maximum = value;
  }
  const hasFloor = all > 0 && atLeast >= floorShare * all;
  const low = hasFloor ? Math.min(next, maximum) : minimum;
  const range = [low, maximum] as const;
  const floor = { high: 0, low: 0, other: 0 };
  const count = maximum > low ? binCount : Number(atLeast < all);
  const bins = Array.from({ length: count }, () => ({ high: 0, low: 0, other: 0 }));
  for (let cell = 0; cell < values.length; cell++) {
    if (!isRanked(cell)) continue;
    const value = values[cell]!;
    const place =
      maximum > low ? Math.min(binCount - 1, Math.floor(((value - low) / (maximum - low)) * binCount)) : 0;
    const bin = hasFloor && value === minimum ? floor : bins[place];
    if (bin) bin[sides[cell] === highSide ? 'high' : sides[cell] === lowSide ? 'low' : 'other']++;
  }
  if (all === 0) return { range: [0, 0], bins: [] };
  return { range, bins, ...(hasFloor && { floor: { value: minimum, counts: floor } }) };
}
