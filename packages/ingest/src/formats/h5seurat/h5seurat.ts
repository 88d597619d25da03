import type { Column, PackedStrings, Table } from '@cellfolio/model';
import { isProteinType } from '../../features/gene-features.ts';
import { H5adError } from '../../h5ad-error.ts';
import type { Hdf5File } from '../../hdf5/hdf5-file.ts';
import { arrayEmbedding } from '../../layout/coordinates.ts';
import { assertRows, matrixLayout, type MatrixLayout } from '../../layout/matrix-layout.ts';
import {
  columnTexts,
  noNames,
  rowNames,
  categoricalColumn,
  readCategories,
  readColumn,
} from '../../layout/read-column.ts';
import { withShortNames, readColumns } from '../../layout/read-columns.ts';
import { addIdentities, identitiesColumn } from '../../roles/seurat-identities.ts';
import type {
  DataFrame,
  DatasetFile,
  EmbeddingLayout,
  Embeddings,
  FileFormat,
  MatrixPlace,
  ProteinPlace,
  SkippedEmbedding,
  SkippedColumn,
} from '../../dataset-file.ts';
import { readMember } from '../../layout/read-member.ts';

/**
 * .h5Seurat files of SeuratDisk, https://mojaveazure.github.io/seurat-disk/articles/h5Seurat-spec.html: assays of genes
 * x cells, sparse ones compressed by cell, dense ones in R's memory layout, which is cells x genes to HDF5.
 */
export const h5seurat: FileFormat = {
  recognises: (file) => file.kind('assays') === 'group' && file.kind('cell.names') === 'dataset',
  present: (file): DatasetFile => {
    const assay = chosenAssay(file);
    const varPath = `${assay}/meta.features`;
    return {
      hdf5: file,
      obsPath: 'meta.data',
      varPath,
      embeddingsPath: 'reductions',
      matrices: () => matrices(file, assay, varPath),
      table: (_, what) => (what === 'obs' ? cellTable(file) : featureTable(file, assay, varPath)),
      genes: () => ({ ...featureTable(file, assay, varPath), notKept: [] }),
      geneColumn: (_, name) => featureColumn(file, varPath, name),
      embeddings: () => reductions(file),
      proteins: (cells) => proteins(file, assay, cells),
      recordedScale: () => undefined,
      otherParts: () => otherParts(file, assay),
      noExpression: () =>
        new H5adError({
          code: 'no-x',
          path: file.path,
          part: assay,
          problem: 'it has no expression values: the assay has neither counts nor data.',
          hint: 'Choose an assay that has them with DefaultAssay(object), and write the file again with SeuratDisk.',
        }),
    };
  },
};

/**
 * Preferred assay: others, such as those of an integration or SCTransform, have no counts, or not the original ones.
 */
const preferred = 'RNA';
/** Parts of a Seurat object that are not imported; command logs are not worth listing. */
const otherGroups = ['graphs', 'neighbors', 'images', 'tools', 'misc'];

/** Path of the assay `RNA`, else of the active one, else of the first. */
function chosenAssay(file: Hdf5File): string {
  const names = members(file, 'assays');
  const name = [preferred, file.text('', 'active.assay')].find(
    (one) => one !== undefined && names.includes(one),
  );
  return `assays/${name ?? names[0] ?? preferred}`;
}

function members(file: Hdf5File, path: string): string[] {
  return file.kind(path) === 'group' ? file.children(path) : [];
}

function matrices(file: Hdf5File, assay: string, varPath: string): MatrixPlace[] {
  return ['counts', 'data'].flatMap((name) => {
    const layout = layoutOf(file, `${assay}/${name}`);
    if (layout === undefined) return [];
    assertRows(file, layout, 'obs', { part: 'cell.names', rows: rowsOf(file, 'cell.names') });
    assertRows(file, layout, 'var', { part: `${assay}/features`, rows: rowsOf(file, `${assay}/features`) });
    return [{ layout, varPath }];
  });
}

function layoutOf(file: Hdf5File, path: string): MatrixLayout | undefined {
  return matrixLayout(file, path, file.kind(path) === 'group');
}

function rowsOf(file: Hdf5File, path: string): number {
  return file.kind(path) === 'dataset' ? (file.dataset(path).shape[0] ?? 0) : 0;
}

function namesAt(file: Hdf5File, path: string, what: 'obs' | 'var'): PackedStrings {
  if (file.kind(path) === 'dataset') return rowNames(file, path, what);
  throw noNames(file, path, what, `the file has no ${path}.`);
}

function cellTable(file: Hdf5File): DataFrame {
  const index = namesAt(file, 'cell.names', 'obs');
  const rowCount = index.offsets.length - 1;
  const { columns, skipped } = frameOfR(file, 'meta.data', rowCount);
  addIdentities(columns, activeIdentities(file, rowCount));
  const table: Table = { rowCount, indexName: 'cell.names', index, columns };
  const stored = `as data frames of R in an h5Seurat file, of Seurat ${file.text('', 'version') ?? 'of unknown version'}`;
  return withShortNames(file, 'meta.data', { table, stored, skipped });
}

function activeIdentities(file: Hdf5File, rowCount: number): Column | undefined {
  const path = identitiesColumn;
  if (rowsOf(file, `${path}/values`) !== rowCount || file.kind(`${path}/levels`) !== 'dataset')
    return undefined;
  const column = factor(file, path);
  return typeof column === 'string' ? undefined : column;
}

function featureTable(file: Hdf5File, assay: string, varPath: string): DataFrame {
  const index = namesAt(file, `${assay}/features`, 'var');
  const rowCount = index.offsets.length - 1;
  const { columns, skipped } = frameOfR(file, varPath, rowCount);
  const table: Table = { rowCount, indexName: 'features', index, columns };
  return withShortNames(file, assay, { table, stored: '', skipped });
}

function featureColumn(file: Hdf5File, varPath: string, name: string): Column | undefined {
  const kind = file.kind(varPath);
  if (kind === undefined || (kind === 'group' && file.kind(`${varPath}/${name}`) === undefined))
    return undefined;
  const column = columnOfFrame(file, varPath, name);
  return typeof column === 'string' ? undefined : column;
}

/** `umap` becomes X_umap, as in AnnData. */
function reductions(file: Hdf5File): Embeddings {
  const embeddings: EmbeddingLayout[] = [];
  const skipped: SkippedEmbedding[] = [];
  for (const name of members(file, 'reductions')) {
    const layout = arrayEmbedding(file, `reductions/${name}/cell.embeddings`, `X_${name}`, true);
    if (typeof layout === 'string') skipped.push({ name, reason: layout });
    else embeddings.push(layout);
  }
  return { embeddings, skipped };
}

/** Assay of CITE-seq proteins, which Seurat's vignettes call `ADT`. */
function proteinAssay(file: Hdf5File, assay: string): string | undefined {
  const name = members(file, 'assays').find((one) => isProteinType(one) && `assays/${one}` !== assay);
  return name && `assays/${name}`;
}

function proteins(file: Hdf5File, assay: string, cells: PackedStrings): ProteinPlace | undefined {
  const path = proteinAssay(file, assay);
  if (path === undefined) return undefined;
  const part = [`${path}/counts`, `${path}/data`].find((one) => file.kind(one) !== undefined);
  const values = part === undefined ? undefined : layoutOf(file, part);
  if (values === undefined) return undefined;
  assertRows(file, values, 'obs', { part: 'cell.names', rows: cells.offsets.length - 1 });
  const namesPath = `${path}/features`;
  assertRows(file, values, 'var', { part: namesPath, rows: rowsOf(file, namesPath) });
  const names = columnTexts({ kind: 'string', strings: namesAt(file, namesPath, 'var') })!;
  return { path: values.path, parts: [namesPath], names, values, skipped: [] };
}

function otherParts(file: Hdf5File, assay: string): string[] {
  const usedAssays = new Set([assay, proteinAssay(file, assay)]);
  return [
    ...members(file, 'assays').flatMap((name) =>
      usedAssays.has(`assays/${name}`) ? [] : [`assays/${name}`],
    ),
    ...(file.kind(`${assay}/scale.data`) === undefined ? [] : [`${assay}/scale.data`]),
    ...otherGroups.flatMap((group) => members(file, group).map((name) => `${group}/${name}`)),
  ];
}

const naInteger = -(2 ** 31);

interface FrameOfR {
  columns: Map<string, Column>;
  skipped: readonly SkippedColumn[];
}

/**
 * Columns of an R data frame of `rowCount` rows, which is a group of columns or one compound dataset. Throws H5adError.
 */
function frameOfR(file: Hdf5File, path: string, rowCount: number): FrameOfR {
  switch (file.kind(path)) {
    case 'group': {
      const index = file.text(path, '_index') ?? 'row.names';
      const present = file.children(path).filter((name) => name !== index);
      const listed = texts(file, path, 'colnames').filter((name) => present.includes(name));
      const names = [...new Set([...listed, ...present])];
      return readColumns(file, path, names, rowCount, (name) => columnOfFrame(file, path, name));
    }
    case 'dataset': {
      const { type } = file.dataset(path);
      const names = type.kind === 'compound' ? type.members.map(({ name }) => name) : [];
      return readColumns(file, path, names, rowCount, (name) => columnOfFrame(file, path, name));
    }
    case undefined:
      return { columns: new Map(), skipped: [] };
  }
}

function columnOfFrame(file: Hdf5File, path: string, name: string): Column | string {
  const part = `${path}/${name}`;
  const isLogical = texts(file, path, 'logicals').includes(name);
  if (file.kind(path) === 'dataset') {
    const info = file.dataset(path);
    const member =
      info.type.kind === 'compound' ? info.type.members.find((one) => one.name === name) : undefined;
    const column = member && readMember(file, info, member);
    return column === undefined ? `its values are of type ${member?.type.kind}` : ofR(column, isLogical);
  }
  if (file.kind(`${part}/levels`) !== undefined && file.kind(`${part}/values`) === 'dataset')
    return factor(file, part);
  const column = readColumn(file, part, undefined);
  return typeof column === 'string'
    ? column
    : ofR(column, isLogical || file.text(part, 's3class') === 'logical');
}

/** 1-based codes and their labels. */
function factor(file: Hdf5File, path: string): Column | string {
  const levels = readCategories(file, `${path}/levels`);
  if (typeof levels === 'string') return levels;
  const codes = Int32Array.from(file.numbers(file.dataset(`${path}/values`)), (value) =>
    value < 1 ? -1 : value - 1,
  );
  return categoricalColumn(file, path, codes, levels, false);
}

/** Converts R's missing integers, and logicals stored as 0, 1 and 2 for FALSE, TRUE and NA. */
function ofR(column: Column, isLogical: boolean): Column {
  if (column.kind !== 'numeric' || (!isLogical && column.dtype !== 'int32')) return column;
  const { values } = column;
  if (!isLogical)
    return values.includes(naInteger) ? { ...column, missing: where(values, naInteger) } : column;
  const isMissing = Uint8Array.from(values, (value) => (value === 0 || value === 1 ? 0 : 1));
  return {
    kind: 'boolean',
    values: Uint8Array.from(values, (value) => (value === 1 ? 1 : 0)),
    ...(isMissing.includes(1) && { missing: isMissing }),
  };
}

function where(values: ArrayLike<number>, target: number): Uint8Array {
  return Uint8Array.from(values, (value) => (value === target ? 1 : 0));
}

function texts(file: Hdf5File, path: string, attribute: string): readonly string[] {
  const value = file.attribute(path, attribute);
  return typeof value === 'string' ? [value] : Array.isArray(value) ? (value as string[]) : [];
}
