import { maxNameLength, type Embedding, type PackedStrings } from '@cellfolio/model';
import { decodeNumbers } from '../hdf5/decode-elements.ts';
import type { ElementType } from '../hdf5/element-type.ts';
import type { Hdf5File } from '../hdf5/hdf5-file.ts';
import { longText } from './long-names.ts';
import { MOST_COORDINATES, type EmbeddingLayout, type SkippedEmbedding } from './embedding-layout.ts';
import { embeddingTable } from './embedding-table.ts';

/** Entries of `obsm` that are dense and numeric, and why the others were left out. `cells` are the names of obs. */
export function embeddingLayouts(
  file: Hdf5File,
  cells: PackedStrings,
): { embeddings: EmbeddingLayout[]; skipped: SkippedEmbedding[] } {
  const { embeddings, skipped } = allLayouts(file, cells);
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
): { embeddings: EmbeddingLayout[]; skipped: SkippedEmbedding[] } {
  const kind = file.kind('obsm');
  if (kind === 'dataset') return { embeddings: compoundEmbeddings(file), skipped: [] };
  const embeddings: EmbeddingLayout[] = [];
  const skipped: SkippedEmbedding[] = [];
  for (const name of kind === 'group' ? file.children('obsm') : []) {
    if (file.text(`obsm/${name}`, 'encoding-type') === 'dataframe') {
      const table = embeddingTable(file, name, cells);
      embeddings.push(...table.embeddings);
      skipped.push(...table.skipped);
      continue;
    }
    const layout = entryLayout(file, name);
    if (typeof layout === 'string') skipped.push({ name, reason: layout });
    else embeddings.push(layout);
  }
  return { embeddings, skipped };
}

function entryLayout(file: Hdf5File, name: string): EmbeddingLayout | string {
  const path = `obsm/${name}`;
  if (file.kind(path) !== 'dataset')
    return `it is encoded as '${file.text(path, 'encoding-type') ?? 'a group'}'`;
  const info = file.dataset(path);
  const [rowCount, dimensions] = info.shape;
  const { type } = info;
  if (rowCount === undefined || dimensions === undefined || info.shape.length !== 2)
    return 'it is not a table of numbers';
  if (type.kind !== 'number') return `its values are of type ${type.kind}`;
  if (rowCount * dimensions > MOST_COORDINATES) return `it has ${dimensions} dimensions, too many to keep`;
  return {
    name,
    rowCount,
    dimensions,
    read() {
      const values = coordinates(type, rowCount * dimensions);
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

/** Before 0.7, `obsm` was one compound dataset with an array field an embedding. */
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

function coordinates(type: ElementType & { kind: 'number' }, count: number): Float32Array | Float64Array {
  return type.dtype === 'float32' || type.dtype === 'float16'
    ? new Float32Array(count)
    : new Float64Array(count);
}
