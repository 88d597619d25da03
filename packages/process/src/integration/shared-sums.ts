import { blendModule, kernelOf } from '@cellfolio/kernels';

/** Parameters are addresses except `size` and `row`, as in `blend.wat`. */
interface BlendKernel {
  products(vector: number, others: number, stop: number, size: number, products: number): void;
  addUp(sums: number, stop: number, size: number, shares: number, row: number, vectors: number): void;
  takeOff(own: number, size: number, shares: number, stop: number, vectors: number): void;
}

const blendKernel = kernelOf<BlendKernel>(blendModule);

const [lanes, pair] = [4, 2];
const upTo = (multiple: number, count: number) => multiple * Math.ceil(count / multiple);

/** Zeroed consecutive blocks of these sizes in the kernel's memory: each has an even count. */
function blocksOf<Sizes extends readonly number[]>(...sizes: Sizes) {
  const all = sizes.reduce((sum, size) => sum + size, 0);
  const { kernel, memory } = blendKernel(8 * all);
  let from = 0;
  const blocks = sizes.map((size) => {
    const block = new Float64Array(memory.buffer, from, size).fill(0);
    from += 8 * size;
    return block;
  });
  return { kernel, blocks: blocks as { [At in keyof Sizes]: Float64Array } };
}

function copyRows(block: Float64Array, stride: number, rows: Float64Array, width: number): void {
  for (let row = 0; row * width < rows.length; row++)
    block.set(rows.subarray(row * width, (row + 1) * width), row * stride);
}

/** Vectors of `width` numbers, cell after cell, and the share of each in each of `count` clusters. */
interface SharedVectors {
  vectors: Float64Array;
  width: number;
  shares: Float64Array;
  count: number;
}

/**
 * Adds `share x vector` of each cell to the vectors of the clusters: `into[target(cell) + cluster] += shares[cell,
 * cluster] x vectors[cell]`. Processes four cells of one target at a time: a sum is loaded and stored once for four
 * products.
 */
export function addShared(
  into: Float64Array,
  { vectors, width, shares, count }: SharedVectors,
  cells: Int32Array,
  target = 0,
): void {
  const stride = upTo(pair, width);
  const row = upTo(pair, count);
  const { kernel, blocks } = blocksOf(stride * count, lanes * stride, lanes * row);
  const [sums, own, ownShares] = blocks;
  const [first, stop] = [sums.byteOffset, own.byteOffset];
  for (let at = 0; at < cells.length; at += lanes) {
    for (let lane = 0; lane < lanes; lane++) {
      const cell = cells[at + lane];
      if (cell === undefined) {
        ownShares.fill(0, lane * row);
        break;
      }
      own.set(vectors.subarray(cell * width, (cell + 1) * width), lane * stride);
      ownShares.set(shares.subarray(cell * count, (cell + 1) * count), lane * row);
    }
    kernel.addUp(first, stop, 8 * stride, ownShares.byteOffset, 8 * row, own.byteOffset);
  }
  for (let cluster = 0; cluster < count; cluster++) {
    const to = (target + cluster) * width;
    for (let i = 0; i < width; i++) into[to + i]! += sums[cluster * stride + i]!;
  }
}

/**
 * Returns a function for the products of the vector at `from` with each of `count` others, of `width` numbers: the
 * result array is valid until the next call of it, or of another function of this module.
 */
export function productsWith(
  others: Float64Array,
  width: number,
): (vectors: Float64Array, from: number) => Float64Array {
  const count = others.length / width;
  const stride = upTo(pair, width);
  const rows = upTo(lanes, count);
  const { kernel, blocks } = blocksOf(stride * rows, stride, rows);
  const [sharedRows, own, products] = blocks;
  copyRows(sharedRows, stride, others, width);
  return (vectors, from) => {
    own.set(vectors.subarray(from, from + width));
    kernel.products(own.byteOffset, sharedRows.byteOffset, own.byteOffset, 8 * stride, products.byteOffset);
    return products;
  };
}

/**
 * Subtracts from each vector those of its group, `count` for each, weighted by its shares: changes `vectors` in place.
 */
export function takeOffShared(
  { vectors, width, shares, count }: SharedVectors,
  groups: Int32Array,
  ofGroups: Float64Array,
): void {
  const stride = upTo(pair, width);
  const rows = upTo(lanes, count);
  const groupCount = ofGroups.length / (count * width);
  const { kernel, blocks } = blocksOf(groupCount * rows * stride, stride, rows);
  const [sharedRows, own, ownShares] = blocks;
  for (let group = 0; group < groupCount; group++)
    copyRows(
      sharedRows.subarray(group * rows * stride),
      stride,
      ofGroups.subarray(group * count * width, (group + 1) * count * width),
      width,
    );
  const end = ownShares.byteOffset + 8 * rows;
  for (let cell = 0; cell < groups.length; cell++) {
    own.set(vectors.subarray(cell * width, (cell + 1) * width));
    ownShares.set(shares.subarray(cell * count, (cell + 1) * count));
    const groupBlock = sharedRows.byteOffset + 8 * groups[cell]! * rows * stride;
    kernel.takeOff(own.byteOffset, 8 * stride, ownShares.byteOffset, end, groupBlock);
    vectors.set(own.subarray(0, width), cell * width);
  }
}
