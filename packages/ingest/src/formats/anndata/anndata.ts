import { type Column, isTermId, listedNames, stringAt, termColumnOf } from '@cellfolio/model';
import type { AssetSource } from '@cellfolio/store';
import { planCarried } from '../../carried/plan-carried.ts';
import { graphPlace } from '../../graph/graph-place.ts';
import { decodeNumbers } from '../../hdf5/decode-elements.ts';
import type { Hdf5File } from '../../hdf5/hdf5-file.ts';
import { expressionLayers, matrixLayout } from '../../layout/matrix-layout.ts';
import { readColumn } from '../../layout/read-column.ts';
import type { DatasetFile, FileFormat, MatrixPlace } from '../../dataset-file.ts';
import { H5adError } from '../../h5ad-error.ts';
import { assetsOf, otherAssets } from './assets.ts';
import { readDataFrame } from './data-frame.ts';
import { embeddingLayouts } from './embeddings.ts';
import { withFileColours } from './file-colours.ts';
import { readGeneTable } from './gene-table.ts';
import { proteinKey, proteinPlace } from './protein-table.ts';

/** .h5ad files of any version, https://anndata.readthedocs.io/en/stable/fileformat-prose.html. */
export const anndata: FileFormat = { recognises: () => true, present };

/** Throws H5adError `not-anndata`. */
function present(file: Hdf5File): DatasetFile {
  assertAnnData(file);
  let assetList: AssetSource[] | undefined;
  const assets = () => (assetList ??= assetsOf(file));
  return {
    hdf5: file,
    obsPath: 'obs',
    varPath: 'var',
    embeddingsPath: 'obsm',
    matrices: () => matrices(file),
    table: (path, what) => {
      const frame = readDataFrame(file, path, what);
      return what === 'obs' ? { ...frame, table: withFileColours(file, frame.table) } : frame;
    },
    genes: (varPath) => readGeneTable(file, varPath),
    geneColumn: (varPath, name) => geneColumn(file, varPath, name),
    embeddings: (cells) => embeddingLayouts(file, cells, proteinKey(file)),
    proteins: (cells) => proteinPlace(file, cells),
    recordedScale: () => recordedScale(file),
    organism: () => organismId(file),
    graph: () => graphPlace(file),
    assets,
    carried: (wish) => planCarried(file, wish),
    otherParts: () => otherAssets(file, assets()),
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

/** Version 6 of the CELLxGENE schema and later have it in `uns`, as the cells are of one organism. */
function organismId(file: Hdf5File): string | undefined {
  const path = `uns/${termColumnOf('organism')}`;
  if (file.kind(path) !== 'dataset') return undefined;
  const info = file.dataset(path);
  const isScalar = info.shape.length === 0 || (info.shape.length === 1 && info.shape[0] === 1);
  if (!isScalar || info.type.kind !== 'string') return undefined;
  const id = stringAt(file.strings(info), 0);
  return isTermId(id) ? id : undefined;
}

const maxNames = 6;
const maxNameLength = 60;

/** Throws H5adError `not-anndata` for an HDF5 file of another format, with the format and advice. */
function assertAnnData(file: Hdf5File): void {
  const hasTables = file.kind('obs') !== undefined && file.kind('var') !== undefined;
  if (!hasTables && file.kind('barcode_idx') !== undefined && file.kind('umi') !== undefined)
    throw notAnnData(
      file,
      'this is a 10x Genomics file of molecules (molecule_info.h5), not an AnnData file.',
      'It lists molecules and not the counts of cells: use filtered_feature_bc_matrix of the same run.',
    );
  if (['X', 'raw', 'raw.X', 'layers', 'obs', 'var'].some((part) => file.kind(part) !== undefined)) return;
  const names = file.children('');
  const holds = names.length === 0 ? 'nothing' : listedNames(names.map(plain), maxNames);
  throw notAnnData(
    file,
    `this is an HDF5 file, but not an AnnData file: it has no X, obs and var. It holds ${holds}.`,
    'Read it with the tool that wrote it, and write it with anndata.AnnData.write_h5ad.',
  );
}

function noExpression(file: Hdf5File): H5adError {
  const layers = file.kind('layers') === 'group' ? file.children('layers') : [];
  const [first] = layers;
  return new H5adError({
    code: 'no-x',
    path: file.path,
    part: 'X',
    problem:
      first === undefined
        ? 'it has no expression values: X is empty (None), and there is neither raw nor a layer.'
        : `it has no expression values: X is empty (None), there is no raw, and no layer has the name and the values of counts or of log-normalized expression. Its layers: ${listedNames(layers.map(plain), maxNames)}.`,
    hint:
      first === undefined
        ? 'Set adata.X to the counts, cells x genes, and write the file again.'
        : `Choose one, such as adata.X = adata.layers[${quoted(first)}].copy(), and write the file again.`,
  });
}

function notAnnData(file: Hdf5File, problem: string, hint: string): H5adError {
  return new H5adError({ code: 'not-anndata', path: file.path, part: '', problem, hint });
}

/** A name of the file for use in messages, without characters that control a terminal. */
export function plain(name: string): string {
  return name.slice(0, maxNameLength).replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, '�');
}

function quoted(name: string): string {
  return JSON.stringify(plain(name));
}
