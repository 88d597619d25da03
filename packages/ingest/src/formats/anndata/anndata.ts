import type { Column } from '@cellfolio/model';
import { graphPlace } from '../../graph/graph-place.ts';
import { decodeNumbers } from '../../hdf5/decode-elements.ts';
import type { Hdf5File } from '../../hdf5/hdf5-file.ts';
import { expressionLayers, matrixLayout } from '../../layout/matrix-layout.ts';
import { readColumn } from '../../layout/read-column.ts';
import type { DatasetFile, FileFormat, MatrixPlace } from '../../dataset-file.ts';
import { assertAnnData, noExpression } from './assert-anndata.ts';
import { readDataFrame } from './data-frame.ts';
import { embeddingLayouts } from './embeddings.ts';
import { readGeneTable } from './gene-table.ts';
import { proteinKey, proteinPlace } from './protein-table.ts';

/** .h5ad files of any version, https://anndata.readthedocs.io/en/stable/fileformat-prose.html. */
export const anndata: FileFormat = { recognises: () => true, present };

/** Parts of AnnData that are not imported, except a nearest-cell graph. */
const otherGroups = ['varm', 'obsp', 'varp', 'uns'];

/** Throws H5adError `not-anndata`. */
function present(file: Hdf5File): DatasetFile {
  assertAnnData(file);
  return {
    hdf5: file,
    obsPath: 'obs',
    varPath: 'var',
    embeddingsPath: 'obsm',
    matrices: () => matrices(file),
    table: (path, what) => readDataFrame(file, path, what),
    genes: (varPath) => readGeneTable(file, varPath),
    geneColumn: (varPath, name) => geneColumn(file, varPath, name),
    embeddings: (cells) => embeddingLayouts(file, cells, proteinKey(file)),
    proteins: (cells) => proteinPlace(file, cells),
    recordedScale: () => recordedScale(file),
    graph: () => graphPlace(file),
    otherParts: () =>
      otherGroups
        .filter((group) => file.kind(group) === 'group')
        .flatMap((group) => file.children(group).map((name) => `${group}/${name}`)),
    noExpression: () => noExpression(file),
  };
}

/** In the order raw, X, layers. */
function matrices(file: Hdf5File): MatrixPlace[] {
  const layers = file.kind('layers') === 'group' ? file.children('layers') : [];
  const places = [
    { path: 'raw/X', varPath: 'raw/var' },
    { path: 'raw.X', varPath: 'raw.var' },
    { path: 'X', varPath: 'var' },
    ...expressionLayers(layers).map((name) => ({ path: `layers/${name}`, varPath: 'var' })),
  ];
  return places.flatMap(({ path, varPath }) => {
    const layout = matrixLayout(file, path);
    return layout === undefined ? [] : [{ layout, varPath }];
  });
}

function geneColumn(file: Hdf5File, varPath: string, name: string): Column | undefined {
  const kind = file.kind(varPath);
  if (kind === undefined) return undefined;
  if (kind === 'dataset') return readDataFrame(file, varPath, 'var').table.columns.get(name);
  const path = `${varPath}/${name}`;
  if (file.kind(path) === undefined) return undefined;
  const separate = `${varPath}/__categories/${name}`;
  const read = readColumn(file, path, file.kind(separate) === undefined ? undefined : separate);
  return typeof read === 'string' ? undefined : read;
}

/**
 * Base in `uns/log1p/base`, written by scanpy's `pp.log1p`: a missing base means natural. Undefined without the record,
 * `other` for a base other than e, 2 and 10.
 */
function recordedScale(file: Hdf5File): ReturnType<DatasetFile['recordedScale']> {
  if (file.kind('uns/log1p') !== 'group') return undefined;
  const base = 'uns/log1p/base';
  if (file.kind(base) !== 'dataset' || file.text(base, 'encoding-type') === 'null') return 'log1p';
  const info = file.dataset(base);
  if (info.type.kind !== 'number' || info.shape.length > 1 || info.shape[0] === 0) return 'log1p';
  const value = new Float64Array(1);
  const box = info.shape.length === 0 ? { start: [], count: [] } : { start: [0], count: [1] };
  file.read(info, box, (elements) => decodeNumbers(elements, info.type, value, 0));
  if (Math.abs(value[0]! - Math.E) < 1e-6) return 'log1p';
  if (value[0] === 2) return 'log2';
  return value[0] === 10 ? 'log10' : 'other';
}
