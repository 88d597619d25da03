import type { Column } from '@cellfolio/model';
import { H5adError } from '../../h5ad-error.ts';
import type { Hdf5File } from '../../hdf5/hdf5-file.ts';
import { matrixLayout } from '../../layout/matrix-layout.ts';
import { readColumn, rowNames } from '../../layout/read-column.ts';
import { readColumns, withShortNames } from '../../layout/read-columns.ts';
import type { DataFrame, DatasetFile, FileFormat } from '../../dataset-file.ts';

/**
 * .h5 files of 10x Genomics, features x barcodes compressed by barcode: of Cell Ranger 3 and later in the group
 * `matrix`, before that in a group per genome,
 * https://www.10xgenomics.com/support/software/cell-ranger/latest/analysis/outputs/cr-outputs-h5-matrices. Columns of
 * var are named as by scanpy's `read_10x_h5`.
 */
export const tenx: FileFormat = {
  recognises: (file) => groups(file).length > 0,
  present: (file): DatasetFile => {
    const [chosenGroup, ...others] = groups(file);
    const { root, varPath } = chosenGroup!;
    return {
      hdf5: file,
      obsPath: `${root}/barcodes`,
      varPath,
      embeddingsPath: root,
      matrices: () => {
        const layout = matrixLayout(file, root, true);
        return layout === undefined ? [] : [{ layout, varPath }];
      },
      table: (_, what) => (what === 'obs' ? barcodes(file, chosenGroup!) : features(file, chosenGroup!)),
      genes: () => ({ ...features(file, chosenGroup!), notKept: [] }),
      geneColumn: (_, name) => featureColumn(file, chosenGroup!, name),
      embeddings: () => ({ embeddings: [], skipped: [] }),
      recordedScale: () => undefined,
      otherParts: () => others.map((genome) => genome.root),
      noExpression: () =>
        new H5adError({
          code: 'no-x',
          path: file.path,
          part: root,
          problem: 'it has no expression values: the matrix is empty.',
          hint: 'Use filtered_feature_bc_matrix.h5 of the same run.',
        }),
    };
  },
};

/** Maximum number of top-level groups examined. */
const maxGroups = 100;

interface TenxGroup {
  root: string;
  varPath: string;
  names: string;
  columnsPath: string;
  columns: ReadonlyMap<string, string>;
}

/** Matrices of the file, that with the most counts first: before Cell Ranger 3 each genome has one. */
function groups(file: Hdf5File): TenxGroup[] {
  if (file.kind('matrix') === 'group' && file.kind('matrix/barcodes') === 'dataset')
    return [featureGroup(file)];
  const genomes = file
    .children('')
    .slice(0, maxGroups)
    .filter((name) =>
      ['barcodes', 'genes', 'indptr'].every((part) => file.kind(`${name}/${part}`) === 'dataset'),
    )
    .map((name): TenxGroup & { entries: number } => {
      const named = file.kind(`${name}/gene_names`) === 'dataset';
      return {
        root: name,
        varPath: `${name}/genes`,
        names: named ? `${name}/gene_names` : `${name}/genes`,
        columnsPath: name,
        columns: new Map(named ? [['gene_ids', 'genes']] : []),
        entries: file.kind(`${name}/data`) === 'dataset' ? (file.dataset(`${name}/data`).shape[0] ?? 0) : 0,
      };
    });
  return genomes.toSorted((a, b) => b.entries - a.entries);
}

/** scanpy's names for columns of var that are named differently in the file. */
const renamed = new Map([
  ['id', 'gene_ids'],
  ['feature_type', 'feature_types'],
]);

function featureGroup(file: Hdf5File): TenxGroup {
  const columnsPath = 'matrix/features';
  // `_all_tag_keys` lists the optional columns, and is none.
  const children = file.kind(columnsPath) === 'group' ? file.children(columnsPath) : [];
  const stored = children.filter((name) => name !== 'name' && !name.startsWith('_'));
  const named = file.kind(`${columnsPath}/name`) === 'dataset';
  return {
    root: 'matrix',
    varPath: columnsPath,
    names: named ? `${columnsPath}/name` : `${columnsPath}/id`,
    columnsPath,
    columns: new Map(stored.map((name) => [renamed.get(name) ?? name, name])),
  };
}

function barcodes(file: Hdf5File, { root }: TenxGroup): DataFrame {
  const index = rowNames(file, `${root}/barcodes`, 'obs');
  const table = { rowCount: index.offsets.length - 1, indexName: 'barcodes', index, columns: new Map() };
  const stored =
    root === 'matrix'
      ? 'as lists of barcodes and features, as Cell Ranger writes them since version 3'
      : `as lists of barcodes and genes of ${root}, as Cell Ranger wrote them before version 3`;
  return withShortNames(file, root, { table, stored, skipped: [] });
}

function features(file: Hdf5File, { names, columnsPath, columns, varPath }: TenxGroup): DataFrame {
  if (file.kind(names) !== 'dataset') {
    throw new H5adError({
      code: 'no-var-names',
      path: file.path,
      part: names,
      problem: 'the file does not name its features.',
      hint: 'Copy or download the file again, or write it again with the program that made it.',
    });
  }
  const index = rowNames(file, names, 'var');
  const rowCount = index.offsets.length - 1;
  const read = readColumns(file, columnsPath, [...columns.values()], rowCount, (name) =>
    readColumn(file, `${columnsPath}/${name}`, undefined),
  );
  const named = new Map<string, Column>();
  for (const [shown, stored] of columns) {
    const column = read.columns.get(stored);
    if (column !== undefined) named.set(shown, column);
  }
  const indexName = names.slice(names.lastIndexOf('/') + 1);
  const frame = { table: { rowCount, indexName, index, columns: named }, stored: '', skipped: read.skipped };
  return withShortNames(file, varPath, frame);
}

function featureColumn(
  file: Hdf5File,
  { columnsPath, columns }: TenxGroup,
  name: string,
): Column | undefined {
  const stored = columns.get(name);
  if (stored === undefined || file.kind(`${columnsPath}/${stored}`) !== 'dataset') return undefined;
  const column = readColumn(file, `${columnsPath}/${stored}`, undefined);
  return typeof column === 'string' ? undefined : column;
}
