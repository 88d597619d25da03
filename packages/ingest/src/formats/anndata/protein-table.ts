import {
  type PackedStrings,
  type ProteinScale,
  proteinScaleAttribute,
  proteinScaleOf,
  proteinUnsKeys,
  unpackStrings,
} from '@cellfolio/model';
import { H5adError } from '../../h5ad-error.ts';
import type { Hdf5File } from '../../hdf5/hdf5-file.ts';
import { type MatrixLayout, matrixLayout } from '../../layout/matrix-layout.ts';
import { columnTexts, readColumn } from '../../layout/read-column.ts';
import { proteinFrame } from '../../write-h5ad/encodings.ts';
import type { ProteinPlace } from '../../dataset-file.ts';
import { numberColumns } from './embeddings.ts';

/** Keys of `obsm` for CITE-seq proteins: that of scvi-tools, then others in use. The first one present is used. */
const keys = ['protein_expression', 'protein_counts', 'proteins', 'protein', 'ADT', 'adt', 'prot'];

/** Maximum columns; panels have some hundreds. */
const maxColumns = 100_000;

export function proteinKey(file: Hdf5File): string | undefined {
  if (file.kind('obsm') !== 'group') return undefined;
  const present = new Set(file.children('obsm'));
  return keys.find((key) => present.has(key));
}

/** Protein table in `obsm`: a data frame, or an array with its names in `uns`. `cells`: names of obs. */
export function proteinPlace(file: Hdf5File, cells: PackedStrings): ProteinPlace | undefined {
  const key = proteinKey(file);
  if (key === undefined) return undefined;
  const path = `obsm/${key}`;
  const { scale, parts } = scaleOf(file, path);
  if (file.text(path, 'encoding-type') === 'dataframe') {
    const { columns, skipped } = numberColumns(file, key, cells);
    const named = plainNames(file, [...columns.keys()]);
    return {
      path,
      ...named,
      parts: [...parts, ...named.parts],
      values: [...columns.values()],
      scale,
      skipped: skipped.map(({ name, reason }) => ({ name: `obsm/${name}`, reason })),
    };
  }
  const layout = arrayLayout(file, path, cells.offsets.length - 1);
  if (typeof layout === 'string')
    return { path, parts, names: [], values: [], skipped: [{ name: path, reason: layout }] };
  const named = namesInUns(file, layout.geneCount);
  return {
    path,
    parts: [...parts, ...(named ? [named.path] : [])],
    names: named?.names ?? Array.from({ length: layout.geneCount }, (_, at) => `Protein ${at + 1}`),
    values: layout,
    scale,
    skipped: [],
  };
}

/** From `uns`, or from an attribute of the table, as in stores. */
function scaleOf(
  file: Hdf5File,
  path: string,
): { scale: ProteinScale | undefined; parts: readonly string[] } {
  const unit = `uns/${proteinUnsKeys.unit}`;
  const [text] = textsAt(file, unit) ?? [];
  const inUns = proteinScaleOf(text);
  const own = file.text(path, proteinScaleAttribute);
  if (inUns !== undefined) return { scale: inUns, parts: [unit] };
  return { scale: own === 'clr' || own === 'stored' ? own : undefined, parts: [] };
}

/** Column names cannot contain a slash; the original names are in `uns`, if they refer to these columns. */
function plainNames(
  file: Hdf5File,
  columns: readonly string[],
): { names: readonly string[]; parts: readonly string[] } {
  const path = `uns/${proteinUnsKeys.names}`;
  const names = textsAt(file, path);
  const isOfThese =
    names?.length === columns.length &&
    proteinFrame.columns(names).every((column, at) => column === columns[at]);
  return isOfThese ? { names, parts: [path] } : { names: columns, parts: [] };
}

function textsAt(file: Hdf5File, path: string): string[] | undefined {
  const kind = file.kind(path);
  if (kind === undefined) return undefined;
  const info = kind === 'dataset' ? file.dataset(path) : undefined;
  if (info?.type.kind === 'string' && info.shape.length === 0) return unpackStrings(file.strings(info));
  const column = readColumn(file, path, undefined);
  return typeof column === 'string' ? undefined : columnTexts(column);
}

function arrayLayout(file: Hdf5File, path: string, cellCount: number): MatrixLayout | string {
  try {
    const layout = matrixLayout(file, path);
    if (layout === undefined) return 'it is not a table of numbers';
    if (layout.cellCount !== cellCount) return `it has ${layout.cellCount} rows for ${cellCount} cells`;
    if (layout.geneCount > maxColumns) return `it has ${layout.geneCount} columns, too many to be proteins`;
    return layout.geneCount === 0 ? 'it has no columns' : layout;
  } catch (error) {
    if (error instanceof H5adError) return error.problem.replace(/\.$/, '');
    throw error;
  }
}

export function mayNameProteins(key: string): boolean {
  return /prot|adt|antibod/i.test(key) && !/colou?rs$/i.test(key);
}

/** scvi-tools lets the user choose the key; its own data sets use `protein_names`. */
function namesInUns(file: Hdf5File, count: number): { path: string; names: readonly string[] } | undefined {
  const children = file.kind('uns') === 'group' ? file.children('uns') : [];
  const named = children.filter((name) => mayNameProteins(name) && name !== proteinUnsKeys.unit);
  for (const name of named.toSorted(
    (a, b) => Number(b === proteinUnsKeys.names) - Number(a === proteinUnsKeys.names),
  )) {
    const path = `uns/${name}`;
    // Names that pandas keeps are a group of values and a mask.
    const values = file.kind(path) === 'group' ? `${path}/values` : path;
    if (file.kind(values) !== 'dataset') continue;
    const { shape } = file.dataset(values);
    if (shape.length !== 1 || shape[0] !== count) continue;
    const names = textsAt(file, path);
    if (names !== undefined) return { path, names };
  }
  return undefined;
}
