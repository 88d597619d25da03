import { chunkSize, farthest, type Groups, groupSize, groupWords, ListKernel } from './list-kernel.ts';

/** Points in lists around centroids (an inverted file), for a search that visits the lists nearest to a point. */
export interface ListedPoints extends Groups {
  readonly count: number;
  readonly dimensions: number;
  /** The given coordinates rounded to float32, place after place. */
  readonly coordinates: Float32Array;
  /** Index of the given point at each place of the groups, -1 for none. */
  readonly places: Int32Array;
  /** First group of each list, then the end of the last. */
  readonly starts: Int32Array;
  readonly sizes: Int32Array;
  readonly centres: Groups;
}

/**
 * Lists per square root of points. More lists are smaller, so that fewer points are searched, but take longer to choose
 * from.
 */
const listsOfRoot = 3;
/** Sample points per centroid, and number of times centroids move to the mean of their points. */
const [sampleOfList, rounds] = [16, 4];
/** Longer lists are cut, for example those of equal points: one part of them is enough. */
const maxList = 1024;
/** Up to this norm, sums of squares of coordinates and of differences stay below 2³¹. */
const maxNorm = 2 ** 14 - 64;

interface WholeRows {
  values: Int16Array;
  width: number;
}

/**
 * Groups points into lists by k-means on a sample; the arrays are in shared memory. `random`: numbers in [0, 1). Needs
 * at least as many points as lists, of which there are up to 4 per square root of the number of points.
 */
export function listPoints(
  rawPoints: ArrayLike<number>,
  dimensions: number,
  random: () => number,
): ListedPoints {
  const rows = wholeRows(rawPoints, dimensions);
  const centres = centroids(rows, random);
  const lists = placed(rows, centres, nearestCentres(rows, centres));
  const { places } = lists;
  const coordinates = new Float32Array(new SharedArrayBuffer(4 * places.length * dimensions));
  for (const [place, point] of places.entries()) {
    if (point < 0) continue;
    for (let at = 0; at < dimensions; at++)
      coordinates[place * dimensions + at] = rawPoints[point * dimensions + at]!;
  }
  return { count: rawPoints.length / dimensions, dimensions, coordinates, ...lists };
}

/**
 * Rounds coordinates around the mean, scaled so that the product of any two rows fits into 32 bits. Points farther out
 * than eight times the median are moved there along their direction: a few distant points would leave no bits for the
 * others.
 */
function wholeRows(coordinates: ArrayLike<number>, dimensions: number): WholeRows {
  const width = 4 * Math.ceil(dimensions / 4);
  const count = coordinates.length / dimensions;
  const means = new Float64Array(dimensions);
  for (let from = 0; from < coordinates.length; from += dimensions)
    for (let at = 0; at < dimensions; at++) means[at]! += Math.fround(coordinates[from + at]!) / count;
  const norms = new Float64Array(count);
  for (let point = 0; point < count; point++) {
    let square = 0;
    for (let at = 0; at < dimensions; at++)
      square += (Math.fround(coordinates[point * dimensions + at]!) - means[at]!) ** 2;
    norms[point] = Math.sqrt(square);
  }
  const rising = norms.slice().sort();
  const [median, maximum] = [rising[count >> 1]!, rising[count - 1]!];
  const bound = median > 0 ? Math.min(maximum, 8 * median) : maximum;
  const values = new Int16Array(count * width);
  for (let point = 0; point < count; point++) {
    const norm = Math.max(norms[point]!, bound);
    const factor = norm > 0 ? maxNorm / norm : 0;
    for (let at = 0; at < dimensions; at++)
      values[point * width + at] = Math.round(
        factor * (Math.fround(coordinates[point * dimensions + at]!) - means[at]!),
      );
  }
  return { values, width };
}

/** Centroids of a sample of the rows, by Lloyd's algorithm; their number is a multiple of eight. */
function centroids({ values, width }: WholeRows, random: () => number): WholeRows {
  const count = values.length / width;
  const lists = groupSize * Math.ceil((listsOfRoot * Math.sqrt(count)) / groupSize);
  const sample = new Int16Array(Math.min(count, sampleOfList * lists) * width);
  for (let at = 0; at < sample.length; at += width) {
    const row = Math.floor(random() * count) * width;
    sample.set(values.subarray(row, row + width), at);
  }
  const centres = sample.slice(0, lists * width);
  for (let round = 0; round < rounds; round++) {
    const listOf = nearestCentres({ values: sample, width }, { values: centres, width });
    const sums = new Float64Array(centres.length);
    const sizes = new Int32Array(lists);
    for (const [point, list] of listOf.entries()) {
      sizes[list]! += 1;
      for (let at = 0; at < width; at++) sums[list * width + at]! += sample[point * width + at]!;
    }
    // One without points stays where it is.
    for (const [list, size] of sizes.entries()) {
      if (size === 0) continue;
      for (let at = list * width; at < (list + 1) * width; at++) centres[at] = Math.round(sums[at]! / size);
    }
  }
  return { values: centres, width };
}

function nearestCentres({ values, width }: WholeRows, centres: WholeRows): Int32Array {
  const kernel = new ListKernel(width, 1);
  const { words } = groupsOf(
    centres,
    Int32Array.from({ length: centres.values.length / width }, (_, at) => at),
  );
  const pairs = new Int32Array(values.buffer);
  const listOf = new Int32Array(values.length / width);
  for (let from = 0; from < listOf.length; from += chunkSize) {
    const count = Math.min(chunkSize, listOf.length - from);
    kernel.rows.set(pairs.subarray((from * width) / 2, ((from + count) * width) / 2));
    kernel.clear();
    kernel.look(count, words, { first: 0, self: -chunkSize });
    for (let row = 0; row < count; row++) listOf[from + row] = kernel.nearestOf(row)[0]!;
  }
  return listOf;
}

/** Orders points by list, each list beginning a group, and records their places. */
function placed(rows: WholeRows, { values, width }: WholeRows, listOf: Int32Array) {
  const members = new Int32Array(values.length / width);
  for (const list of listOf) members[list]! += 1;
  // The parts that each list is cut into: those of list i are numbered from parts[i] on.
  const parts = new Int32Array(members.length + 1);
  for (const [list, size] of members.entries())
    parts[list + 1] = parts[list]! + Math.max(1, Math.ceil(size / maxList));
  const lists = groupSize * Math.ceil(parts.at(-1)! / groupSize);
  const sizes = new Int32Array(new SharedArrayBuffer(4 * lists));
  // Entries that pad the last group of centroids have no points and lie where the last one is.
  const centreOf = new Int32Array(lists).fill(members.length - 1);
  for (const [list, size] of members.entries())
    for (let part = parts[list]!; part < parts[list + 1]!; part++) {
      centreOf[part] = list;
      sizes[part] = Math.min(maxList, size - (part - parts[list]!) * maxList);
    }
  const starts = new Int32Array(new SharedArrayBuffer(4 * (lists + 1)));
  for (let list = 0; list < lists; list++)
    starts[list + 1] = starts[list]! + Math.ceil(sizes[list]! / groupSize);
  const places = new Int32Array(new SharedArrayBuffer(4 * groupSize * starts[lists]!)).fill(-1);
  const filled = new Int32Array(members.length);
  for (const [point, list] of listOf.entries()) {
    const at = filled[list]!++;
    places[groupSize * starts[parts[list]! + Math.floor(at / maxList)]! + (at % maxList)] = point;
  }
  return { ...groupsOf(rows, places), places, starts, sizes, centres: groupsOf({ values, width }, centreOf) };
}

/** Rows at each place, in groups. Place -1 has no row and counts as farther than all points. */
function groupsOf({ values, width }: WholeRows, places: Int32Array): Groups {
  const pairs = new Int32Array(values.buffer);
  const size = groupWords(width);
  const words = new Int32Array(new SharedArrayBuffer((4 * size * places.length) / groupSize));
  for (const [place, row] of places.entries()) {
    let to = Math.floor(place / groupSize) * size + (place % groupSize);
    if (row < 0) {
      words[to] = farthest;
      continue;
    }
    let square = 0;
    for (let at = row * width; at < (row + 1) * width; at++) square += values[at]! * values[at]!;
    words[to] = square >> 1;
    for (let pair = (row * width) / 2; pair < ((row + 1) * width) / 2; pair++)
      words[(to += groupSize)] = pairs[pair]!;
  }
  return { words, width };
}
