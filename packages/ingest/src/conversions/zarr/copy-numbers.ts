import type * as zarr from 'zarrita';
import { H5adError } from '../../h5ad-error.ts';
import type { H5Output, StoredType } from '../../write-h5ad/h5-output.ts';
import { chunkAt, unreadable, type ZarrArray } from './zarr-node.ts';
import type { ZarrFiles } from './zarr-files.ts';

/** How the numbers of an array are written; booleans as 0 and 1, for which the library has no type of its own. */
export const storedTypes: ReadonlyMap<string, { readonly type: StoredType; readonly bytes: number }> =
  new Map([
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
  readonly files: ZarrFiles;
  readonly output: H5Output;
  /** Where it goes, and where it comes from. */
  readonly to: string;
  readonly key: string;
  readonly array: ZarrArray;
  /** Whether a chunk of zeros alone is one that is missing: Zarr has a missing chunk count as zeros. */
  readonly noZeros: boolean;
  /** After each chunk, with the bytes written. */
  readonly onChunk: (bytes: number) => void;
}

/** Copies an array of at most two dimensions, a chunk in memory at a time; a scalar becomes a list of one. */
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
  const chunks = array.shape.length === 0 ? [1] : array.chunks;
  const [rows, columns = 1] = shape as [number, number?];
  const [chunkRows, chunkColumns = 1] = chunks as [number, number?];
  for (let row = 0; row < rows; row += chunkRows) {
    for (let column = 0; column < columns; column += chunkColumns) {
      const place = [row / chunkRows, column / chunkColumns].slice(0, array.shape.length);
      const chunk = await chunkAt(files, { key, array, place });
      const height = Math.min(chunkRows, rows - row);
      const width = Math.min(chunkColumns, columns - column);
      const values = box(chunk, height, width);
      if (values === undefined)
        throw unreadable(files, `${key}, chunk ${place.join('.')}`, 'it is cut short');
      if (noZeros && values.subarray(0, height * width).every((value) => Number(value) === 0))
        throw chunkNotFound(files, `${key}, chunk ${place.join('.')}`);
      const dimensions = shape.length;
      output.writeArray(
        to,
        { offset: [row, column].slice(0, dimensions), count: [height, width].slice(0, dimensions) },
        new Uint8Array(values.buffer, values.byteOffset, height * width * bytes),
      );
      onChunk(height * width * bytes);
    }
  }
}

/** Sparse matrices store what is not zero. */
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
 * The first rows and columns of a chunk, row after row: chunks at the edges are larger than what they hold. Undefined
 * where it has fewer.
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
