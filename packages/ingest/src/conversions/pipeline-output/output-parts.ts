import { countText, isSystemFile, listedNames } from '@cellfolio/model';
import { TextFileError } from '../../matrix-market/read-text.ts';
import { maxPaths } from './output-files.ts';
import { matrixName, tablesOfMatrix } from '../../matrix-market/tables-of-matrix.ts';

/** Paths within the output folder of a pipeline; folders are separated by `/`. */
export interface OutputParts extends SideFiles {
  matrix: string;
  /** Lists of cells and of genes; absent if the matrix is an HDF5 file of Cell Ranger, which has both. */
  tables: readonly [string, string] | undefined;
  symbols: string | undefined;
}

/** Tables of Cell Ranger and Space Ranger about the cells of a matrix. */
export interface SideFiles {
  /** Positions of spots in the image of the tissue. */
  positions: string | undefined;
  clusterings: readonly { column: string; path: string }[];
  projections: readonly { embedding: string; path: string }[];
}

/** Matrices of all barcodes, as each pipeline calls their folder, and parts of genes alone. */
const rawFolder = /(^|\/)((sample_)?raw(_[^/]*)?|counts_unfiltered|dge_unfiltered|velocyto)\//i;
const filteredHdf5 = /(^|\/)(sample_)?filtered_(feature|gene)_bc_matri(x|ces)\.h5$/i;
const maxListedMatrices = 8;
/** Enough to find the only one; several are refused. */
const maxMatrices = 100;

/** Whether an output folder has a matrix that can be read. */
export function isPipelineOutput(paths: readonly string[]): boolean {
  return paths.some((path) => !isSystemFile(path) && (matrixName.test(path) || filteredHdf5.test(path)));
}

/**
 * The matrix of an output folder, with the lists and tables that belong to it: the filtered one where there is one.
 * Undefined if there is no matrix with its lists. Throws TextFileError `unsupported` if there are several.
 */
export function outputParts(shown: string, allPaths: readonly string[]): OutputParts | undefined {
  const paths = allPaths.filter((path) => !isSystemFile(path));
  if (paths.length > maxPaths)
    throw new TextFileError({
      code: 'unsupported',
      path: shown,
      problem: `has more than ${countText(maxPaths)} files, which no output of one sample has. Use the folder of one sample.`,
    });
  const namesIn = Map.groupBy(paths, folderOf);
  const packed = new Set(paths.flatMap((path) => (matrixName.test(path) ? [`${path}.gz`] : [])));
  const trios = paths
    // A matrix that is there packed and unpacked is read unpacked.
    .filter((path) => matrixName.test(path) && !packed.has(path))
    .slice(0, maxMatrices)
    .flatMap((matrix) => {
      const folder = folderOf(matrix);
      const names = namesIn.get(folder)!.map((path) => path.slice(folder.length));
      const { cells, genes, symbols } = tablesOfMatrix(matrix.slice(folder.length), names);
      if (cells === undefined || genes === undefined) return [];
      const tables = [folder + cells, folder + genes] as const;
      return [{ matrix, tables, symbols: symbols && folder + symbols }];
    });
  const hdf5 = paths
    .filter((path) => filteredHdf5.test(path))
    .map((matrix) => ({ matrix, tables: undefined, symbols: undefined }));
  const filtered = trios.filter(({ matrix }) => !rawFolder.test(matrix));
  const [only, ...more] = [filtered, hdf5, trios].find((choice) => choice.length > 0) ?? [];
  if (only === undefined) return undefined;
  if (more.length > 0) {
    const folders = [only, ...more].map(({ matrix }) => matrix);
    throw new TextFileError({
      code: 'unsupported',
      path: shown,
      problem: `has ${folders.length} matrices: ${listedNames(folders, maxListedMatrices)}. Use the folder of one of them.`,
    });
  }
  return { ...only, ...sideFiles(only.matrix, paths) };
}

/**
 * Files beside the folder of a matrix that say something about its cells
 * (https://www.10xgenomics.com/support/software/space-ranger/latest/analysis/outputs/spatial-outputs).
 */
export function sideFiles(matrix: string, paths: readonly string[]): SideFiles {
  const root = outputRoot(matrix);
  const beside = paths.flatMap((path) => (path.startsWith(root) ? [path.slice(root.length)] : []));
  const first = (names: readonly string[]) => names.find((name) => beside.includes(name));
  const positions = first(
    ['tissue_positions.csv', 'tissue_positions_list.csv', 'tissue_positions.parquet'].map(
      (name) => `spatial/${name}`,
    ),
  );
  const matches = (pattern: RegExp) =>
    beside.toSorted().flatMap((path) => {
      const [, name] = pattern.exec(path) ?? [];
      return name === undefined ? [] : [{ name, path: root + path }];
    });
  return {
    positions: positions && root + positions,
    clusterings: matches(
      /^analysis\/clustering\/(?:gene_expression_)?(graphclust|kmeans_\d+_clusters)\/clusters\.csv$/,
    ).map(({ name, path }) => ({ column: name, path })),
    projections: matches(/^analysis\/(umap|tsne)\/(?:gene_expression_)?\d+_components\/projection\.csv$/).map(
      ({ name, path }) => ({ embedding: `X_${name}`, path }),
    ),
  };
}

/** Folder that Cell Ranger calls `outs`, of a matrix in a folder of it; else that of the matrix itself. */
export function outputRoot(matrix: string): string {
  return folderOf(matrix).replace(
    /(^|\/)(sample_)?(filtered|raw)_(feature|gene)_bc_matri(x|ces)\/([^/]+\/)?$/i,
    '$1',
  );
}

/** With a slash at its end; empty for a file at the top. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
