import { type Column, packStrings, type PackedStrings, unpackStrings } from '@cellfolio/model';
import { H5adError } from '../../h5ad-error.ts';
import type { Hdf5File } from '../../hdf5/hdf5-file.ts';
import {
  denseCellsAtOnce,
  expressionLayers,
  matrixLayout,
  type MatrixLayout,
} from '../../layout/matrix-layout.ts';
import type {
  DatasetFile,
  FileFormat,
  MatrixPlace,
  EmbeddingLayout,
  Embeddings,
  DataFrame,
} from '../../dataset-file.ts';
import type { DatasetInfo } from '../../hdf5/element-type.ts';
import { arrayEmbedding, columnCoordinates } from '../../layout/coordinates.ts';
import { readColumn, rowNames } from '../../layout/read-column.ts';
import { readColumns, withShortNames } from '../../layout/read-columns.ts';

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
        problem: 'it has no expression values: neither the matrix nor a layer has any.',
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

/** `UMAP_1`, `_tSNE2`, `X_pca-3`, `PC1`: embedding name and dimension. */
const numbered =
  /^(.*(?:umap|t-?sne).*?|(?:.*[-_. ])?(?:pca?|phate|mde|diffmap|spatial|embedding))[-_. ]?(\d{1,3})$/i;
/** Written by SCope and velocyto: the displayed embedding. */
const shown = ['_X', '_Y'];

function loomEmbeddings(file: Hdf5File): Embeddings {
  const { arrays, groups } = embeddingAttributes(file);
  const embeddings: EmbeddingLayout[] = [];
  const skipped: { name: string; reason: string }[] = [];
  for (const name of arrays) {
    const layout = arrayEmbedding(file, `col_attrs/${name}`, name);
    if (typeof layout === 'string') skipped.push({ name, reason: layout });
    else embeddings.push(layout);
  }
  for (const [name, columns] of groups) {
    const infos = columns.map((column) => file.dataset(`col_attrs/${column}`));
    const rowCount = Math.min(...infos.map(({ shape }) => shape[0]!));
    const read = () => columnCoordinates(file, name, infos, rowCount);
    embeddings.push({ name, rowCount, dimensions: columns.length, columns, read });
  }
  return { embeddings, skipped };
}

function embeddingColumns(file: Hdf5File): ReadonlySet<string> {
  const { arrays, groups } = embeddingAttributes(file);
  return new Set([...arrays, ...[...groups.values()].flat()]);
}

function embeddingAttributes(file: Hdf5File): { arrays: string[]; groups: Map<string, string[]> } {
  const infos = new Map<string, DatasetInfo>();
  for (const name of file.kind('col_attrs') === 'group' ? file.children('col_attrs') : []) {
    if (file.kind(`col_attrs/${name}`) === 'dataset') infos.set(name, file.dataset(`col_attrs/${name}`));
  }
  const arrays = [...infos].flatMap(([name, { shape }]) => (shape.length === 2 ? [name] : []));
  const numbers = [...infos].flatMap(([name, { shape, type }]) =>
    shape.length === 1 && type.kind === 'number' ? [name] : [],
  );
  const dimensions = new Map<string, Map<number, string>>();
  for (const column of numbers) {
    const [, base, dimension] = numbered.exec(column) ?? [];
    if (base === undefined) continue;
    const name = base.replace(/^_+/, '');
    dimensions.set(name, (dimensions.get(name) ?? new Map<number, string>()).set(Number(dimension), column));
  }
  const groups = new Map<string, string[]>();
  for (const [name, columns] of dimensions) {
    const ordered = Array.from({ length: columns.size }, (_, at) => columns.get(at + 1));
    if (ordered.length >= 2 && !arrays.includes(name) && ordered.every((column) => column !== undefined))
      groups.set(name, ordered);
  }
  if (shown.every((column) => numbers.includes(column))) groups.set('embedding', shown);
  return { arrays, groups };
}

/** Attributes that name cells and genes, best first, in lower case: those of loompy, of anndata, then others. */
const nameAttributes = {
  obs: ['cellid', 'obs_names', 'cell_id', 'cell_names', 'barcode', 'barcodes', 'index', '_index'],
  var: [
    'gene',
    'var_names',
    'gene_name',
    'gene_names',
    'gene_symbol',
    'accession',
    'gene_id',
    'gene_ids',
    'index',
    '_index',
  ],
};
const maxListed = 12;

/** Attributes of cells or genes as a table, without the columns `left`. Throws H5adError. */
function attributeTable(
  file: Hdf5File,
  path: string,
  what: 'obs' | 'var',
  left: ReadonlySet<string>,
): DataFrame {
  const names = file.kind(path) === 'group' ? file.children(path) : [];
  const indexName = nameAttributes[what]
    .flatMap((attribute) => names.filter((name) => name.toLowerCase() === attribute))
    .find((name) => file.kind(`${path}/${name}`) === 'dataset');
  if (indexName === undefined) throw noNames(file, path, what, names);
  const index = plainStrings(file, rowNames(file, `${path}/${indexName}`, what));
  const rowCount = index.offsets.length - 1;
  const columnNames = names.filter((name) => name !== indexName && !left.has(name));
  const { columns, skipped } = readColumns(file, path, columnNames, rowCount, (name) =>
    attributeColumn(file, `${path}/${name}`),
  );
  const stored = `as attributes of a Loom file, version ${specVersion(file)} of its specification`;
  return withShortNames(file, path, { table: { rowCount, indexName, index, columns }, stored, skipped });
}

function attributeColumn(file: Hdf5File, path: string): Column | string {
  const column = readColumn(file, path, undefined);
  if (typeof column === 'string' || column.kind !== 'string') return column;
  return { ...column, strings: plainStrings(file, column.strings) };
}

function specVersion(file: Hdf5File): string {
  const path = 'attrs/LOOM_SPEC_VERSION';
  if (file.kind(path) !== 'dataset') return file.text('', 'LOOM_SPEC_VERSION') ?? '2';
  const info = file.dataset(path);
  return info.type.kind === 'string' ? (unpackStrings(file.strings(info))[0] ?? '3') : '3';
}

const entities = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** Before version 3, text was ASCII with other characters as XML entities. */
function plainStrings(file: Hdf5File, strings: PackedStrings): PackedStrings {
  if (!strings.bytes.includes(0x26) || Number.parseInt(specVersion(file), 10) >= 3) return strings;
  const texts = unpackStrings(strings);
  const plain = texts.map(unescaped);
  // An entity and its character may be names of two groups.
  return new Set(plain).size === new Set(texts).size ? packStrings(plain) : strings;
}

function unescaped(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (entity, decimal, hex, name) => {
    if (name !== undefined) return entities.get(name as string) ?? (entity as string);
    const code = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal);
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : (entity as string);
  });
}

function noNames(file: Hdf5File, path: string, what: 'obs' | 'var', names: readonly string[]): H5adError {
  const [cells, attribute] = what === 'obs' ? ['cells', 'CellID'] : ['genes', 'Gene'];
  const listed = names.slice(0, maxListed).join(', ') || 'none';
  return new H5adError({
    code: what === 'obs' ? 'no-obs-names' : 'no-var-names',
    path: file.path,
    part: path,
    problem: `no attribute names the ${cells}. The attributes are: ${listed}${names.length > maxListed ? '…' : ''}.`,
    hint: `Add the names under ${path}/${attribute}, as loompy does, and upload or import the file again.`,
  });
}
