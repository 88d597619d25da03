import { type CategoricalColumn, type CellMask, isUnassigned } from '@cellfolio/model';
import type { CellGroups } from '../markers/cell-groups.ts';

/** Codes of `CellGroups` for the two sides, and for a cell that is ignored. */
const [sideA, sideB, outside] = [0, 1, 3];

export interface ComparedPart {
  readonly name: string;
  readonly a: number;
  readonly b: number;
}

/** Assignment of cells to the sides of a comparison. Plain arrays, which can be sent to a thread. */
export interface ComparedCells {
  /** Per cell of the dataset: 0 in A, 1 in B, 3 in neither. */
  readonly sides: Uint16Array;
  /** Index in `parts` of each cell on a side, `parts.length` for all others; absent for one part. */
  readonly partOf?: Uint16Array;
  /** Parts with enough cells on both sides, in category order. */
  readonly parts: readonly ComparedPart[];
  /** Other categories with cells of A or B, of too few cells or left out; their cells are on no side. */
  readonly leftOut: readonly ComparedPart[];
  /** Cells of A or B without a category, which are on no side either. */
  readonly unlabelled: number;
}

interface Sets {
  a: CellMask;
  /** Absent for all active cells outside A. */
  b?: CellMask | undefined;
  active?: CellMask | undefined;
}

/** Number of active cells in both sets, which therefore have no side. */
export function sharedCells({ a, b, active }: Sets): number {
  let shared = 0;
  if (!b) return shared;
  for (let cell = 0; cell < a.bits.length; cell++) {
    shared += a.bits[cell]! & b.bits[cell]! & (active ? active.bits[cell]! : 1);
  }
  return shared;
}

interface Split {
  /** A part is compared if A and B each have so many cells in it. */
  minCells: number;
  within?: Pick<CategoricalColumn, 'codes' | 'categories'>;
  /** Treatment of categories such as `Unknown`; compared like others unless given. */
  unassigned?: 'groups' | 'left-out';
}

/**
 * Assigns every cell to a side, optionally split by a column. Throws RangeError for masks or a column of other cells, or for overlapping sets.
 */
export function comparedCells(sets: Sets, { minCells, within, unassigned }: Split): ComparedCells {
  const cellCount = sets.a.bits.length;
  for (const length of [sets.b?.bits.length, sets.active?.bits.length, within?.codes.length]) {
    if (length !== undefined && length !== cellCount)
      throw new RangeError(`${length} cells do not fit ${cellCount} cells`);
  }
  if (sharedCells(sets) > 0) throw new RangeError('the sets share cells');
  const names = within?.categories ?? [''];
  const sides = sidesOf(sets);
  const counts = new Float64Array(names.length * 2);
  let unlabelled = 0;
  for (let cell = 0; cell < cellCount; cell++) {
    const side = sides[cell]!;
    if (side === outside) continue;
    const category = within ? within.codes[cell]! : 0;
    if (category < 0) unlabelled++;
    else counts[category * 2 + side]!++;
  }
  const all = names.map((name, at) => ({ name, a: counts[at * 2]!, b: counts[at * 2 + 1]! }));
  const isTested = ({ name, a, b }: ComparedPart) =>
    Math.min(a, b) >= minCells && !(unassigned === 'left-out' && isUnassigned(name));
  const parts = all.filter(isTested);
  const leftOut = all.filter((part) => !isTested(part) && part.a + part.b > 0);
  if (!within) return { sides, parts, leftOut, unlabelled };
  const placeOf = Int32Array.from(all, (part) => (isTested(part) ? parts.indexOf(part) : -1));
  const partOf = new Uint16Array(cellCount).fill(parts.length);
  for (let cell = 0; cell < cellCount; cell++) {
    if (sides[cell] === outside) continue;
    const category = within.codes[cell]!;
    const place = category < 0 ? -1 : placeOf[category]!;
    if (place < 0) sides[cell] = outside;
    else partOf[cell] = place;
  }
  return { sides, ...(parts.length > 1 && { partOf }), parts, leftOut, unlabelled };
}

function sidesOf({ a, b, active }: Sets): Uint16Array {
  const sides = new Uint16Array(a.bits.length).fill(outside);
  for (let cell = 0; cell < sides.length; cell++) {
    if (active && active.bits[cell] === 0) continue;
    if (a.bits[cell] === 1) sides[cell] = sideA;
    else if (!b || b.bits[cell] === 1) sides[cell] = sideB;
  }
  return sides;
}

/**
 * Restricts a comparison to the parts [from, to): all other cells are on no side. Returns the comparison itself if
 * these are all its parts.
 */
export function partsBetween(
  compared: ComparedCells,
  { from, to }: { readonly from: number; readonly to: number },
): ComparedCells {
  const { partOf, parts } = compared;
  const count = to - from;
  if (!partOf || count === parts.length) return compared;
  const sides = compared.sides.slice();
  const places = new Uint16Array(sides.length).fill(count);
  for (let cell = 0; cell < sides.length; cell++) {
    const place = partOf[cell]! - from;
    if (place >= 0 && place < count) places[cell] = place;
    else sides[cell] = outside;
  }
  return {
    sides,
    ...(count > 1 && { partOf: places }),
    parts: parts.slice(from, to),
    leftOut: [],
    unlabelled: 0,
  };
}

/**
 * The two sides of one part as groups. The codes cover all parts, so use them only with entries of this part's cells.
 */
export function groupsOfPart({ sides, parts }: ComparedCells, place: number): CellGroups {
  const part = parts[place];
  if (!part) throw new RangeError(`there is no part ${place} among ${parts.length}`);
  return {
    names: ['A', 'B'],
    sizes: Float64Array.of(part.a, part.b),
    codes: sides,
    cellCount: part.a + part.b,
  };
}

/** The side of each cell of one part; 3 for cells of the others. */
export function sidesOfPart(
  { sides, partOf }: Pick<ComparedCells, 'sides' | 'partOf'>,
  place: number,
): Uint16Array {
  return partOf === undefined ? sides : sides.map((side, cell) => (partOf[cell] === place ? side : 3));
}
