import type { Embedding, PackedStrings } from '@cellfolio/model';
import { decodeNumbers } from '../hdf5/decode-elements.ts';
import { H5adError } from '../h5ad-error.ts';
import type { DatasetInfo, Hdf5File } from '../hdf5/hdf5-file.ts';
import { columnOrder, indexName } from './data-frame.ts';
import { MOST_COORDINATES, type EmbeddingLayout, type SkippedEmbedding } from './embedding-layout.ts';
import { sameNames } from './gene-table.ts';
import { rowNames } from './read-column.ts';

/**
 * An entry of `obsm` that was a pandas DataFrame: its columns of numbers in their order are the dimensions, and the
 * others are left out. Nothing is taken where its rows are not the cells of `obs` in their order, as anndata demands.
 */
export function embeddingTable(
  file: Hdf5File,
  name: string,
  cells: PackedStrings,
): { embeddings: EmbeddingLayout[]; skipped: SkippedEmbedding[] } {
  const path = `obsm/${name}`;
  const none = (reason: string) => ({ embeddings: [], skipped: [{ name, reason }] });
  const rowCount = cells.offsets.length - 1;
  const index = indexOf(file, path, cells);
  if (index === undefined) return none('it is a table whose rows are not the cells of obs in their order');
  const columns = new Map<string, DatasetInfo>();
  const others = new Map<string, string[]>();
  for (const column of columnOrder(file, path, index)) {
    const found = numberColumn(file, `${path}/${column}`, rowCount);
    if (typeof found !== 'string') columns.set(column, found);
    else if (others.has(found)) others.get(found)!.push(column);
    else others.set(found, [column]);
  }
  const skipped = Array.from(others, ([reason, [first, ...rest]]) => ({
    name: `${name}/${first}`,
    reason: rest.length === 0 ? reason : `${reason} (and so for ${rest.length} more columns of it)`,
  }));
  const dimensions = columns.size;
  if (dimensions === 0)
    return {
      embeddings: [],
      skipped: [{ name, reason: 'it is a table without a column of numbers' }, ...skipped],
    };
  if (rowCount * dimensions > MOST_COORDINATES) return none(`it has ${dimensions} columns, too many to keep`);
  const read = () => coordinates(file, name, [...columns.values()], rowCount);
  return { embeddings: [{ name, rowCount, dimensions, columns: [...columns.keys()], read }], skipped };
}

/** Name of the index where it lists these cells. */
function indexOf(file: Hdf5File, path: string, cells: PackedStrings): string | undefined {
  try {
    const index = indexName(file, path, 'obs');
    return sameNames(rowNames(file, `${path}/${index}`, 'obs'), cells) ? index : undefined;
  } catch (error) {
    if (error instanceof H5adError && error.code === 'no-obs-names') return undefined;
    throw error;
  }
}

function numberColumn(file: Hdf5File, path: string, rowCount: number): DatasetInfo | string {
  if (file.kind(path) !== 'dataset')
    return `it is encoded as '${file.text(path, 'encoding-type') ?? 'a group'}'`;
  const info = file.dataset(path);
  if (info.type.kind !== 'number') return `its values are of type ${info.type.kind}`;
  // Before categories were groups, their codes stood in the place of the column.
  if (file.attribute(path, 'categories') !== undefined) return 'it holds categories';
  if (info.shape.length !== 1 || info.shape[0] !== rowCount)
    return `it has ${info.shape.join(' x ')} values for ${rowCount} cells`;
  return info;
}

function coordinates(
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
