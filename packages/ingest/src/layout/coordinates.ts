import type { Embedding } from '@cellfolio/model';
import type { EmbeddingLayout } from '../dataset-file.ts';
import { decodeNumbers } from '../hdf5/decode-elements.ts';
import type { DatasetInfo, ElementType } from '../hdf5/element-type.ts';
import type { Hdf5File } from '../hdf5/hdf5-file.ts';
import { otherEncoding } from './read-column.ts';

/** An array of cells x dimensions, or `transposed`; the reason if it cannot be used. */
export function arrayEmbedding(
  file: Hdf5File,
  path: string,
  name: string,
  transposed = false,
): EmbeddingLayout | string {
  if (file.kind(path) !== 'dataset') return otherEncoding(file, path);
  const info = file.dataset(path);
  const [rowCount, dimensions] = transposed ? info.shape.toReversed() : info.shape;
  const { type } = info;
  if (rowCount === undefined || dimensions === undefined || info.shape.length !== 2)
    return 'it is not a table of numbers';
  if (type.kind !== 'number') return `its values are of type ${type.kind}`;
  if (rowCount * dimensions > maxCoordinates) return `it has ${dimensions} dimensions, too many to keep`;
  return {
    name,
    rowCount,
    dimensions,
    read() {
      const values = coordinates(type, rowCount * dimensions);
      if (transposed) {
        const column = new Float64Array(rowCount);
        for (let d = 0; d < dimensions; d++) {
          file.read(info, { start: [d, 0], count: [1, rowCount] }, (elements) =>
            decodeNumbers(elements, type, column, 0),
          );
          for (let row = 0; row < rowCount; row++) values[row * dimensions + d] = column[row]!;
        }
        return { name, dimensions, values };
      }
      // Slices of about a million values keep the library's memory small.
      const slice = Math.max(1, Math.floor(1_000_000 / dimensions));
      for (let row = 0; row < rowCount; row += slice) {
        const rows = Math.min(slice, rowCount - row);
        file.read(info, { start: [row, 0], count: [rows, dimensions] }, (elements) => {
          decodeNumbers(elements, type, values, row * dimensions);
        });
      }
      return { name, dimensions, values };
    },
  };
}

export function columnCoordinates(
  file: Hdf5File,
  name: string,
  columns: readonly DatasetInfo[],
  rowCount: number,
): Embedding {
  const dimensions = columns.length;
  const single = columns.every(({ type }) => type.kind === 'number' && /^float(16|32)$/.test(type.dtype));
  const values = new (single ? Float32Array : Float64Array)(rowCount * dimensions);
  columns.forEach((info, dimension) => {
    file.eachSlice(info, (elements, row) => {
      const slice = new Float64Array(elements.count);
      decodeNumbers(elements, info.type, slice, 0);
      for (let i = 0; i < slice.length; i++) values[(row + i) * dimensions + dimension] = slice[i]!;
    });
  });
  return { name, dimensions, values };
}

export function coordinates(
  type: ElementType & { kind: 'number' },
  count: number,
): Float32Array | Float64Array {
  return type.dtype === 'float32' || type.dtype === 'float16'
    ? new Float32Array(count)
    : new Float64Array(count);
}

/** Maximum number of coordinates, which are held in memory. */
export const maxCoordinates = 2 ** 28;
