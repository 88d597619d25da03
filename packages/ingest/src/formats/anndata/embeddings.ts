import { maxNameLength, type Embedding, type PackedStrings } from '@cellfolio/model';
import { decodeNumbers } from '../../hdf5/decode-elements.ts';
import type { DatasetInfo } from '../../hdf5/element-type.ts';
import type { Hdf5File } from '../../hdf5/hdf5-file.ts';
import { longText } from '../../layout/long-names.ts';
import { H5adError } from '../../h5ad-error.ts';
import type { EmbeddingLayout, Embeddings, SkippedEmbedding } from '../../dataset-file.ts';
import { columnOrder, indexName } from './data-frame.ts';
import { sameNames } from './gene-table.ts';
import { arrayEmbedding, columnCoordinates, coordinates, maxCoordinates } from '../../layout/coordinates.ts';
import { otherEncoding, rowNames } from '../../layout/read-column.ts';

/**
 * Dense numeric entries of `obsm`, and reasons for the others. `cells`: names of obs. The entry `except` is not an
 * embedding.
 */
export function embeddingLayouts(file: Hdf5File, cells: PackedStrings, except?: string): Embeddings {
  const { embeddings, skipped } = allLayouts(file, cells, except);
  const isShort = ({ name }: EmbeddingLayout) => name.length <= maxNameLength;
  const long = embeddings.filter((layout) => !isShort(layout));
  return {
    embeddings: embeddings.filter(isShort),
    skipped: [...skipped, ...long.map(({ name }) => ({ name, reason: `its name has ${longText(name)}` }))],
  };
}

function allLayouts(
  file: Hdf5File,
  cells: PackedStrings,
  except: string | undefined,
): { embeddings: EmbeddingLayout[]; skipped: SkippedEmbedding[] } {
  const kind = file.kind('obsm');
  if (kind === 'dataset') return { embeddings: compoundEmbeddings(file), skipped: [] };
  const embeddings: EmbeddingLayout[] = [];
  const skipped: SkippedEmbedding[] = [];
  for (const name of kind === 'group' ? file.children('obsm') : []) {
    if (name === except) continue;
    if (file.text(`obsm/${name}`, 'encoding-type') === 'dataframe') {
      const table = embeddingTable(file, name, cells);
      embeddings.push(...table.embeddings);
      skipped.push(...table.skipped);
      continue;
    }
    const layout = arrayEmbedding(file, `obsm/${name}`, name);
    if (typeof layout === 'string') skipped.push({ name, reason: layout });
    else embeddings.push(layout);
  }
  return { embeddings, skipped };
}

/** Before 0.7, `obsm` was one compound dataset with an array field per embedding. */
function compoundEmbeddings(file: Hdf5File): EmbeddingLayout[] {
  const info = file.dataset('obsm');
  const rowCount = info.shape[0] ?? 0;
  if (info.type.kind !== 'compound') return [];
  return info.type.members.flatMap((member) => {
    const array = member.type;
    const element = array.kind === 'array' ? array.element : array;
    const dimensions = array.kind === 'array' ? array.shape.reduce((product, n) => product * n, 1) : 1;
    if (element.kind !== 'number') return [];
    const read = (): Embedding => {
      const values = coordinates(element, rowCount * dimensions);
      for (let row = 0; row < rowCount; row += 16_384) {
        const rows = Math.min(16_384, rowCount - row);
        file.read(info, { start: [row], count: [rows] }, (elements) => {
          for (let d = 0; d < dimensions; d++) {
            const at = elements.offset + member.offset + d * element.size;
            const column = new Float64Array(rows);
            decodeNumbers({ ...elements, offset: at }, element, column, 0);
            for (let i = 0; i < rows; i++) values[(row + i) * dimensions + d] = column[i]!;
          }
        });
      }
      return { name: member.name, dimensions, values };
    };
    return [{ name: member.name, rowCount, dimensions, read }];
  });
}

/**
 * An entry of `obsm` written from a pandas DataFrame: its numeric columns in order are the dimensions, the others are
 * skipped. Ignored unless its rows are the cells of `obs` in order, as anndata requires.
 */
function embeddingTable(
  file: Hdf5File,
  name: string,
  cells: PackedStrings,
): { embeddings: EmbeddingLayout[]; skipped: SkippedEmbedding[] } {
  const { columns, skipped } = numberColumns(file, name, cells);
  const rowCount = cells.offsets.length - 1;
  const dimensions = columns.size;
  if (dimensions === 0) return { embeddings: [], skipped };
  if (rowCount * dimensions > maxCoordinates)
    return { embeddings: [], skipped: [{ name, reason: `it has ${dimensions} columns, too many to keep` }] };
  const read = () => columnCoordinates(file, name, [...columns.values()], rowCount);
  return { embeddings: [{ name, rowCount, dimensions, columns: [...columns.keys()], read }], skipped };
}

/** Numeric columns of a table in `obsm`; none unless its rows are the cells of `obs` in order. */
export function numberColumns(
  file: Hdf5File,
  name: string,
  cells: PackedStrings,
): { columns: ReadonlyMap<string, DatasetInfo>; skipped: SkippedEmbedding[] } {
  const path = `obsm/${name}`;
  const columns = new Map<string, DatasetInfo>();
  const index = indexOf(file, path, cells);
  if (index === undefined) {
    const reason = 'it is a table whose rows are not the cells of obs in their order';
    return { columns, skipped: [{ name, reason }] };
  }
  const rowCount = cells.offsets.length - 1;
  const others = new Map<string, string[]>();
  for (const column of columnOrder(file, path, index)) {
    const columnOrReason = numberColumn(file, `${path}/${column}`, rowCount);
    if (typeof columnOrReason !== 'string') columns.set(column, columnOrReason);
    else if (others.has(columnOrReason)) others.get(columnOrReason)!.push(column);
    else others.set(columnOrReason, [column]);
  }
  const skipped = Array.from(others, ([reason, [first, ...rest]]) => ({
    name: `${name}/${first}`,
    reason: rest.length === 0 ? reason : `${reason} (and so for ${rest.length} more columns of it)`,
  }));
  if (columns.size > 0) return { columns, skipped };
  return { columns, skipped: [{ name, reason: 'it is a table without a column of numbers' }, ...skipped] };
}

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
  if (file.kind(path) !== 'dataset') return otherEncoding(file, path);
  const info = file.dataset(path);
  if (info.type.kind !== 'number') return `its values are of type ${info.type.kind}`;
  // Before categories were groups, their codes stood in the place of the column.
  if (file.attribute(path, 'categories') !== undefined) return 'it holds categories';
  if (info.shape.length !== 1 || info.shape[0] !== rowCount)
    return `it has ${info.shape.join(' x ')} values for ${rowCount} cells`;
  return info;
}
