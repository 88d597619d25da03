import type { NumericType } from '@cellfolio/model';
import type * as zarr from 'zarrita';
import { H5adError } from '../../h5ad-error.ts';
import { arrayNode } from '../../write-h5ad/column-nodes.ts';
import type { H5File } from '../../write-h5ad/h5-file.ts';
import { elementBytes } from '../../write-h5ad/h5-messages.ts';
import type { H5Array } from '../../write-h5ad/lay-out-file.ts';
import { firstAbsent, storedChunks } from './stored-chunks.ts';
import { chunkAt, unreadable, type ZarrArray } from './zarr-node.ts';
import type { ZarrFiles } from './zarr-files.ts';

/** Stored type of an array's numbers; booleans are 0 and 1 where they are no column of a table. */
export const storedTypes: ReadonlyMap<string, NumericType> = new Map([
  ['bool', 'uint8'],
  ['int8', 'int8'],
  ['uint8', 'uint8'],
  ['int16', 'int16'],
  ['uint16', 'uint16'],
  ['int32', 'int32'],
  ['uint32', 'uint32'],
  ['int64', 'int64'],
  ['uint64', 'uint64'],
  ['float16', 'float32'],
  ['float32', 'float32'],
  ['float64', 'float64'],
]);

interface NumbersToCopy {
  files: ZarrFiles;
  to: H5File;
  key: string;
  array: ZarrArray;
  /** Whether an all-zero chunk is equivalent to a missing one, which Zarr reads as zeros. */
  noZeros: boolean;
  onChunk: (bytes: number) => void;
}

const fillBytes = 2 ** 20;

/**
 * Copies an array of at most two dimensions, one stored chunk in memory at a time; a scalar becomes a list of one. If
 * chunks are absent, the whole array is filled first.
 */
export async function copyNumbers({
  files,
  to,
  key,
  array,
  noZeros,
  onChunk,
}: NumbersToCopy): Promise<H5Array<never>> {
  const type = storedTypes.get(array.dtype)!;
  const bytes = elementBytes[type];
  const shape = array.shape.length === 0 ? [1] : array.shape;
  const length = product(shape) * bytes;
  const address = to.allocate(length);
  const node = arrayNode<never>(type, shape, { address, length });
  if (length === 0) return node;
  const { numbers, count, placeOf } = await storedChunks(files, key, array);
  const at = (place: readonly number[]) => `${key}, chunk ${place.join('.')}`;
  const write = ([row, column = 0]: readonly number[], size: readonly number[], values: Numbers): void => {
    const box = new Uint8Array(values.buffer, values.byteOffset, product(size) * bytes);
    const rowBytes = (shape[1] ?? 1) * bytes;
    const start = address + row! * rowBytes + column * bytes;
    const isWhole = (size[1] ?? 1) === (shape[1] ?? 1);
    const step = isWhole ? box.length : size[1]! * bytes;
    for (let from = 0, place = start; from < box.length; from += step, place += rowBytes)
      to.write(key, box.subarray(from, from + step), place);
    onChunk(box.length);
  };
  if (numbers.length < count) {
    const place = placeOf(firstAbsent(numbers));
    if (noZeros) throw chunkNotFound(files, at(place));
    const { data } = await chunkAt(files, { key, array, place });
    for (const { offset, size } of boxesOf(shape, fillBytes / bytes))
      write(offset, size, filled(plain(data), product(size)));
  }
  for (const number of numbers) {
    const place = placeOf(number);
    const chunk = await chunkAt(files, { key, array, place });
    const offset = shape.map((_, axis) => (place[axis] ?? 0) * (array.chunks[axis] ?? 1));
    const size = shape.map((length, axis) => Math.min(array.chunks[axis] ?? 1, length - offset[axis]!));
    const values = box(chunk, size[0]!, size[1] ?? 1);
    if (values === undefined) throw unreadable(files, at(place), 'it is cut short');
    if (noZeros && values.subarray(0, product(size)).every((value) => Number(value) === 0))
      throw chunkNotFound(files, at(place));
    write(offset, size, values);
  }
  return node;
}

/** Arrays of more dimensions are in memory as a whole. */
const maxBoxBytes = 2 ** 28;

/** Copies an array of more than two dimensions, such as an image. */
export async function copyBox({
  files,
  to,
  key,
  array,
}: Omit<NumbersToCopy, 'noZeros' | 'onChunk'>): Promise<H5Array<never>> {
  const type = storedTypes.get(array.dtype)!;
  const all = await boxBytes(files, key, array);
  return arrayNode<never>(type, array.shape, { address: to.append(key, all), length: all.length });
}

/** All values of an array, row-major. */
export async function boxBytes(files: ZarrFiles, key: string, array: ZarrArray): Promise<Uint8Array> {
  const bytes = elementBytes[storedTypes.get(array.dtype)!];
  const { shape, chunks } = array;
  const length = product(shape) * bytes;
  if (length > maxBoxBytes)
    throw unreadable(files, key, `it has ${length} bytes in more than two dimensions`);
  const all = new Uint8Array(length);
  const counts = shape.map((extent, axis) => Math.ceil(extent / (chunks[axis] ?? 1)));
  for (let number = 0; number < product(counts); number++) {
    const place = placeAt(counts, number);
    const { data, stride } = await chunkAt(files, { key, array, place });
    const values = plain(data);
    const from = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    const offset = shape.map((_, axis) => place[axis]! * chunks[axis]!);
    const size = shape.map((extent, axis) => Math.min(chunks[axis]!, extent - offset[axis]!));
    const last = size.reduce((sum, extent, axis) => sum + (extent - 1) * stride[axis]!, 0);
    if (from.length < (last + 1) * bytes)
      throw unreadable(files, `${key}, chunk ${place.join('.')}`, 'it is cut short');
    for (let element = 0; element < product(size); element++) {
      const at = placeAt(size, element);
      let source = 0;
      let target = 0;
      for (const [axis, index] of at.entries()) {
        source += index * stride[axis]!;
        target = target * shape[axis]! + offset[axis]! + index;
      }
      for (let byte = 0; byte < bytes; byte++) all[target * bytes + byte] = from[source * bytes + byte]!;
    }
  }
  return all;
}

function placeAt(extents: readonly number[], number: number): number[] {
  const place = extents.map(() => 0);
  for (let axis = extents.length - 1, rest = number; axis >= 0; axis--) {
    place[axis] = rest % extents[axis]!;
    rest = Math.floor(rest / extents[axis]!);
  }
  return place;
}

const product = (lengths: readonly number[]) => lengths.reduce((all, length) => all * length, 1);

function* boxesOf(
  [rows, columns]: readonly number[],
  maxValues: number,
): Generator<{ offset: number[]; size: number[] }> {
  const width = Math.min(columns ?? 1, maxValues);
  const height = Math.max(1, Math.floor(maxValues / width));
  for (let row = 0; row < rows!; row += height) {
    for (let column = 0; column < (columns ?? 1); column += width) {
      const size = [Math.min(height, rows! - row), Math.min(width, (columns ?? 1) - column)];
      const dimensions = columns === undefined ? 1 : 2;
      yield { offset: [row, column].slice(0, dimensions), size: size.slice(0, dimensions) };
    }
  }
}

/** An absent chunk consists of the fill value. */
function filled(absent: Numbers, length: number): Numbers {
  const { constructor } = absent;
  return new (constructor as new (length: number) => Numbers)(length).fill(absent[0] as never);
}

/** Sparse matrices store only non-zero values, so a missing chunk is an error. */
function chunkNotFound({ path }: ZarrFiles, part: string): H5adError {
  return new H5adError({
    code: 'missing-values',
    path,
    part,
    problem: 'it is missing, or holds nothing but zeros.',
    hint: 'The folder was probably copied in part: copy it again, or write it again with anndata.',
  });
}

type Numbers = Exclude<zarr.TypedArray<zarr.NumberDataType | zarr.BigintDataType>, undefined>;

/**
 * First rows and columns of a chunk, row-major: chunks at the edges are larger than their content. Undefined if the
 * chunk is too small.
 */
function box(
  { data, stride }: zarr.Chunk<zarr.DataType>,
  height: number,
  width: number,
): Numbers | undefined {
  const numbers = plain(data);
  const [rowStep = 1, columnStep = 1] = stride;
  if (numbers.length <= (height - 1) * rowStep + (width - 1) * columnStep) return undefined;
  if (columnStep === 1 && (rowStep === width || height === 1 || (width === 1 && rowStep === 1)))
    return numbers;
  const out = new (numbers.constructor as new (length: number) => Numbers)(height * width);
  for (let row = 0, to = 0; row < height; row++)
    for (let column = 0; column < width; column++) out[to++] = numbers[row * rowStep + column * columnStep]!;
  return out;
}

function plain(data: zarr.Chunk<zarr.DataType>['data']): Numbers {
  if (ArrayBuffer.isView(data)) {
    // HDF5 has no float16 here.
    return data.constructor.name === 'Float16Array'
      ? Float32Array.from(data as Iterable<number>)
      : (data as Numbers);
  }
  const { buffer, byteOffset, length } = data as unknown as zarr.BoolArray;
  return new Uint8Array(buffer, byteOffset, length);
}
