import { countText, isSystemFile, listedNames, type SideFiles, sideFiles } from '@cellfolio/model';
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

/** With a slash at its end; empty for a file at the top. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
