import type { DatasetInfo } from '../hdf5/element-type.ts';
import { StoredReader } from '../hdf5/stored-reader.ts';
import type { MatrixLayout } from '../layout/matrix-layout.ts';
import type { ValueArray } from './gene-major-matrix.ts';
import { MatrixReader } from './matrix-reader.ts';
import { writeAt } from './spill.ts';

type Sparse = MatrixLayout & { format: 'csr' | 'csc' };

/**
 * Entries of a compressed matrix in a temporary file, written at the first read: all indices, then all values. Reading
 * them there costs a tenth of inflating them again.
 */
export class UnpackedEntries {
  readonly reader: MatrixReader;
  readonly #descriptor: number;
  readonly #valuesAt: number;

  /** `path` names the open temporary file in errors; `valueType` is the type in which values are kept. */
  constructor(
    path: string,
    layout: Sparse,
    { descriptor, valueType }: { descriptor: number; valueType: 'float32' | 'float64' },
  ) {
    this.#descriptor = descriptor;
    this.#valuesAt = 4 * layout.entryCount;
    const place = ({ path, shape }: DatasetInfo, dtype: 'int32' | typeof valueType, at: number) =>
      ({
        path,
        shape,
        type: { kind: 'number', dtype, size: dtype === 'float64' ? 8 : 4, littleEndian: true },
        filters: [],
        stored: { kind: 'contiguous', at },
      }) as const;
    // What is no gene is zeros by now.
    const { dropped: _, ...rest } = layout;
    this.reader = new MatrixReader(new StoredReader(path, descriptor), {
      ...rest,
      indices: place(layout.indices, 'int32', 0),
      data: place(layout.data, valueType, this.#valuesAt),
    });
  }

  keep(start: number, indices: Int32Array, values: ValueArray): void {
    writeAt(this.#descriptor, indices, 4 * start);
    writeAt(this.#descriptor, values, this.#valuesAt + values.BYTES_PER_ELEMENT * start);
  }
}

/** Whether both arrays can be read from the file directly, without the library. */
export function isStored({ data, indices }: Sparse): boolean {
  return data.stored !== undefined && indices.stored !== undefined;
}

export function isPacked({ data, indices }: Sparse): boolean {
  return data.filters.length + indices.filters.length > 0;
}
