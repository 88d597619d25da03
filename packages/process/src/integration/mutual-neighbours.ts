import { allNearest, type NearestCells, type Space } from '../nearest-cells.ts';
import type { BatchedCells, BatchMethod, Progress } from './batched-cells.ts';

/** As in libscran; the article has 20: a type with fewer cells in a batch may be matched with another. */
const neighbours = 15;

interface Merged {
  /** Corrected coordinates, in the layout of the input. */
  coordinates: Float64Array;
  /** Non-empty batches: the first stays in place, the last was merged first. */
  order: readonly number[];
  /** Share of the cells of all batches but the first that were in a mutual pair when their batch was merged. */
  paired: number;
}

/**
 * Removes the differences between batches from principal components by mutual nearest neighbours (Haghverdi et al.
 * 2018, doi:10.1038/nbt.4091), as libscran's mnncorrect 3 does: written from its description, equal to its result with
 * an exact search. Batches are merged into all others together, the one with the smallest sum of squares around its
 * mean first. Two cells are a pair if each is among the 15 nearest of the other on its side; of several pairs of a cell
 * that with the nearest counts. A pair moves by the difference of its centres: means of the cell, of its nearest in its
 * own part and of theirs. Every other cell moves with the nearest paired cell of its batch, and then belongs to the
 * part that this one moved to. Searches are exact, on coordinates rounded to float32: time grows with the square of the
 * number of cells. The result is the same with any number of threads.
 */
export async function mutualNeighbours(
  cells: BatchedCells,
  threads: number,
  onProgress: Progress = () => undefined,
): Promise<Merged> {
  const { components: width, batches } = cells;
  const coordinates = cells.coordinates.slice();
  const order = mergeOrder(cells);
  const places = new Int32Array(cells.batchCount);
  order.forEach((batch, place) => (places[batch] = place));
  const partOf = batches.map((batch) => places[batch]!);
  let paired = 0;
  let moved = 0;
  for (let merged = order.length - 1; merged > 0; merged--) {
    const done = (share: number) => onProgress((order.length - 1 - merged + share) / (order.length - 1));
    const own = cellsWhere(partOf, (part) => part === merged);
    const others = cellsWhere(partOf, (part) => part < merged);
    const [ownSpace, otherSpace] = [own, others].map((some) => spaceOf(coordinates, width, some)) as [
      Space,
      Space,
    ];
    const toOthers = await allNearest(ownSpace, Math.min(neighbours, others.length), threads, otherSpace);
    done(0.3);
    // Others that are near none of its cells are in no pair.
    const near = rising(toOthers.indices);
    const nearSpace = spaceOf(otherSpace.coordinates, width, near);
    const toOwn = await allNearest(nearSpace, Math.min(neighbours, own.length), threads, ownSpace);
    done(0.6);
    const pairs = mutualPairs(toOthers, near, toOwn).map(
      ([one, other]) => [own[one]!, others[other]!] as const,
    );
    const involved = Int32Array.from(pairs, ([one]) => one);

    const centres = new Map<number, Float64Array>();
    for (const part of new Set(pairs.map(([, other]) => partOf[other]!)).add(merged)) {
      const members = cellsWhere(partOf, (one) => one === part);
      const queries = new Set(pairs.flat().filter((cell) => partOf[cell] === part));
      await addCentres(centres, { coordinates, width, members, queries }, threads);
    }
    done(0.9);
    const nearest = await allNearest(ownSpace, 1, threads, spaceOf(coordinates, width, involved));
    for (const [at, cell] of own.entries()) {
      const [one, other] = pairs[nearest.indices[at]!]!;
      const [from, to] = [centres.get(one)!, centres.get(other)!];
      for (let i = 0; i < width; i++) coordinates[cell * width + i]! += to[i]! - from[i]!;
    }
    // Only when all have moved, as the parts of pairs are asked for.
    const parts = own.map((_, at) => partOf[pairs[nearest.indices[at]!]![1]]!);
    own.forEach((cell, at) => (partOf[cell] = parts[at]!));
    paired += pairs.length;
    moved += own.length;
    done(1);
  }
  return { coordinates, order, paired: moved === 0 ? 0 : paired / moved };
}

/** Non-empty batches by the sum of squares of their cells around their mean, in descending order. */
function mergeOrder({ coordinates, components: width, batches, batchCount }: BatchedCells): number[] {
  const sizes = new Float64Array(batchCount);
  const means = new Float64Array(batchCount * width);
  for (const batch of batches) sizes[batch]!++;
  for (const [cell, batch] of batches.entries())
    for (let at = 0; at < width; at++)
      means[batch * width + at]! += coordinates[cell * width + at]! / sizes[batch]!;
  const squares = new Float64Array(batchCount);
  for (const [cell, batch] of batches.entries())
    for (let at = 0; at < width; at++)
      squares[batch]! += (coordinates[cell * width + at]! - means[batch * width + at]!) ** 2;
  return [...squares.keys()]
    .filter((batch) => sizes[batch]! > 0)
    .toSorted((one, other) => squares[other]! - squares[one]! || other - one);
}

function cellsWhere(partOf: Int32Array, is: (part: number) => boolean): Int32Array {
  const matching = new Int32Array(partOf.length);
  let count = 0;
  for (let cell = 0; cell < partOf.length; cell++) if (is(partOf[cell]!)) matching[count++] = cell;
  return matching.slice(0, count);
}

function spaceOf(coordinates: Float64Array, width: number, cells: Int32Array): Space {
  const own = new Float64Array(cells.length * width);
  for (const [at, cell] of cells.entries())
    own.set(coordinates.subarray(cell * width, (cell + 1) * width), at * width);
  return { coordinates: own, components: width };
}

function rising(numbers: Iterable<number>): Int32Array {
  return Int32Array.from(new Set(numbers)).sort();
}

/** For each row of one side with a mutual pair, the nearest such row of the other side, `near`. */
function mutualPairs(
  toOthers: NearestCells,
  near: Int32Array,
  toOwn: NearestCells,
): (readonly [number, number])[] {
  const rows = new Map(Array.from(near, (other, row) => [other, row] as const));
  const isNear = (other: number, own: number) => {
    const row = rows.get(other)!;
    return toOwn.indices.subarray(row * toOwn.k, (row + 1) * toOwn.k).includes(own);
  };
  const pairs: (readonly [number, number])[] = [];
  for (let own = 0; own < toOthers.cellCount; own++) {
    const nearest = toOthers.indices.subarray(own * toOthers.k, (own + 1) * toOthers.k);
    const other = nearest.find((one) => isNear(one, own));
    if (other !== undefined) pairs.push([own, other]);
  }
  return pairs;
}

interface CentresOf {
  coordinates: Float64Array;
  width: number;
  members: Int32Array;
  queries: ReadonlySet<number>;
}

/**
 * Adds the centres of some cells of a part: means of the cells reached by two nearest-neighbour steps within the part.
 */
async function addCentres(
  centres: Map<number, Float64Array>,
  { coordinates, width, members, queries }: CentresOf,
  threads: number,
): Promise<void> {
  const rows = new Map(Array.from(members, (cell, row) => [cell, row] as const));
  const queryRows = Array.from(queries, (cell) => rows.get(cell)!);
  const space = spaceOf(coordinates, width, members);
  const k = Math.min(neighbours, members.length);
  // k rows for each row, itself included: for the given rows and for their nearest.
  const nearest = new Int32Array(members.length * k).fill(-1);
  const nearOf = (row: number) => nearest.subarray(row * k, (row + 1) * k);
  for (let step = 0, pendingRows = rising(queryRows); step < 2 && pendingRows.length > 0; step++) {
    const batch = await allNearest(spaceOf(space.coordinates, width, pendingRows), k, threads, space);
    pendingRows.forEach((row, at) => nearest.set(batch.indices.subarray(at * k, (at + 1) * k), row * k));
    pendingRows = rising(batch.indices).filter((row) => nearest[row * k]! < 0);
  }
  for (const row of queryRows) {
    const near = new Set(nearOf(row));
    for (const one of nearOf(row)) for (const further of nearOf(one)) near.add(further);
    const centre = new Float64Array(width);
    for (const one of near)
      for (let i = 0; i < width; i++) centre[i]! += space.coordinates[one * width + i]! / near.size;
    centres.set(members[row]!, centre);
  }
}

export const mnnMethod: BatchMethod = {
  // The corrected coordinates and those of both sides of a search, places and neighbours.
  bytesOfCell: (components) => components * 8 * 4 + neighbours * 12 * 3 + 256,
  async integrate({ cells, names, threads, onProgress }) {
    const { coordinates, order, paired } = await mutualNeighbours(cells, threads, onProgress);
    return {
      coordinates,
      run: { method: 'mnn', neighbours, order: order.map((batch) => names[batch]!), paired },
    };
  },
};
