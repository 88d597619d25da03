import type { Column } from '@cellfolio/model';
import { H5adError } from '../../h5ad-error.ts';
import type { Hdf5File } from '../../hdf5/hdf5-file.ts';
import {
  denseCellsAtOnce,
  expressionLayers,
  matrixLayout,
  type MatrixLayout,
} from '../../layout/matrix-layout.ts';
import type { DatasetFile, FileFormat, MatrixPlace } from '../../dataset-file.ts';
import { attributeColumn, attributeTable } from './attributes.ts';
import { embeddingColumns, loomEmbeddings } from './loom-embeddings.ts';

/**
 * .loom files of version 2 and 3 of the specification, https://linnarssonlab.org/loompy/format: dense genes x cells,
 * with an array for each attribute of genes (`row_attrs`) and of cells (`col_attrs`).
 */
export const loom: FileFormat = {
  recognises: (file) => file.kind('matrix') === 'dataset' && file.kind('row_attrs') === 'group',
  present: (file): DatasetFile => ({
    hdf5: file,
    obsPath: 'col_attrs',
    varPath: 'row_attrs',
    embeddingsPath: 'col_attrs',
    matrices: () => matrices(file),
    table: (_, what) => table(file, what),
    genes: () => ({ ...table(file, 'var'), notKept: [] }),
    geneColumn: (varPath, name) => readableColumn(file, `${varPath}/${name}`),
    embeddings: () => loomEmbeddings(file),
    recordedScale: () => undefined,
    otherParts: () => otherParts(file),
    noExpression: () =>
      new H5adError({
        code: 'no-x',
        path: file.path,
        part: 'matrix',
        problem: 'there is no expression to take: neither the matrix nor a layer holds any.',
        hint: 'Put the counts into the main matrix, genes x cells, and write the file again.',
      }),
  }),
};

/** Cells are the columns of the file; embeddings are not metadata. */
function table(file: Hdf5File, what: 'obs' | 'var') {
  return what === 'obs'
    ? attributeTable(file, 'col_attrs', what, embeddingColumns(file))
    : attributeTable(file, 'row_attrs', what, new Set());
}

function readableColumn(file: Hdf5File, path: string): Column | undefined {
  if (file.kind(path) !== 'dataset') return undefined;
  const column = attributeColumn(file, path);
  return typeof column === 'string' ? undefined : column;
}

function members(file: Hdf5File, group: string): string[] {
  return file.kind(group) === 'group' ? file.children(group) : [];
}

/** Layers that are not candidates for expression, and graphs. */
function otherParts(file: Hdf5File): string[] {
  const layers = members(file, 'layers');
  const read = new Set(expressionLayers(layers));
  return [
    ...layers.filter((name) => !read.has(name)).map((name) => `layers/${name}`),
    ...['row_graphs', 'col_graphs'].flatMap((group) =>
      members(file, group).map((name) => `${group}/${name}`),
    ),
  ];
}

function matrices(file: Hdf5File): MatrixPlace[] {
  const paths = ['matrix', ...expressionLayers(members(file, 'layers')).map((name) => `layers/${name}`)];
  return paths.flatMap((path) => {
    const layout = matrixLayout(file, path, true);
    if (layout === undefined) return [];
    assertNarrowChunks(file, layout);
    return [{ layout, varPath: 'row_attrs' }];
  });
}

/** Maximum number of times each chunk is decoded, since its cells may be too many to be read at once. */
const maxDecodes = 16;

/** Throws H5adError `unsupported-chunks` if reading cell by cell would decode the matrix too often. */
function assertNarrowChunks(file: Hdf5File, layout: MatrixLayout): void {
  if (layout.format !== 'dense') return;
  const [chunkGenes, chunkCells] = layout.data.chunks ?? [];
  if (chunkCells === undefined || chunkCells <= maxDecodes * denseCellsAtOnce(layout)) return;
  throw new H5adError({
    code: 'unsupported-chunks',
    path: file.path,
    part: layout.path,
    problem: `the matrix is stored in chunks of ${chunkGenes} genes x ${chunkCells} cells, and too few cells of them fit into memory at once.`,
    hint: 'Write the file again with loompy, whose chunks have 64 genes x 64 cells.',
  });
}
