import type * as zarr from 'zarrita';
import { H5adError } from '../../h5ad-error.ts';
import type { H5Output, StoredType } from '../../write-h5ad/h5-output.ts';
import { firstAbsent, storedChunks } from './stored-chunks.ts';
import { chunkAt, unreadable, type ZarrArray } from './zarr-node.ts';
import type { ZarrFiles } from './zarr-files.ts';

/** Stored type of an array's numbers; booleans become 0 and 1, since the library has no boolean type. */
export const storedTypes: ReadonlyMap<string, { type: StoredType; bytes: number }> = new Map([
  ['bool', { type: 'uint8', bytes: 1 }],
  ['int8', { type: 'int8', bytes: 1 }],
  ['uint8', { type: 'uint8', bytes: 1 }],
  ['int16', { type: 'int16', bytes: 2 }],
  ['uint16', { type: 'uint16', bytes: 2 }],
  ['int32', { type: 'int32', bytes: 4 }],
  ['uint32', { type: 'uint32', bytes: 4 }],
  ['int64', { type: 'int64', bytes: 8 }],
  ['uint64', { type: 'uint64', bytes: 8 }],
  ['float16', { type: 'float32', bytes: 4 }],
  ['float32', { type: 'float32', bytes: 4 }],
  ['float64', { type: 'float64', bytes: 8 }],
]);

interface NumbersToCopy {
  files: ZarrFiles;
  output: H5Output;
  to: string;
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
  output,
  to,
  key,
  array,
  noZeros,
  onChunk,
}: NumbersToCopy): Promise<void> {
  const { type, bytes } = storedTypes.get(array.dtype)!;
  const shape = array.shape.length === 0 ? [1] : array.shape;
  output.createArray(to, { type, shape });
  if (shape.includes(0)) return;
  const { numbers, count, placeOf } = await storedChunks(files, key, array);
  const at = (place: readonly number[]) => `${key}, chunk ${place.join('.')}`;
  const write = (offset: readonly number[], size: readonly number[], values: Numbers): void => {
    const length = product(size);
    output.writeArray(
      to,
      { offset, count: size },
      new Uint8Array(values.buffer, values.byteOffset, length * bytes),
    );
    onChunk(length * bytes);
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
